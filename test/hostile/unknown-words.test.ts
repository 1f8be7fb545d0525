import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { EvmTransaction } from '../../src/avalanche/codec/evm-transaction.js';
import { provedReceipts } from '../../src/follow/evm/proved-receipts.js';
import { provedTraces } from '../../src/follow/evm/proved-traces.js';
import { NodeError } from '../../src/follow/node/error.js';
import { openEvm, openNode } from '../../src/follow/node/nodes.js';
import { verdictOn } from '../../src/follow/loop/verdict.js';
import type { PipelineName } from '../../src/follow/pipeline.js';
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

/** Calls of the primary network, which have no gaps, are refused with these alone. */
const FEW = 10;

const quick = { log: pino({ level: 'silent' }), pauses: { least: 1, most: 2 }, patienceMs: 5 };
const hashes = [1, 2].map((each) => `0x${String(each).repeat(64)}`);
const transactions = hashes.map((hash) => ({ hash }) as EvmTransaction);
const asked = { height: 7n, hashes, transactions, receiptsRoot: `0x${'0'.repeat(64)}` };

function expectWait(outcome: PromiseSettledResult<unknown>, refusal: Said, name: string): void {
  // An answer would be one with a gap.
  expect(outcome, `${name}: ${JSON.stringify(refusal)}`).toMatchObject({
    reason: expect.any(NodeError) as NodeError,
  });
  const pipeline = { name: name as PipelineName, setAside: () => true };
  expect(verdictOn((outcome as PromiseRejectedResult).reason, pipeline).then).toBe('wait');
}

/** What comes of asking a node that refuses everything so: nothing is a gap, and nothing stops. */
async function expectWaiting(all: readonly Said[]): Promise<void> {
  let refusal: Said = { result: null };
  const node = await startScriptedNode(({ method }) => {
    if (method === 'eth_chainId') return { result: '0x1' };
    return method === 'eth_blockNumber' ? { result: '0x9' } : refusal;
  });
  const nodes = openEvm([node.url], 1n, quick);
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
      for (const outcome of outcomes) expectWait(outcome, refusal, 'internals:1');
    }
  } finally {
    await nodes.close();
    await node.close();
  }
}

/** Codes of a method that a node lacks, whatever it says: rewards are then those that the state computes. */
const saysMissing = (said: Said) =>
  'error' in said && [-32601, -32604].includes((said.error as { code: number }).code);

/** The same of what the streams of the primary network ask. */
async function expectPrimaryWaiting(all: readonly Said[]): Promise<void> {
  let refusal: Said = { result: null };
  const node = await startScriptedNode(({ method }) =>
    /\.get(?:Height|LastAccepted)$/.test(method) ? { result: { height: '9' } } : refusal,
  );
  const nodes = openNode([node.url], quick);
  const id = '2PsE3E6smB7AbPPzyC1sDZp6cci9tz8zz2WViFKBNYhHzonK7A';
  try {
    for (const each of all) {
      refusal = each;
      const rewards = saysMissing(each) ? [] : [nodes.platform.rewardUtxos(id)];
      const [names, calls] = [
        ['p', 'p', 'x', 'x', 'c-atomic', 'x-dag', 'p'],
        [
          nodes.platform.blockByHeight(7n),
          nodes.platform.blocks(0n, 3),
          nodes.avm.blockByHeight(7n),
          nodes.avm.transaction(id),
          nodes.avax.atomicTransaction(id),
          nodes.index.range('X/vtx', 0n, 3),
          ...rewards,
        ],
      ] as const;
      const outcomes = await Promise.allSettled<unknown>(calls);
      for (const [at, outcome] of outcomes.entries()) expectWait(outcome, refusal, names[at]!);
    }
  } finally {
    await nodes.close();
    await node.close();
  }
}

const so = `${SENTENCES} sentences that nobody knows stop no stream, and make no gap`;

test.concurrent.each(codes)(`${so}: code %i`, async (code) => {
  const all = sentences.map((message) => ({ error: { code, message } }));
  await expectWaiting(all);
  await expectPrimaryWaiting(all.slice(0, FEW));
});

test.concurrent.each(statuses)(`${so}: status %i`, async (status) => {
  const all = sentences.map((body) => ({ status, body }));
  await expectWaiting(all);
  await expectPrimaryWaiting(all.slice(0, FEW));
});
