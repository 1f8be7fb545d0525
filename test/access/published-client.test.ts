import { Avalanche } from '@avalanche-sdk/chainkit';
import {
  type AvalancheError,
  ForbiddenError,
  NotFoundError,
  TooManyRequestsError,
  UnauthorizedError,
} from '@avalanche-sdk/chainkit/models/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../src/access/key.js';
import { formatAddress } from '../../src/avalanche/address.js';
import { createApp, type TestApp } from '../harness/app.js';
import { makeKey } from '../harness/keys.js';
import { listen } from '../harness/listen.js';

let gateway: TestApp;
let serverURL: string;

beforeAll(async () => {
  const plans = { single: { requests: 1, seconds: 60 }, reader: { requests: 10, seconds: 60, rights: [] } };
  gateway = await createApp({ RATE_LIMITS: 'on', PLANS: JSON.stringify(plans) });
  serverURL = await listen(gateway.app);
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

  test('ForbiddenError for a key without the right, before it is known whether the chain is stored', async () => {
    const unheld = { chainId: '987654321', address: `0x${'1'.repeat(40)}`, tokenId: '1' };
    const reindex = (apiKey: string) =>
      clientWith(apiKey)
        .data.nfts.reindex(unheld, { serverURL, retries: { strategy: 'none' } })
        .catch((each: unknown) => each);
    for (const key of [
      (await makeKey(gateway, 'free', { rights: [] })).key,
      (await makeKey(gateway, 'reader')).key,
    ]) {
      const error = await reindex(key);
      expect(error).toBeInstanceOf(ForbiddenError);
      expect((error as ForbiddenError).data$).toMatchObject({
        statusCode: 403,
        message: 'This API key does not have the right reindex.',
      });
      expect((error as AvalancheError).headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
    }
    expect(await reindex((await makeKey(gateway, 'free')).key)).toBeInstanceOf(NotFoundError);
  });
});
