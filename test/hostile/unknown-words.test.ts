import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { EvmTransaction } from '../../src/avalanche/codec/evm-transaction.js';
import { provedReceipts } from '../../src/follow/evm/proved-receipts.js';
import { provedTraces } from '../../src/follow/evm/proved-traces.js';
import { NodeError } from '../../src/follow/node/error.js';
import { openEvm } from '../../src/follow/node/nodes.js';
import { verdictOn } from '../../src/follow/loop/verdict.js';
import { Random } from '../harness/random.js';
import { startScriptedNode, type Said } from '../harness/scripted-node.js';

const SENTENCES = 200;

const [whose, things, does, why] = [
  ['your', 'our', 'this', 'the upstream', 'a cached', 'the archive', 'my poor', 'no', 'any', 'the last'],
  ['plan', 'state', 'block', 'trace', 'backend', 'quota', 'request', 'node', 'shard', 'transaction', 'moon'],
  ['is gone', 'was refused', 'must wait', 'has moved', 'cannot be shown', 'is not for you', 'fell over'],
  ['', ' today', ' (7a91)', ', try later', ': contact us', '; see the docs', ' because of 429 reasons', '!'],
] as const;

/** Sentences that no node is known to say. */
const sentences = (() => {
  const random = new Random(49);
  const made = new Set<string>();
  while (made.size < SENTENCES)
    made.add(`${random.one(whose)} ${random.one(things)} ${random.one(does)}${random.one(why)}`);
  return [...made];
})();

const codes = [
  -32700, -32600, -32601, -32602, -32603, -32604, -32000, -32001, -32002, -32003, -32004, -32005, -32007,
  -32009, -32010, -32015, -32016, -32029, -32046, -32090, -31999, -1, 0, 1, 3, 15, 30, 403, 429, 4444,
];
const statuses = [
  201, 204, 301, 400, 401, 402, 403, 404, 405, 408, 410, 413, 415, 418, 421, 422, 425, 429, 451, 500, 501,
  502, 503, 504, 520, 530, 599,
];

const pipeline = { name: 'internals:1' as const, setAside: () => true };
const hashes = [1, 2].map((each) => `0x${String(each).repeat(64)}`);
const transactions = hashes.map((hash) => ({ hash }) as EvmTransaction);
const asked = { height: 7n, hashes, transactions, receiptsRoot: `0x${'0'.repeat(64)}` };

/** What comes of asking a node that refuses everything so: nothing is a gap, and nothing stops. */
async function expectWaiting(all: readonly Said[]): Promise<void> {
  let refusal: Said = { result: null };
  const node = await startScriptedNode(({ method }) => {
    if (method === 'eth_chainId') return { result: '0x1' };
    return method === 'eth_blockNumber' ? { result: '0x9' } : refusal;
  });
  const log = pino({ level: 'silent' });
  const nodes = openEvm([node.url], 1n, { log, pauses: { least: 1, most: 2 }, patienceMs: 5 });
  const { signal } = new AbortController();
  try {
    for (const [index, each] of all.entries()) {
      refusal = each;
      const outcomes = await Promise.allSettled<unknown>([
        provedTraces(nodes, asked, (trace) => trace, signal),
        provedReceipts(nodes, asked, signal),
        // A batch is asked in halves, down to one.
        ...(index % 20 === 0 ? [nodes.evm.blocks(0n, 8)] : []),
      ]);
      for (const outcome of outcomes) {
        // An answer would be one with a gap.
        expect(outcome, JSON.stringify(refusal)).toMatchObject({
          reason: expect.any(NodeError) as NodeError,
        });
        expect(verdictOn((outcome as PromiseRejectedResult).reason, pipeline).then).toBe('wait');
      }
    }
  } finally {
    await nodes.close();
    await node.close();
  }
}

const so = `${SENTENCES} sentences that nobody knows stop no stream, and make no gap`;

test.each(codes)(`${so}: code %i`, (code) =>
  expectWaiting(sentences.map((message) => ({ error: { code, message } }))),
);

test.each(statuses)(`${so}: status %i`, (status) =>
  expectWaiting(sentences.map((body) => ({ status, body }))),
);
