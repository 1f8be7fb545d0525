import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { startExcerptNode } from '../../harness/excerpt-node.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { followOnce } from '../../harness/followed.js';
import type { NodeServer } from '../../harness/node-server.js';

let node: NodeServer;
let gateway: TestApp;
beforeAll(async () => {
  node = await startExcerptNode();
});
beforeEach(async () => {
  gateway = await createApp();
});
afterEach(() => gateway.close());
afterAll(async () => {
  await node.close();
  adoptIdentities({});
});

test('a node of a chain that has stopped is not ok, whatever it answers', async () => {
  // Without the genesis file p cannot begin.
  const given = { urls: [node.url], genesis: undefined, only: ['p', 'x'] as const };
  const stopped = await followOnce(gateway.storage, given);
  expect(stopped.map(({ name }) => name)).toEqual(['p']);
  const [endpoint] = await gateway.storage.prisma.followEndpoint.findMany();
  expect(endpoint).toMatchObject({
    name: node.url,
    state: 'stopped',
    reason: expect.stringMatching(/^p: the first outputs of the P-chain are in its genesis/) as string,
  });
  const ready = await gateway.get('/ready');
  expect(ready.status).toBe(503);
  expect(ready.text).toContain('fuji p: 601 blocks behind, stopped: the first outputs');
  await gateway.get('/metrics');
  const { text } = await gateway.get('/metrics');
  expect(text).toContain('moraine_follow_endpoint_state{endpoint="1",state="ok"} 0');
  expect(text).toContain('moraine_follow_endpoint_state{endpoint="1",state="stopped"} 1');
});

test('of a chain that has everything and stopped, nothing says that it is up to date', async () => {
  await gateway.storage.prisma.followPipeline.create({
    data: {
      network: 'fuji',
      name: 'p',
      firstHeight: 0n,
      nextHeight: 101n,
      head: 100n,
      state: 'stopped',
      note: 'a fault of Moraine in p',
      counters: {},
    },
  });
  const { text } = await gateway.get('/ready');
  expect(text).toContain('fuji p: at block 100, stopped: a fault of Moraine in p');
  expect(text).not.toContain('up to date');
});
