import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startFollowing, type Started } from '../../harness/followed.js';
import { dumpFollowed } from '../../harness/followed-dump.js';
import { HEAD, RecordedStream, type Alteration } from '../../harness/recorded-c-chain.js';
import { hasRecordedNode, networksOf, recordedFile } from '../../harness/recorded-node.js';

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

describe.runIf(hasRecordedNode).each(networksOf('network-c'))(
  'what a node of %s says of transactions',
  (network) => {
    const stream = new RecordedStream(
      'internals',
      async (storage) => {
        const { internal_tx: frames } = await dumpFollowed(storage);
        return frames!;
      },
      HEAD,
      network,
    );

    test.each<[string, RegExp, Alteration]>([
      [
        'invents a hash, in blocks and in traces',
        /the hash of a transaction of block \d+ is not 0x1{8}/,
        ofEachList((all) =>
          all.map((each) => ({ ...each, hash: `0x${'1'.repeat(8)}${each.hash.slice(10)}` })),
        ),
      ],
      [
        'leaves out a transaction, in blocks and in traces',
        /has \d+ transactions, which its header contradicts/,
        ofEachList((all) => (all.length > 1 ? all.slice(1) : all)),
      ],
      [
        'has a transaction of a type that the chain does not have',
        /has a transaction of a type that the C-chain does not have/,
        ({ method }, { result }) => {
          if (method !== 'eth_getBlockByNumber') return null;
          const { transactions, ...block } = result as { transactions: (string | Transaction)[] };
          const strange = transactions.map((each) =>
            typeof each === 'string' ? each : { ...each, type: '0x7e' },
          );
          return { result: { ...block, transactions: strange } };
        },
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
    ])('a node that %s is wrong, and another node fills it', async (_does, note, change) => {
      const url = await stream.alter(change);
      expect(await stream.noteOf(url)).toMatch(note);
      for (const row of await stream.dump()) expect(stream.whole).toContainEqual(row);
      await stream.follow(url, stream.node.url);
      expect(await stream.dump()).toEqual(stream.whole);
    });

    /** Hides what transactions called. */
    const hiding: Alteration = ({ method }, { result }) =>
      method === 'debug_traceBlockByNumber'
        ? {
            result: ((result ?? []) as Trace[]).map((each) => ({
              ...each,
              result: { ...each.result, calls: [] },
            })),
          }
        : null;
    const following = (urls: readonly string[], again = false): Promise<Started> =>
      startFollowing(stream.database.storage, {
        urls,
        genesis: recordedFile(network, 'genesis.json'),
        only: ['internals'],
        once: true,
        ...(again && { again: ['internals'] }),
      });

    test('two nodes of which one hides what transactions called: it waits, until they agree', async () => {
      let hides = true;
      const url = await stream.alter((asked, honest) => (hides ? hiding(asked, honest) : null));
      const urls = [url, stream.node.url];
      const said =
        /says that transaction 0x\w+ of block \d+ made other internal transactions than http\S+ says: only one of them can be right/;
      // One block of sixteen is compared.
      for (let turn = 0, isFound = false; turn < 20 && !isFound; turn += 1) {
        const { views, ended } = await following(urls, turn > 0);
        const isEnded = ended.then(() => true);
        while (!isFound && !(await Promise.race([isEnded, sleep(5).then(() => false)])))
          isFound = said.test(views[0]?.note ?? '');
        hides = !isFound;
        expect(await ended).toEqual([]);
        expect(isFound || turn < 19).toBe(true);
      }
      expect(await (await following(urls, true)).ended).toEqual([]);
      expect(await stream.dump()).toEqual(stream.whole);
    });

    test('of three nodes two decide, and the third is not asked for a while', async () => {
      const url = await stream.alter(hiding);
      const [one, two] = [await stream.alter(() => null), await stream.alter(() => null)];
      const { prisma } = stream.database.storage;
      const isAside = async () =>
        (await prisma.followEndpoint.count({ where: { name: url, state: 'aside' } })) > 0;
      let turns = 0;
      do expect(await (await following([url, one, two], turns > 0)).ended).toEqual([]);
      while (!(await isAside()) && (turns += 1) < 20);
      expect(await isAside()).toBe(true);
    });

    test('a node whose traces of a block used other gas has a gap there, and all else is stored', async () => {
      const wrong = 60;
      const params = [`0x${wrong.toString(16)}`, false];
      const block = await fetch(`${stream.node.url}/ext/bc/C/rpc`, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params }),
      });
      const { transactions } = ((await block.json()) as { result: { transactions: string[] } }).result;
      expect(transactions.length).toBeGreaterThan(0);
      const url = await stream.alter(({ method, params }, { result }) => {
        if (!method.startsWith('debug_')) return null;
        const [of] = params as [string];
        const spoil = (frame: Trace['result']) => ({ ...frame, gasUsed: more(frame.gasUsed) });
        if (method === 'debug_traceBlockByNumber' && Number(of) === wrong)
          return { result: (result as Trace[]).map((each) => ({ ...each, result: spoil(each.result) })) };
        if (method !== 'debug_traceTransaction' || !transactions.includes(of)) return null;
        return { result: spoil(result as Trace['result']) };
      });
      await stream.follow(url);
      const { prisma } = stream.database.storage;
      expect(await prisma.followGap.findMany()).toMatchObject([
        {
          height: BigInt(wrong),
          transactions,
          reason: expect.stringMatching(/used \d+ gas, and its header says \d+/) as string,
        },
      ]);
      expect(await prisma.followEndpoint.findMany()).toMatchObject([{ name: url, state: 'ok' }]);
      await stream.follow();
      expect(await stream.dump()).toEqual(stream.whole);
    });

    test('a client that counts the gas of each trace in another way is followed', async () => {
      await stream.follow(await stream.alter(ofTraces(({ gasUsed }) => ({ gasUsed: more(gasUsed) }))));
      expect(await stream.dump()).toEqual(stream.whole);
      const { nextHeight } = await stream.database.storage.prisma.followPipeline.findFirstOrThrow();
      expect(nextHeight).toBe(BigInt(HEAD + 1));
    });
  },
);

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
