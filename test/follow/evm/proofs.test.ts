import { describe, expect, test } from 'vitest';
import { followOnce } from '../../harness/followed.js';
import { dumpFollowed } from '../../harness/followed-dump.js';
import { HEAD, RecordedStream, type Alteration } from '../../harness/recorded-c-chain.js';
import { hasRecordedNode, recordedFile } from '../../harness/recorded-node.js';

interface Transaction {
  hash: string;
}
interface Trace {
  txHash: string;
  result: { type: string; from: string; to: string; value: string; input: string; gasUsed: string };
}

/** Changes the list of what a block has, and all that names its transactions, in the same way. */
const ofEachList =
  (change: <T extends { hash: string }>(each: readonly T[]) => readonly T[]): Alteration =>
  ({ method }, { result }) => {
    if (method === 'eth_getBlockByNumber') {
      const block = result as { transactions: (string | Transaction)[] };
      const isWhole = block.transactions.some((each) => typeof each === 'object');
      const all = block.transactions.map((each) => (typeof each === 'string' ? { hash: each } : each));
      const changed = change(all);
      return { result: { ...block, transactions: isWhole ? changed : changed.map(({ hash }) => hash) } };
    }
    if (method !== 'debug_traceBlockByNumber') return null;
    const traces = ((result ?? []) as Trace[]).map((each) => ({ ...each, hash: each.txHash }));
    return { result: change(traces).map((each) => ({ ...each, txHash: each.hash })) };
  };

/** Changes traces. @param only of this block alone */
const ofTraces =
  (change: (frame: Trace['result']) => Partial<Trace['result']>, only?: number): Alteration =>
  ({ method, params }, { result }) => {
    // Asked where those of the block were wrong.
    if (method === 'debug_traceTransaction' && only === undefined && result) {
      const frame = result as Trace['result'];
      return { result: { ...frame, ...change(frame) } };
    }
    if (method !== 'debug_traceBlockByNumber') return null;
    if (only !== undefined && Number((params as [string])[0]) !== only) return null;
    const traces = (result ?? []) as Trace[];
    return {
      result: traces.map((each) => ({ ...each, result: { ...each.result, ...change(each.result) } })),
    };
  };
const more = (digits: string) => `0x${(BigInt(digits) + 7n).toString(16)}`;

describe.runIf(hasRecordedNode)('what a node says of transactions', () => {
  const stream = new RecordedStream('internals', async (storage) => {
    const { internal_tx: frames } = await dumpFollowed(storage);
    return frames!;
  });

  test.each<[string, RegExp, Alteration]>([
    [
      'invents a hash, in blocks and in traces',
      /the hash of a transaction of block \d+ is not 0x1{8}/,
      ofEachList((all) => all.map((each) => ({ ...each, hash: `0x${'1'.repeat(8)}${each.hash.slice(10)}` }))),
    ],
    [
      'leaves out a transaction, in blocks and in traces',
      /has \d+ transactions, which its header contradicts/,
      ofEachList((all) => (all.length > 1 ? all.slice(1) : all)),
    ],
    [
      'names another sender',
      /from of the trace of 0x\w+ is 0x1{40}, and the transaction has/,
      ofTraces(() => ({ from: `0x${'1'.repeat(40)}` })),
    ],
    [
      'names another recipient',
      /to of the trace of 0x\w+ is 0x1{40}, and the transaction has|type of the trace/,
      // Also of creations, whose address nothing proves.
      ofTraces(() => ({ to: `0x${'1'.repeat(40)}`, type: 'CALL' })),
    ],
    ['names another value', /value of the trace of/, ofTraces(({ value }) => ({ value: more(value) }))],
    ['has other input', /input of the trace of/, ofTraces(({ input }) => ({ input: `${input}00` }))],
    [
      'has traces that used other gas, of one block',
      /the traces of block 60 used \d+ gas, and its header says \d+/,
      ofTraces(({ gasUsed }) => ({ gasUsed: more(gasUsed) }), 60),
    ],
  ])('a node that %s is wrong, and another node fills it', async (_does, note, change) => {
    const url = await stream.alter(change);
    expect(await stream.noteOf(url)).toMatch(note);
    for (const row of await stream.dump()) expect(stream.whole).toContainEqual(row);
    await stream.follow(url, stream.node.url);
    expect(await stream.dump()).toEqual(stream.whole);
  });

  test('two nodes of which one hides what transactions called: it stops', async () => {
    const url = await stream.alter(({ method }, { result }) =>
      method === 'debug_traceBlockByNumber'
        ? {
            result: ((result ?? []) as Trace[]).map((each) => ({
              ...each,
              result: { ...each.result, calls: [] },
            })),
          }
        : null,
    );
    const given = { genesis: recordedFile('network-a', 'genesis.json'), only: ['internals' as const] };
    const urls = [url, stream.node.url];
    let stopped = await followOnce(stream.database.storage, { ...given, urls });
    // One block of sixteen is compared.
    for (let turn = 0; turn < 20 && stopped.length === 0; turn += 1)
      stopped = await followOnce(stream.database.storage, { ...given, urls, again: ['internals'] });
    expect(stopped[0]?.why.message).toMatch(
      /says that transaction 0x\w+ of block \d+ made other internal transactions than http\S+ says: only one of them can be right/,
    );
  });

  test('a client that counts the gas of each trace in another way is followed', async () => {
    await stream.follow(await stream.alter(ofTraces(({ gasUsed }) => ({ gasUsed: more(gasUsed) }))));
    expect(await stream.dump()).toEqual(stream.whole);
    const { nextHeight } = await stream.database.storage.prisma.followPipeline.findFirstOrThrow();
    expect(nextHeight).toBe(BigInt(HEAD + 1));
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
