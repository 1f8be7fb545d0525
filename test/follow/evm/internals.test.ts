import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import type { StreamName } from '../../../src/config/follow-settings.js';
import { startAlteredNode } from '../../harness/altered-node.js';
import { addresses, frameRow } from '../../harness/evm-rows.js';
import { followOnce, startFollowing } from '../../harness/followed.js';
import { createImportPlace, type ImportPlace } from '../../harness/ingest.js';
import { importRows } from '../../harness/import-rows.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../../harness/recorded-node.js';
import type { Asked, Said, ScriptedNode } from '../../harness/scripted-node.js';
import { isInternal, recordedFrames } from '../../harness/trace-truth.js';

const genesis = recordedFile('network-a', 'genesis.json');
const CHAIN = '43337';
const HEAD = 120;
const only: StreamName[] = ['internals'];

describe.runIf(hasRecordedNode)('internal transactions of a recorded C-chain', () => {
  let node: RecordedNode;
  let whole: unknown[];
  let place: ImportPlace;
  const altered: ScriptedNode[] = [];

  beforeAll(async () => {
    node = await startRecordedNode('network-a', { heads: { C: HEAD } });
    place = await createImportPlace();
    expect(await followOnce(place.storage, { urls: [node.url], genesis, only })).toEqual([]);
    whole = await dump();
    expect(whole.length).toBeGreaterThan(50);
    await place.close();
  });

  afterEach(async () => {
    for (const each of altered.splice(0)) await each.close();
    await place.close();
  });

  afterAll(async () => {
    await node.close();
    adoptIdentities({});
  });

  /** All frames, without row ids. */
  async function dump(): Promise<unknown[]> {
    const rows = await place.storage.prisma.internalTx.findMany({
      omit: { id: true },
      orderBy: [{ blockNumber: 'asc' }, { txHash: 'asc' }, { position: 'asc' }, { tie: 'asc' }],
    });
    return rows.map((row) => ({ ...row, value: String(row.value), gasUsed: String(row.gasUsed) }));
  }

  async function alter(change: (asked: Asked, honest: Record<string, unknown>) => Said | null) {
    const other = await startAlteredNode(node.url, change);
    altered.push(other);
    return other.url;
  }

  /** Follows until the pipeline says that it waits; gives its note. */
  async function noteOf(url: string): Promise<string> {
    const patience = { patienceMs: 50 };
    const following = await startFollowing(place.storage, { urls: [url], genesis, only, node: patience });
    while (following.views[0]?.note === null || following.views[0]?.note === undefined) await sleep(10);
    const note = following.views[0].note;
    await following.stop();
    return note;
  }

  test('they replace what files said of the same transactions, with and without a position', async () => {
    place = await createImportPlace();
    await node.moveHeads({ C: 1 });
    expect(await followOnce(place.storage, { urls: [node.url], genesis, only })).toEqual([]);
    await node.moveHeads({ C: HEAD });
    const frames = recordedFrames('network-a').filter((each) => isInternal(each) && each.blockNumber <= HEAD);
    const [first, second, third] = frames.filter(({ frame }) => frame.to !== undefined);
    const likeNode = ({ txHash, blockNumber, frame }: (typeof frames)[number]) => ({
      ...{
        txHash,
        blockNumber: String(blockNumber),
        from: { address: frame.from },
        to: { address: frame.to },
      },
      ...{ internalTxType: frame.type, value: String(BigInt(frame.value ?? 0)) },
      ...{ gasUsed: String(BigInt(frame.gasUsed)), gasLimit: String(BigInt(frame.gas)) },
    });
    const plain = recordedFrames('network-a').find(
      ({ txHash, within, blockNumber }) =>
        within.length === 0 && blockNumber <= HEAD && !frames.some((each) => each.txHash === txHash),
    )!;
    await importRows(place.storage, `evm.${CHAIN}.internal-transactions.ndjson`, [
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
    expect(await followOnce(place.storage, { urls: [node.url], genesis, only })).toEqual([]);
    expect(await dump()).toEqual(whole);
  });

  test('a node without debug-tracer: they are left out, and with --only it waits and says why', async () => {
    place = await createImportPlace();
    const url = await alter(({ method }) =>
      method === 'debug_traceBlockByNumber'
        ? { error: { code: -32601, message: `the method ${method} does not exist/is not available` } }
        : null,
    );
    const following = await startFollowing(place.storage, { urls: [url], genesis });
    const names = following.views.map(({ name }) => name);
    await following.stop();
    expect(names).toEqual(['p', 'x-dag', 'x-vertices', 'x', 'c-atomic', `logs:${CHAIN}`]);
    expect(await noteOf(url)).toContain('debug_traceBlockByNumber: it does not offer this method');
    // With the flag it goes on.
    expect(await followOnce(place.storage, { urls: [node.url], genesis, only })).toEqual([]);
    expect(await dump()).toEqual(whole);
  });

  test('a node that keeps no state of the past: from the next block on', async () => {
    place = await createImportPlace();
    const recent = HEAD - 20;
    const url = await alter(({ method, params }) =>
      method === 'debug_traceBlockByNumber' && Number((params as [string])[0]) < recent
        ? { error: { code: -32000, message: 'missing trie node 0d (path ) state 0x0d is not available' } }
        : null,
    );
    expect(await followOnce(place.storage, { urls: [url], genesis, only })).toEqual([]);
    const pipeline = await place.storage.prisma.followPipeline.findFirstOrThrow();
    expect(pipeline).toMatchObject({ name: `internals:${CHAIN}`, firstHeight: BigInt(HEAD + 1) });
    expect(await dump()).toEqual([]);
  });

  test.each<[string, RegExp, (asked: Asked, honest: Record<string, unknown>) => Said | null]>([
    [
      'leaves out a trace',
      /traces were given for the \d+ transactions of a block/,
      ({ method }, { result }) =>
        method === 'debug_traceBlockByNumber' ? { result: (result as unknown[])?.slice(1) ?? [] } : null,
    ],
    [
      'gives the traces of another block',
      /is that of 0x|traces were given/,
      ({ method }, { result }) =>
        method === 'debug_traceBlockByNumber'
          ? {
              result: ((result ?? []) as object[]).map((each) => ({
                ...each,
                txHash: `0x${'1'.repeat(64)}`,
              })),
            }
          : null,
    ],
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
    [
      'gives a frame without an address',
      /cannot be read: from of a frame is not an address/,
      ({ method }, { result }) =>
        method === 'debug_traceBlockByNumber'
          ? { result: JSON.parse(JSON.stringify(result ?? []).replaceAll(/"from":"0x\w{4}/g, '"from":"0x')) }
          : null,
    ],
    [
      'has not traced a transaction',
      /it has not traced a transaction \(transaction 0x\w{64}: execution timeout\)/,
      ({ method }, { result }) =>
        method === 'debug_traceBlockByNumber' && (result as unknown[] | undefined)?.length
          ? {
              result: [
                { ...(result as object[])[0], result: undefined, error: 'execution timeout' },
                ...(result as object[]).slice(1),
              ],
            }
          : null,
    ],
  ])(
    'a node that %s: it waits and says why, nothing wrong is stored, and another node fills it',
    async (_does, note, change) => {
      place = await createImportPlace();
      const url = await alter(change);
      expect(await noteOf(url)).toMatch(note);
      const stored = new Set(whole.map((row) => JSON.stringify(row, bigintAsText)));
      for (const row of await dump()) expect(stored).toContain(JSON.stringify(row, bigintAsText));
      expect(await followOnce(place.storage, { urls: [url, node.url], genesis, only })).toEqual([]);
      expect(await dump()).toEqual(whole);
    },
  );
});

const bigintAsText = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
