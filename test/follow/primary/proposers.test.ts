import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { ZERO_ID } from '../../../src/avalanche/codec/ids.js';
import { NodeError } from '../../../src/follow/node/error.js';
import type { Nodes } from '../../../src/follow/node/nodes.js';
import { Proposers } from '../../../src/follow/primary/proposers.js';

/** Of an Ed25519 key, whose signatures are of no digest. */
const ed25519 = Buffer.from(
  'MIIBLjCB4aADAgECAhQw/953A181XIRwvjt7BR1gJ5eX9DAFBgMrZXAwDDEKMAgGA1UEAwwBYTAgFw0yNjExMjgwNjAwMzBaGA8yMTI2MTEwNDA2MDAzMFowDDEKMAgGA1UEAwwBYTAqMAUGAytlcAMhAMGx+EOa/FdO/2PveMQ52ZpTr56qfwEyQCFM4dt9Wmx3o1MwUTAdBgNVHQ4EFgQUtGTuCVlLLU7vcddVQ15C+QebnbowHwYDVR0jBBgwFoAUtGTuCVlLLU7vcddVQ15C+QebnbowDwYDVR0TAQH/BAUwAwEB/zAFBgMrZXADQQANGIMqm2omR/iYPL6UPStVjbZi8ePgCGXCzpMKPF/cWdlQLLR61TMkalhkrXSCsZ3jWJPgilSsWAkP7bwwATcM',
  'base64',
);

const sized = (bytes: Uint8Array) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** An outer block of the first type, signed by nobody: its members are what a node likes. */
const outerBlock = (certificate: Uint8Array, signature: Uint8Array) =>
  Buffer.concat([Buffer.alloc(2 + 4 + 32 + 8 + 8), ...[certificate, randomBytes(50), signature].map(sized)]);

/** The proposers of blocks of which a node's index has these bytes. */
function proposersOf(blocks: readonly Buffer[], count = blocks.length) {
  const containers = blocks.map((bytes, index) => ({ bytes, id: String(index), index: BigInt(index) }));
  const index = {
    lastAccepted: () => Promise.resolve({ value: { index: 1000n } }),
    range: (_name: string, _first: bigint, _count: number, { read }: { read: (given: unknown) => unknown }) =>
      Promise.resolve({ value: read(containers) }),
  } as unknown as Nodes['index'];
  let read = 0;
  const proposers = new Proposers({ index }, 'P/block', ZERO_ID, () => String((read += 1)));
  return { found: proposers.from(1n, count, new AbortController().signal), read: () => read };
}

test('a certificate of a kind that nodes do not have proves no proposer, and fails nothing', async () => {
  expect(new X509Certificate(ed25519).publicKey.asymmetricKeyType).toBe('ed25519');
  const blocks = [randomBytes(64), randomBytes(0), randomBytes(5000)].map((signature) =>
    outerBlock(ed25519, signature),
  );
  expect(await proposersOf(blocks).found).toEqual(new Map());
});

test('neither do bytes that are no certificate, or too many of them', async () => {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    type: 'spki',
    format: 'der',
  });
  const blocks = [key, randomBytes(300), randomBytes(100_000)].map((each) =>
    outerBlock(each, randomBytes(70)),
  );
  expect(await proposersOf(blocks).found).toEqual(new Map());
});

test('of an answer with more blocks than were asked for only so many are read', async () => {
  const { found, read } = proposersOf(
    Array.from({ length: 50 }, () => outerBlock(ed25519, randomBytes(64))),
    3,
  );
  await found;
  expect(read()).toBe(3);
});

test('an index that fails is not asked again for a while, and blocks do not wait for it', async () => {
  let asked = 0;
  const fail = () => {
    asked += 1;
    return Promise.reject(new NodeError('wait', 'timeout', 'no answer in time', 'node'));
  };
  const lastAccepted = () => Promise.resolve({ value: { index: 1000n } });
  const index = { lastAccepted, range: fail } as unknown as Nodes['index'];
  const proposers = new Proposers({ index }, 'P/block', ZERO_ID, () => '');
  const { signal } = new AbortController();
  for (const height of [1n, 33n, 65n]) expect(await proposers.from(height, 32, signal)).toEqual(new Map());
  expect(asked).toBe(1);
});

test('an index that never answers is waited for five seconds at most', async () => {
  const range = (_name: string, _first: bigint, _count: number, { signal }: { signal: AbortSignal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const lastAccepted = () => Promise.resolve({ value: { index: 1000n } });
  const index = { lastAccepted, range } as unknown as Nodes['index'];
  const proposers = new Proposers({ index }, 'P/block', ZERO_ID, () => '');
  expect(await proposers.from(1n, 32, new AbortController().signal)).toEqual(new Map());
});
