import { describe, expect, test } from 'vitest';
import { followReader } from '../../../src/follow/status/status.js';
import { probe } from '../../../src/follow/check/probe.js';
import { printProbe } from '../../../src/follow/check/probe-text.js';
import { followOnce, startFollowing } from '../../harness/followed.js';
import { dumpFollowed } from '../../harness/followed-dump.js';
import { until } from '../../harness/embedded.js';
import { openTestNodes } from '../../harness/node-client.js';
import { chainIdOf, lacks, RecordedStream, type Alteration } from '../../harness/recorded-c-chain.js';
import { hasRecordedNode, networksOf, recordedFile } from '../../harness/recorded-node.js';

/** A height of which the recording has balances. */
const LAST = 300;
/**
 * The first block that the node below traces, but for the one after the genesis, whose state every node
 * keeps.
 */
const KEPT = 251;

const refused = { error: { code: -32000, message: 'required historical state unavailable (reexec=0)' } };
/** A node as it is by default, with debug-tracer. */
const prunes: Alteration = ({ method, params }) => {
  if (method !== 'debug_traceBlockByNumber' && method !== 'eth_getBalance') return null;
  const isTrace = method === 'debug_traceBlockByNumber';
  // A trace needs the state before its block.
  const state = isTrace ? Number((params as string[])[0]) - 1 : Number((params as string[])[1]);
  return state > 0 && state < KEPT - 1 ? refused : null;
};

/** A node that answers so many calls of a method with an error. */
const failing = (count: number, method: string, error: object): Alteration => {
  let left = count;
  return (asked) => {
    if (asked.method !== method || left === 0) return null;
    left -= 1;
    return 'code' in error ? { error } : { status: 429, body: 'too many requests' };
  };
};

describe
  .runIf(hasRecordedNode)
  .each([
    ...networksOf('network-a').map((network) => ['internals', network] as const),
    ['balances', 'network-a'] as const,
  ])('%s of %s', (name, network) => {
  const pipeline = `${name}:${chainIdOf[network]}`;
  const stream = new RecordedStream(
    name,
    async (storage) => {
      const { internal_tx: frames, evm_balance: balances } = await dumpFollowed(storage);
      return [...frames!, ...balances!];
    },
    LAST,
    network,
  );
  const given = (...urls: string[]) => ({
    urls,
    genesis: recordedFile(network, 'genesis.json'),
    only: [name],
  });
  const row = () => stream.database.storage.prisma.followPipeline.findFirstOrThrow();
  const said = async () => {
    const reader = followReader(stream.database.storage, () => Date.now());
    return [...(await reader.pipelines()), ...(await reader.leftOut())].map(reader.describe).join('\n');
  };
  const checked = async (url: string) => {
    const nodes = openTestNodes([url]);
    const found = await probe(nodes, {});
    await nodes.close();
    return printProbe(found);
  };

  test('a node that prunes: from its first block on, which --check says; the rest comes from another node by one option', async () => {
    const url = await stream.alter(prunes);
    const text = await checked(url);
    expect(text).toContain('debug-tracer: yes; archive: no');
    expect(text).toMatch(
      new RegExp(`internal transactions of the C-chain +from block ${KEPT}\\n.*--from internals=0`),
    );
    expect(text).toMatch(new RegExp(`balances of the C-chain +from block ${KEPT}\\n.*pruning-enabled`));
    await stream.follow(url);
    expect(await row()).toMatchObject({ firstHeight: BigInt(KEPT), nextHeight: BigInt(LAST + 1) });
    const stored = await stream.dump();
    expect(stored.length).toBeGreaterThan(0);
    // A balance has the one before it in its row.
    if (name === 'internals') expect(stream.whole).toEqual(expect.arrayContaining(stored));
    expect(await said()).toContain(`started at block ${KEPT}: `);
    expect(await said()).toContain(`moraine follow ADDRESS --from ${pipeline}=0 fills them`);
    // A node that keeps the past.
    const all = { ...given(stream.node.url), from: { [name]: 0n } };
    expect(await followOnce(stream.database.storage, all)).toEqual([]);
    expect(await row()).toMatchObject({ firstHeight: 0n, nextHeight: BigInt(LAST + 1) });
    expect(await stream.dump()).toEqual(stream.whole);
    // The same option changes nothing.
    expect(await followOnce(stream.database.storage, all)).toEqual([]);
    expect(await stream.dump()).toEqual(stream.whole);
  });

  test('a stream that waits at a block that no node has kept, and has stored none, begins with the first that one has', async () => {
    const { prisma } = stream.database.storage;
    await stream.node.moveHeads({ C: 1 });
    const following = await startFollowing(stream.database.storage, given(stream.node.url));
    await until(async () => (await prisma.followPipeline.count()) === 1);
    await following.stop();
    await prisma.followPipeline.updateMany({
      data: { firstHeight: 0n, nextHeight: 0n, firstParent: null, lastId: null, memo: {} },
    });
    await stream.node.moveHeads({ C: LAST });
    await stream.follow(await stream.alter(prunes));
    expect(await row()).toMatchObject({ firstHeight: BigInt(KEPT), nextHeight: BigInt(LAST + 1) });
  });

  test.each([
    ['busy', { code: -32000, message: 'database is busy' }],
    ['unknown words', { code: -32000, message: 'the hamster is tired' }],
    ['429', {}],
  ])('errors at the first start decide nothing (%s)', async (_what, error) => {
    for (const method of ['debug_traceBlockByNumber', 'eth_getBalance', 'eth_getBlockByNumber']) {
      const url = await stream.alter(failing(12, method, error));
      await stream.follow(url);
      expect(await row()).toMatchObject({ firstHeight: 0n, nextHeight: BigInt(LAST + 1) });
      expect(await stream.dump()).toEqual(stream.whole);
      await stream.database.storage.prisma.followPipeline.deleteMany();
    }
  });

  test('it is left out only if every node says that it offers no traces; /ready and --check say what fills it', async () => {
    const without = await stream.alter(({ method }) =>
      method === 'debug_traceBlockByNumber' ? lacks(method) : null,
    );
    const busy = await stream.alter(({ method }) =>
      method === 'debug_traceBlockByNumber' ? { error: { code: -32000, message: 'try again' } } : null,
    );
    const offeredWith = async (tokens: readonly string[], ...urls: string[]) => {
      const node = { patienceMs: 100 };
      const all = { ...given(...urls), only: [], node, tokens };
      const following = await startFollowing(stream.database.storage, all);
      const names = following.views.map((view) => view.name as string);
      await following.stop();
      return names;
    };
    const offered = (...urls: string[]) => offeredWith([], ...urls);
    const silent = await stream.alter(({ method }) =>
      method === 'eth_getBlockReceipts' ? lacks(method) : null,
    );
    expect((await offeredWith(['all'], silent)).includes(pipeline)).toBe(name === 'internals');
    expect(await offered(silent)).toContain(pipeline);
    expect(await offered(without, busy)).toContain(pipeline);
    expect(await said()).not.toContain('left out, because no node offers traces');
    expect(await offered(without)).not.toContain(pipeline);
    const why = new RegExp(
      `of the C-chain are left out, because no node offers traces.*; moraine follow ADDRESS --only ${name} fills them`,
    );
    expect(await said()).toMatch(why);
    expect(await checked(without)).toMatch(why);
    await stream.follow();
    expect(await said()).not.toMatch(why);
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
