import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withChecksum } from '../../src/avalanche/cb58.js';
import { decodePBlock } from '../../src/avalanche/codec/block.js';
import { evmHeaderHash } from '../../src/avalanche/codec/evm-header.js';
import type { EvmHeader } from '../../src/follow/node/evm-apis.js';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import type { Storage } from '../../src/storage/open.js';
import { callsOf } from '../avalanche/codec/recorded.js';
import { startAlteredNode } from '../harness/altered-node.js';
import { createPool, poolOf, storageOn } from '../harness/connections.js';
import { createDatabase, type Filling, type TestDatabase } from '../harness/database.js';
import { until } from '../harness/embedded.js';
import { dumpFollowed, dumpOf } from '../harness/followed-dump.js';
import { followOnce, followUntilWaiting, networkFilling, startFollowing } from '../harness/followed.js';
import { createImportDatabase } from '../harness/ingest.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../harness/recorded-node.js';
import type { Asked, Said, ScriptedNode } from '../harness/scripted-node.js';
import { isInternal, recordedFrames } from '../harness/trace-truth.js';

/** Where the time of a block is: after its codec version and type. */
const TIME = 6;
/** Where the tests begin, the newest block, and one before it; proposals and their decisions are between. */
const [BEGUN, NEWEST, BEFORE] = [2081, 2119, 2117];

/** Another block of right form, with the same parent: a second later. */
function laterBlock(block: string): string {
  const bytes = Buffer.from(block.slice(2), 'hex').subarray(0, -4);
  bytes.writeBigUInt64BE(bytes.readBigUInt64BE(TIME) + 1n, TIME);
  return `0x${Buffer.from(withChecksum(bytes)).toString('hex')}`;
}

/** The block with another owner of the first output of its first transaction: both have other ids by that. */
function inventedBlock(block: string): string {
  const bytes = Buffer.from(block.slice(2), 'hex').subarray(0, -4);
  const [transaction] = decodePBlock(bytes).transactions;
  const [owner] = transaction!.outputs[0]!.output.owners.addresses;
  const at = bytes.indexOf(owner!);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return `0x${Buffer.from(withChecksum(bytes)).toString('hex')}`;
}

type Lie = (asked: Asked, honest: Record<string, unknown>) => Said | null;

const heightIn = ({ params }: Asked) => Number((params as { height: string }).height);

/** It has another block at a height. */
const otherBlock =
  (height: number, other = laterBlock): Lie =>
  (asked, { result }) => {
    if (asked.method !== 'platform.getBlockByHeight' || heightIn(asked) !== height) return null;
    const said = result as { block: string };
    return { result: { ...said, block: other(said.block) } };
  };

/** It names a head that it does not have. */
const tooHigh: Lie = ({ method }) =>
  method === 'platform.getHeight' ? { result: { height: String(NEWEST + 1000) } } : null;

const begun: Filling = {
  name: `network_a_p_${BEGUN}`,
  async fill(storage) {
    const node = await startRecordedNode('network-a', { heads: { P: BEGUN } });
    const genesis = recordedFile('network-a', 'genesis.json');
    const [stopped] = await followOnce(storage, { urls: [node.url], genesis, only: ['p'] });
    await node.close();
    if (stopped) throw stopped.why;
  },
};

