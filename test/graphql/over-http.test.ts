import type { AddressInfo } from 'node:net';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';

let gateway: TestApp;
let url: string;

beforeAll(async () => {
  gateway = await createApp();
  await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(gateway.app.server.address() as AddressInfo).port}/graphql`;
});

afterAll(() => gateway.close());

describe('GraphQL over HTTP', () => {
  const audits = serverAudits({ url: () => url, fetchFn: fetch });

  test.each(audits.map((audit) => [`${audit.id} ${audit.name}`, audit] as const))(
    '%s',
    async (_name, audit) => {
      const result = await audit.fn();
      expect(result.status, 'reason' in result ? result.reason : '').toBe('ok');
    },
  );

  test('there are as many audits as were known', () => {
    expect(audits.length).toBeGreaterThanOrEqual(61);
  });
});
