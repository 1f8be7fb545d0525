import * as zlib from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
});
afterAll(() => gateway.close());

const list = '/v1/networks/fuji/blockchains/p-chain/utxos?includeSpent=true&pageSize=50';
const graphql = `/graphql?query=${encodeURIComponent(
  '{ utxos(network: fuji, blockchainId: "p-chain", includeSpent: true, first: 50) { nodes { utxoId amount addresses } } }',
)}`;
// Node has zstd from 22.15 and 23.8 on; the types are of 20.
const { zstdDecompressSync } = zlib as unknown as { zstdDecompressSync?: (bytes: Buffer) => Buffer };

const unpack: Record<string, (bytes: Buffer) => Buffer> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  ...(zstdDecompressSync && { zstd: zstdDecompressSync }),
};

async function ask(url: string, accepted?: string) {
  const { headers, rawPayload, body } = await gateway.app.inject({
    url,
    headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
  });
  return {
    encoding: headers['content-encoding'],
    vary: String(headers['vary']),
    rawPayload,
    body: constantOf(body),
  };
}

/** A page token is another one each time. */
const constantOf = (text = '') => text.replace(/"nextPageToken":"[^"]+"/, '');

/** What is best of those, as far as this Node has it. */
const best = zstdDecompressSync ? 'zstd' : 'br';

test.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', best],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['identity', undefined],
  [undefined, undefined],
] as const)(
  'a client that accepts %s is answered in it, by REST and GraphQL alike: %s',
  async (accepted, expected) => {
    for (const url of [list, graphql]) {
      const plain = await ask(url);
      expect(plain.encoding).toBeUndefined();
      const { encoding, rawPayload, vary } = await ask(url, accepted);
      expect(encoding).toBe(expected);
      expect(vary).toContain('accept-encoding');
      const bytes = expected ? unpack[expected]?.(rawPayload) : rawPayload;
      expect(constantOf(bytes?.toString())).toBe(plain.body);
      if (expected) expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    }
  },
);

test.runIf(zstdDecompressSync)('zstd is spoken where Node has it', async () => {
  const { encoding, rawPayload } = await ask(list, 'zstd');
  expect(encoding).toBe('zstd');
  expect(constantOf(zstdDecompressSync?.(rawPayload).toString())).toBe((await ask(list)).body);
});

test.each(['/', '/docs/swagger-ui.css', '/openapi.json'])(
  '%s, the same for everybody, comes in an encoding that the client takes, or as it is',
  async (url) => {
    const plain = await ask(url);
    for (const accepted of ['br, gzip', 'gzip, deflate, br, zstd', 'gzip', undefined]) {
      const { encoding, rawPayload } = await ask(url, accepted);
      if (accepted) expect(accepted.split(', ')).toContain(encoding);
      const bytes = encoding ? unpack[String(encoding)]?.(rawPayload) : rawPayload;
      expect(constantOf(bytes?.toString())).toBe(plain.body);
    }
  },
);

test('a small reply is sent as it is', async () => {
  expect((await ask('/health', 'br, gzip, zstd')).encoding).toBeUndefined();
});