describe.runIf(hasRecordedNode)('the newest block', () => {
  /** All of the chain, and less. */
  let [node, behind]: RecordedNode[] = [];
  let liar: ScriptedNode;
  let lie: Lie | null;
  let database: TestDatabase;
  let storage: Storage;
  let whole: Record<string, unknown[]>;
  const given = { genesis: recordedFile('network-a', 'genesis.json'), only: ['p'] as const };
  const client = { patienceMs: 200 };
  const next = async () => (await storage.prisma.followPipeline.findFirst())?.nextHeight;

  beforeAll(async () => {
    whole = await dumpOf(networkFilling('network-a', ['p']));
    node = await startRecordedNode('network-a');
    behind = await startRecordedNode('network-a', { heads: { P: BEFORE } });
    liar = await startAlteredNode(node.url, (asked, honest) => lie?.(asked, honest) ?? null);
  });
  beforeEach(async () => {
    lie = null;
    database = await createDatabase({ filling: begun });
    storage = storageOn(createPool(database.url, 8));
  });
  afterEach(async () => {
    await poolOf(storage).end();
    await database.drop();
  });
  afterAll(async () => {
    await Promise.all([liar.close(), node!.close(), behind!.close()]);
    adoptIdentities({});
  });

  test('is that of most nodes, where one of them has another', async () => {
    lie = otherBlock(NEWEST);
    const urls = [liar.url, node!.url, node!.url];
    expect(await followOnce(storage, { ...given, urls, node: client })).toEqual([]);
    expect(await dumpFollowed(storage)).toEqual(whole);
  });

  test('is awaited while one of two nodes alone has it, and not stored while they contradict each other', async () => {
    lie = otherBlock(NEWEST);
    const urls = [liar.url, behind!.url];
    const { views, stop } = await startFollowing(storage, { ...given, urls, node: client });
    const looks = () => liar.asked.filter(({ method }) => method === 'platform.getHeight').length;
    await until(async () => (await next()) === BigInt(BEFORE) + 1n);
    const before = looks();
    await until(() => Promise.resolve(looks() >= before + 4));
    expect(await next()).toBe(BigInt(BEFORE) + 1n);
    await behind!.moveHeads({ P: NEWEST });
    await until(() => Promise.resolve(/another block 2119 of p/.test(views[0]?.note ?? '')));
    expect(views[0]?.note).toContain('only one of them can be right');
    expect(await next()).toBe(BigInt(BEFORE) + 1n);
    lie = null;
    await until(async () => (await next()) === BigInt(NEWEST) + 1n);
    expect(await stop()).toEqual([]);
    expect(await dumpFollowed(storage)).toEqual(whole);
    await behind!.moveHeads({ P: BEFORE });
  });

  test('is followed from one of two nodes if the other one stays behind', async () => {
    await behind!.moveHeads({ P: BEGUN + 20 });
    const urls = [behind!.url, node!.url];
    const patient = { ...client, loneHeadMs: 100 };
    expect(await followOnce(storage, { ...given, urls, node: patient })).toEqual([]);
    expect(await dumpFollowed(storage)).toEqual(whole);
    await behind!.moveHeads({ P: BEFORE });
  });

  test('is the one that an only node gives twice: another, which it gives once, is not stored', async () => {
    let lies = 0;
    lie = (...said) => {
      const other = otherBlock(NEWEST)(...said);
      if (other) lies += 1;
      return lies === 1 ? other : null;
    };
    expect(await followOnce(storage, { ...given, urls: [liar.url], node: client })).toEqual([]);
    expect(lies).toBeGreaterThan(1);
    expect(await dumpFollowed(storage)).toEqual(whole);
  });

  test.each([
    ['the only node', () => [liar.url]],
    ['one of two nodes', () => [liar.url, node!.url]],
  ])('is the highest that is given, if %s names one that nobody has', async (_name, urlsOf) => {
    lie = tooHigh;
    const signal = AbortSignal.timeout(60_000);
    const options = { ...given, urls: urlsOf(), node: { ...client, loneHeadMs: 100 }, signal };
    expect(await followOnce(storage, options)).toEqual([]);
    expect(signal.aborted).toBe(false);
    expect(await dumpFollowed(storage)).toEqual(whole);
  });

  test('is where a chain is begun with now, not at a height that nobody has', async () => {
    await storage.prisma.followPipeline.deleteMany();
    lie = tooHigh;
    const started = { ...given, urls: [liar.url], node: client, from: { p: 'now' } as const };
    const { views, stop } = await startFollowing(storage, started);
    await until(() => Promise.resolve(/no node has given block 3119, which/.test(views[0]?.note ?? '')));
    lie = null;
    await until(async () => (await next()) === BigInt(NEWEST) + 1n);
    expect(await stop()).toEqual([]);
    expect((await storage.prisma.followPipeline.findFirst())?.firstHeight).toBe(BigInt(NEWEST) + 1n);
  });

  test('before others that fail is not stored until the next one proves it', async () => {
    const [first, other] = [BEGUN + 33, otherBlock(BEGUN + 32)];
    lie = (asked, honest) =>
      asked.method === 'platform.getBlockByHeight' && heightIn(asked) >= first
        ? { error: { code: -32000, message: 'database is busy' } }
        : other(asked, honest);
    await followUntilWaiting(storage, { ...given, urls: [liar.url] }, /getBlockByHeight/);
    // The last one of right form ends a proposal.
    expect(await next()).toBe(BigInt(first) - 2n);
    expect(await followOnce(storage, { ...given, urls: [node!.url] })).toEqual([]);
    expect(await dumpFollowed(storage)).toEqual(whole);
  });
});

