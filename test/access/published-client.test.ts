import type { AddressInfo } from 'node:net';
import { Avalanche } from '@avalanche-sdk/chainkit';
import type { AvalancheError } from '@avalanche-sdk/chainkit/models/errors';
import {
  ForbiddenError,
  TooManyRequestsError,
  UnauthorizedError,
} from '@avalanche-sdk/chainkit/models/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireRight } from '../../src/access/authenticate.js';
import { createKey } from '../../src/access/key.js';
import { formatAddress } from '../../src/avalanche/address.js';
import { accessOf } from '../../src/http/envelope.js';
import { createServer } from '../../src/http/server.js';
import { createApp, type TestApp } from '../harness/app.js';
import { makeKey } from '../harness/keys.js';

let gateway: TestApp;
let serverURL: string;

beforeAll(async () => {
  const plans = { single: { requests: 1, seconds: 60 }, reader: { requests: 10, seconds: 60, rights: [] } };
  gateway = await createApp({ RATE_LIMITS: 'on', PLANS: JSON.stringify(plans) });
  await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  serverURL = `http://127.0.0.1:${(gateway.app.server.address() as AddressInfo).port}`;
});
afterAll(() => gateway.close());

// Telemetry is on by default and calls a foreign host.
function clientWith(apiKey: string): Avalanche {
  return new Avalanche({ apiKey, chainId: '43113', network: 'fuji', enableTelemetry: false });
}

async function listUtxos(client: Avalanche) {
  const pages = await client.data.primaryNetwork.utxos.listByAddresses(
    { blockchainId: 'p-chain', network: 'fuji', addresses: formatAddress('fuji', new Uint8Array(20)) },
    { serverURL },
  );
  for await (const page of pages) return page.result;
}

describe('the published client throws its own typed error', () => {
  test('UnauthorizedError for a key that is unknown', async () => {
    const error = await listUtxos(clientWith(createKey())).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect((error as UnauthorizedError).data$).toMatchObject({ statusCode: 401, error: 'Unauthorized' });
  });

  test('TooManyRequestsError, with the seconds to wait in its headers', async () => {
    const client = clientWith((await makeKey(gateway, 'single')).key);
    await listUtxos(client);
    const error = await listUtxos(client).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(TooManyRequestsError);
    const { headers } = error as AvalancheError;
    expect([headers.get('retry-after'), headers.get('ratelimit-reset')]).toEqual(['60', '60']);
    expect(headers.get('ratelimit-policy')).toBe('1;w=60;name="single"');
  });

  test('ForbiddenError for a key without the right', async () => {
    const { config, log, accessControl } = gateway.services;
    const server = await createServer(config, log, accessControl);
    server.post('/v1/chains/:chainId/nfts/collections/:address/tokens/:token', (request, reply) => {
      requireRight(accessOf(request).caller, 'reindex');
      return reply.code(201).send();
    });
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    const reindex = (key: string) =>
      clientWith(key).data.nfts.reindex({ address: `0x${'1'.repeat(40)}`, tokenId: '1' }, { serverURL: url });
    for (const key of [
      (await makeKey(gateway, 'free', { rights: [] })).key,
      (await makeKey(gateway, 'reader')).key,
    ]) {
      const error = await reindex(key).catch((each: unknown) => each);
      expect(error).toBeInstanceOf(ForbiddenError);
      expect((error as ForbiddenError).data$).toMatchObject({
        statusCode: 403,
        message: 'This API key does not have the right reindex.',
      });
    }
    await reindex((await makeKey(gateway, 'free')).key);
    await server.close();
  });
});
