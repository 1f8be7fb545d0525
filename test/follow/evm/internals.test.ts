import { describe, expect, test } from 'vitest';
import { addresses, frameRow } from '../../harness/evm-rows.js';
import { importRows } from '../../harness/import-rows.js';
import { chainIdOf, HEAD, lacks, RecordedStream, type Alteration } from '../../harness/recorded-c-chain.js';
import type { Storage } from '../../../src/storage/open.js';
import { hasRecordedNode, networksOf } from '../../harness/recorded-node.js';
import type { Said } from '../../harness/scripted-node.js';
import { isInternal, recordedFrames } from '../../harness/trace-truth.js';

describe.runIf(hasRecordedNode).each(networksOf('network-a'))(
  'internal transactions of the C-chain of %s',
  (network) => {
    const chain = chainIdOf[network];
    const dumpOf = async ({ prisma }: Storage): Promise<unknown[]> => {
      const rows = await prisma.internalTx.findMany({
        omit: { id: true },
        orderBy: [{ blockNumber: 'asc' }, { txHash: 'asc' }, { position: 'asc' }, { tie: 'asc' }],
      });
      return rows.map((row) => ({ ...row, value: String(row.value), gasUsed: String(row.gasUsed) }));
    };
    const stream = new RecordedStream('internals', dumpOf, HEAD, network);

    test('are many', () => {
      expect(stream.whole.length).toBeGreaterThan(50);
    });

    test('they replace what files said of the same transactions, with and without a position', async () => {
      await stream.begin();
      // Of blocks that are not stored yet: the first one is.
      const recorded = recordedFrames(network).filter((each) => each.blockNumber > 1);
      const frames = recorded.filter((each) => isInternal(each) && each.blockNumber <= HEAD);
      const [first, second, third] = frames.filter(({ frame }) => frame.to !== undefined);
      const likeNode = ({ txHash, blockNumber, frame }: (typeof frames)[number]) => ({
        txHash,
        blockNumber: String(blockNumber),
        from: { address: frame.from },
        to: { address: frame.to },
        internalTxType: frame.type,
        value: String(BigInt(frame.value ?? 0)),
        gasUsed: String(BigInt(frame.gasUsed)),
        gasLimit: String(BigInt(frame.gas)),
      });
      const plain = recorded.find(
        ({ txHash, within, blockNumber }) =>
          within.length === 0 && blockNumber <= HEAD && !frames.some((each) => each.txHash === txHash),
      )!;
      await importRows(stream.database.storage, `evm.${chain}.internal-transactions.ndjson`, [
        // As it is, but without a position, and the same of another block.
        frameRow(likeNode(first!)),
        frameRow({ ...likeNode(second!), blockNumber: '7', position: second!.position }),
        // Another frame in its place, and one more that does not exist.
        frameRow({
          txHash: third!.txHash,
          blockNumber: String(third!.blockNumber),
          position: third!.position,
          value: '9',
        }),
        frameRow({ txHash: third!.txHash, blockNumber: String(third!.blockNumber), position: 77 }),
        frameRow({ txHash: third!.txHash, blockNumber: String(third!.blockNumber), value: '5' }),
        // Of a transaction that has no internal transactions.
        frameRow({
          txHash: plain.txHash,
          blockNumber: String(plain.blockNumber),
          to: { address: addresses[2] },
        }),
      ]);
      await stream.follow();
      expect(await stream.dump()).toEqual(stream.whole);
    });

    test('a node without debug-tracer: they are left out, and with --only it waits and says why', async () => {
      const url = await stream.alter(({ method }) =>
        method === 'debug_traceBlockByNumber' ? lacks(method) : null,
      );
      expect(await stream.offeredBy(url)).toEqual([
        'p',
        'x-dag',
        'x-vertices',
        'x',
        'c-atomic',
        `nfts:${chain}`,
        `messages:${chain}`,
      ]);
      expect(await stream.noteOf(url)).toContain('debug_traceBlockByNumber: it does not offer this method');
      // With the flag it goes on.
      await stream.follow();
      expect(await stream.dump()).toEqual(stream.whole);
    });

    test.each<[string, Said]>([
      ['an error of a code of ours', { error: { code: -32602, message: 'invalid argument 0' } }],
      ['words that nobody knows', { error: { code: -32000, message: 'the hamster is tired' } }],
    ])('%s instead of the traces of the newest block alone holds up no beginning', async (_, said) => {
      const newest = recordedFrames(network).findLast(({ blockNumber }) => blockNumber <= HEAD)!.blockNumber;
      await stream.node.moveHeads({ C: newest });
      const url = await stream.alter(({ method, params }) =>
        method === 'debug_traceBlockByNumber' && Number((params as [string])[0]) === newest ? said : null,
      );
      await stream.follow(url);
      await stream.node.moveHeads({ C: HEAD });
      await stream.follow();
      expect(await stream.dump()).toEqual(stream.whole);
    });

    test('a node that has dropped the state while the follower was away: it waits and says why, and an archive fills it', async () => {
      await stream.node.moveHeads({ C: 60 });
      await stream.follow();
      await stream.node.moveHeads({ C: HEAD });
      const url = await stream.alter(({ method, params }) =>
        method === 'debug_traceBlockByNumber' && Number((params as [string])[0]) < HEAD - 20
          ? { error: { code: -32000, message: 'missing trie node 0d (path ) state 0x0d is not available' } }
          : null,
      );
      expect(await stream.noteOf(url)).toContain(
        'it does not keep the state of this height; a node with "pruning-enabled": false keeps it',
      );
      expect(await stream.database.storage.prisma.followGap.count()).toBe(0);
      await stream.follow(url, stream.node.url);
      expect(await stream.dump()).toEqual(stream.whole);
    });

    test.each<[string, RegExp, Alteration]>([
      [
        'says that blocks have no transactions',
        /has 0 transactions, which its header contradicts/,
        ({ method }, { result }) =>
          method === 'eth_getBlockByNumber' ? { result: { ...(result as object), transactions: [] } } : null,
      ],
      [
        'changes a header',
        /the hash of block \d+ is not that of its header/,
        ({ method }, { result }) =>
          method === 'eth_getBlockByNumber' ? { result: { ...(result as object), gasUsed: '0x77' } } : null,
      ],
    ])(
      'a node that %s: it waits and says why, nothing wrong is stored, and another node fills it',
      async (_does, note, change) => {
        const url = await stream.alter(change);
        expect(await stream.noteOf(url)).toMatch(note);
        const stored = new Set(stream.whole.map((row) => JSON.stringify(row, bigintAsText)));
        for (const row of await stream.dump()) expect(stored).toContain(JSON.stringify(row, bigintAsText));
        await stream.follow(url, stream.node.url);
        expect(await stream.dump()).toEqual(stream.whole);
      },
    );

    test.each<[string, (traces: object[]) => unknown]>([
      ['leaves out a trace', (traces) => traces.slice(1)],
      [
        'gives the traces of other transactions',
        (traces) => traces.map((each) => ({ ...each, txHash: `0x${'1'.repeat(64)}` })),
      ],
      ['gives none', () => []],
    ])(
      'a node that %s of each block, and traces transactions one by one: nothing is missing',
      async (_does, change) => {
        const url = await stream.alter(({ method }, { result }) =>
          method === 'debug_traceBlockByNumber' ? { result: change((result ?? []) as object[]) } : null,
        );
        await stream.follow(url);
        expect(await stream.database.storage.prisma.followGap.count()).toBe(0);
        expect(await stream.dump()).toEqual(stream.whole);
      },
    );
  },
);

const bigintAsText = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