test.runIf(hasRecordedNode)('of the C-chain, the newest block is that of most nodes too', async () => {
  const whole = await dumpOf(networkFilling('network-a', ['c-atomic']));
  const node = await startRecordedNode('network-a', { heads: { C: 549 } });
  const liar = await startAlteredNode(node.url, ({ method, params }, { result }) => {
    if (method !== 'eth_getBlockByNumber' || (params as unknown[])[0] !== '0x226') return null;
    const block = { ...(result as EvmHeader), extraData: '0x01' };
    return { result: { ...block, hash: evmHeaderHash(block) } };
  });
  const database = await createImportDatabase();
  const given = { genesis: recordedFile('network-a', 'genesis.json'), only: ['c-atomic'] as const };
  try {
    expect(await followOnce(database.storage, { ...given, urls: [node.url] })).toEqual([]);
    await node.moveHeads({ C: 550 });
    const urls = [liar.url, node.url, node.url];
    expect(await followOnce(database.storage, { ...given, urls, node: { patienceMs: 200 } })).toEqual([]);
    expect(await dumpFollowed(database.storage)).toEqual(whole);
  } finally {
    await Promise.all([liar.close(), node.close()]);
    await database.close();
    adoptIdentities({});
  }
});

/** A block that has a transaction with outputs. */
const INVENTED = 1301;

test.runIf(hasRecordedNode)(
  'what the only node invented at its head is named by the next one, and --again replaces it',
  async () => {
    const whole = await dumpOf(networkFilling('network-a', ['p']));
    const node = await startRecordedNode('network-a', { heads: { P: INVENTED } });
    const liar = await startAlteredNode(node.url, otherBlock(INVENTED, inventedBlock));
    const database = await createImportDatabase();
    const given = { genesis: recordedFile('network-a', 'genesis.json'), only: ['p'] as const };
    try {
      expect(await followOnce(database.storage, { ...given, urls: [liar.url] })).toEqual([]);
      await node.moveHeads({ P: NEWEST });
      const honest = { ...given, urls: [node.url] };
      const { p } = await followUntilWaiting(database.storage, honest, /than this database/);
      expect(p).toContain('--again p');
      expect(await followOnce(database.storage, { ...honest, again: ['p'] })).toEqual([]);
      const { address: known, ...found } = await dumpFollowed(database.storage);
      const { address: wanted, ...rest } = whole;
      expect(found).toEqual(rest);
      // An owner of nothing, which no list shows.
      expect(known).toHaveLength(wanted!.length + 1);
    } finally {
      await Promise.all([liar.close(), node.close()]);
      await database.close();
      adoptIdentities({});
    }
  },
);

test.runIf(hasRecordedNode)(
  'internal transactions that the only node invented at its head are taken back with --again internals',
  async () => {
    const network = 'network-c';
    const [at, end] = [100, 110];
    // The node says that the transactions of a later block are those of its head.
    const { blockNumber: later } = recordedFrames(network).find(
      (each) => isInternal(each) && each.frame.to !== undefined && each.blockNumber > end,
    )!;
    const recorded = (wanted: string) =>
      callsOf(network, 'c').find(
        ({ method, args }) => method === wanted && Number((args as unknown as [string])[0]) === later,
      )!.result as unknown;
    const { transactions, transactionsRoot, gasUsed } = recorded('eth_getBlockByNumber') as EvmHeader & {
      transactions: { hash: string }[];
    };
    const node = await startRecordedNode(network, { heads: { C: at } });
    const liar = await startAlteredNode(node.url, ({ method, params }, { result }) => {
      const isTrace = method === 'debug_traceBlockByNumber';
      if (!isTrace && method !== 'eth_getBlockByNumber') return null;
      const [height, isWhole] = params as [string, boolean];
      if (Number(height) !== at) return null;
      if (isTrace) return { result: recorded(method) };
      const block = { ...(result as EvmHeader), transactionsRoot, gasUsed } as EvmHeader;
      const listed = isWhole ? transactions : transactions.map(({ hash }) => hash);
      return { result: { ...block, hash: evmHeaderHash(block), transactions: listed } };
    });
    const [database, own] = [await createImportDatabase(), await createImportDatabase()];
    const given = { genesis: recordedFile(network, 'genesis.json'), only: ['internals'] as const };
    try {
      expect(await followOnce(database.storage, { ...given, urls: [liar.url] })).toEqual([]);
      const invented = { where: { blockNumber: BigInt(at) } };
      expect(await database.storage.prisma.internalTx.count(invented)).toBeGreaterThan(0);
      await node.moveHeads({ C: end });
      const honest = { ...given, urls: [node.url] };
      const notes = await followUntilWaiting(database.storage, honest, /than this database/);
      expect(Object.values(notes)[0]).toContain('--again internals');
      expect(await followOnce(database.storage, { ...honest, again: ['internals'] })).toEqual([]);
      expect(await followOnce(own.storage, honest)).toEqual([]);
      expect(await dumpFollowed(database.storage)).toEqual(await dumpFollowed(own.storage));
    } finally {
      await Promise.all([liar.close(), node.close()]);
      await Promise.all([database.close(), own.close()]);
      adoptIdentities({});
    }
  },
);

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
