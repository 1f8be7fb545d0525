import { describe, expect, test } from 'vitest';
import { until } from '../harness/embedded.js';
import { followOnce, startFollowing } from '../harness/followed.js';
import { dumpFollowed } from '../harness/followed-dump.js';
import { launch } from '../harness/launched.js';
import { chainIdOf, RecordedStream } from '../harness/recorded-c-chain.js';
import { hasRecordedNode, networksOf, recordedFile } from '../harness/recorded-node.js';
import { refusing } from '../harness/refused-trace.js';
import type { Said } from '../harness/scripted-node.js';
import { isInternal, recordedFrames, type RawFrame } from '../harness/trace-truth.js';

/** Heights of which the recording of network A has balances. */
const [EARLY, LATE] = [50, 300];

// Each stream on a network of its own: that of C has balances at its end alone.
describe
  .runIf(hasRecordedNode)
  .each([
    ...networksOf('network-c').map((network) => ['internals', network] as const),
    ['balances', 'network-a'] as const,
  ])('gaps of %s of %s', (name, network) => {
  /** Transactions with internal ones: what is refused is missed. */
  const hashes = new Set(
    recordedFrames(network)
      .filter((each) => isInternal(each) && each.blockNumber <= EARLY && each.frame.to !== undefined)
      .map(({ txHash }) => txHash),
  );
  const [refused = '', other = ''] = hashes;
  const stream = new RecordedStream(
    name,
    async (storage) => {
      const {
        follow_pipeline: position,
        internal_tx: frames,
        evm_balance: balances,
      } = await dumpFollowed(storage);
      return [...position!, ...frames!, ...balances!];
    },
    LATE,
    network,
  );
  const pipeline = `${name}:${chainIdOf[network]}`;
  const gaps = () => stream.database.storage.prisma.followGap.findMany({ orderBy: { height: 'asc' } });
  /** What `moraine follow --gaps` prints. */
  const listed = async () => {
    const listing = launch(['follow', '--gaps'], { DATABASE_URL: stream.database.url });
    expect((await listing.ended).code, listing.output()).toBe(0);
    return listing.output();
  };
  const given = (...urls: string[]) => ({
    urls,
    genesis: recordedFile(network, 'genesis.json'),
    only: [name],
    gapPauses: { least: 20, most: 200 },
  });

  test('a transaction that every node refuses to trace is a gap; all other rows are stored, and its own once a node traces it', async () => {
    const url = await stream.alter(refusing(() => [refused]));
    await stream.follow(url);
    const [gap, ...others] = await gaps();
    expect(others).toEqual([]);
    expect(gap).toMatchObject({ name: pipeline, transactions: [refused] });
    expect(gap?.reason).toMatch(
      /debug_traceTransaction: it could not trace a transaction, although it answers similar calls \(execution timeout\)$/,
    );
    const shown = await listed();
    expect(shown).toContain(`fuji ${pipeline}, block ${gap?.height}: since `);
    expect(shown).toContain(`transaction ${refused}`);
    expect(shown).toContain('execution timeout');
    const dump = await stream.dump();
    const stored = new Set(stream.whole);
    if (name === 'internals') {
      // But for the pipeline's row, which counts failed creations.
      for (const row of dump.slice(1)) expect(stored).toContain(row);
      expect(dump.length).toBeLessThan(stream.whole.length);
    }
    await stream.follow();
    expect(await stream.dump()).toEqual(stream.whole);
    expect(await gaps()).toEqual([]);
    expect(await listed()).toContain('There are no gaps.');
  });

  test('a node that traces it later fills the gap while blocks are followed', async () => {
    const lost = new Set([refused, other]);
    const url = await stream.alter(refusing(() => [...lost]));
    await stream.node.moveHeads({ C: EARLY });
    const following = await startFollowing(stream.database.storage, given(url));
    await until(async () => (await gaps()).length === 2 && (await gaps()).every(({ tries }) => tries >= 3));
    lost.delete(other);
    await until(async () => (await gaps()).length === 1);
    expect((await gaps())[0]?.transactions).toEqual([refused]);
    await stream.node.moveHeads({ C: LATE });
    const isAtHead = async () => {
      const row = await stream.database.storage.prisma.followPipeline.findFirst();
      return row?.nextHeight === BigInt(LATE + 1);
    };
    await until(isAtHead);
    lost.delete(refused);
    await until(async () => (await gaps()).length === 0);
    expect(await following.stop()).toEqual([]);
    expect(await stream.dump()).toEqual(stream.whole);
  });

  test('a node that refuses the block as a whole and traces its transactions one by one leaves no gap', async () => {
    const url = await stream.alter(({ method, params }) =>
      method === 'debug_traceBlockByNumber' && Number((params as [string])[0]) % 7 === 0
        ? { error: { code: -32000, message: 'block is too heavy' } }
        : null,
    );
    await stream.follow(url);
    expect(await gaps()).toEqual([]);
    expect(await stream.dump()).toEqual(stream.whole);
  });

  test('what one node refuses and another one gives is no gap', async () => {
    const url = await stream.alter(refusing(() => [refused]));
    await stream.follow(url, stream.node.url);
    expect(await gaps()).toEqual([]);
    expect(await stream.dump()).toEqual(stream.whole);
  });

  test('a stream that begins again asks for its gaps again', async () => {
    const url = await stream.alter(refusing(() => [refused]));
    await stream.follow(url);
    expect(await gaps()).toHaveLength(1);
    const { storage } = stream.database;
    expect(await followOnce(storage, { ...given(stream.node.url), again: [name] })).toEqual([]);
    expect(await gaps()).toEqual([]);
    expect((await stream.dump()).slice(1)).toEqual(stream.whole.slice(1));
  });

  /** What a node says of a block, or a transaction alone, of which it traces others as they are. */
  const broken: [string, (trace: Record<string, unknown>) => unknown][] = [
    ['null', () => null],
    ['an error that is an object', () => ({ error: { code: -32000, message: 'block is too heavy' } })],
    ['without its frame', ({ result: _, ...rest }) => rest],
    ['of another shape', (trace) => ({ ...trace, result: 'no frame' })],
    ['without a value', ({ result, ...rest }) => ({ ...rest, result: withoutValue(result) })],
    ['without half of an address', ({ result, ...rest }) => ({ ...rest, result: withHalfAddresses(result) })],
    ['in small letters', ({ result, ...rest }) => ({ ...rest, result: inSmallLetters(result) })],
  ];
  const withoutValue = (frame: unknown): object =>
    JSON.parse(JSON.stringify(frame), (name, value: unknown) =>
      name === 'value' ? undefined : value,
    ) as object;
  const withHalfAddresses = (frame: unknown): object =>
    JSON.parse(JSON.stringify(frame).replaceAll(/"from":"0x\w{4}/g, '"from":"0x')) as object;
  const inSmallLetters = (frame: unknown): object =>
    JSON.parse(JSON.stringify(frame), (name, value: unknown) =>
      name === 'type' ? String(value).toLowerCase() : value,
    ) as object;

  test.each(broken)(
    'a trace that is %s is a gap, the node gives all else meanwhile, and nothing is lost',
    async (_, spoil) => {
      const url = await stream.alter(({ method, params }, { result }) => {
        const isIt = method === 'debug_traceTransaction' && (params as [string])[0] === refused;
        if (isIt)
          return {
            result: (spoil({ result }) as { result?: unknown } | null)?.result ?? null,
          };
        const traces = (result ?? []) as { txHash: string; result?: object }[];
        if (method !== 'debug_traceBlockByNumber' || !traces.some(({ txHash }) => txHash === refused))
          return null;
        return { result: traces.map((each) => (each.txHash === refused ? spoil(each) : each)) };
      });
      await stream.follow(url);
      expect(await gaps()).toMatchObject([{ name: pipeline, transactions: [refused] }]);
      // It rests for nothing else.
      const { prisma } = stream.database.storage;
      expect(await prisma.followEndpoint.findMany()).toMatchObject([{ name: url, state: 'ok' }]);
      await stream.follow();
      expect(await gaps()).toEqual([]);
      expect((await stream.dump()).slice(name === 'internals' ? 1 : 0)).toEqual(
        stream.whole.slice(name === 'internals' ? 1 : 0),
      );
    },
  );

  test('a creation that succeeded, and does not say of what, is a gap and not a creation that failed', async () => {
    const isMade = ({ type, error }: Pick<RawFrame, 'type' | 'error'>) =>
      type.startsWith('CREATE') && error === undefined;
    const making = recordedFrames(network).filter(
      ({ blockNumber, frame }) => blockNumber <= LATE && isMade(frame),
    );
    const within = making.filter((each) => each.within.length > 0);
    // Each of them is asked for again and again until it is a gap: a few show the same as all.
    const hidden = new Set([...making.slice(0, 2), ...within.slice(0, 2)].map(({ txHash }) => txHash));
    expect(within.length).toBeGreaterThan(0);
    const nameless = (result: unknown): object =>
      JSON.parse(JSON.stringify(result), (_, value: RawFrame | null) =>
        typeof value === 'object' && typeof value?.type === 'string' && isMade(value)
          ? { ...value, to: undefined }
          : value,
      ) as object;
    const url = await stream.alter(({ method, params }, { result }) => {
      const isHidden = method === 'debug_traceTransaction' && hidden.has((params as [string])[0]);
      if (isHidden) return { result: nameless(result) };
      if (method !== 'debug_traceBlockByNumber' || !result) return null;
      const traces = result as { txHash: string }[];
      return { result: traces.map((each) => (hidden.has(each.txHash) ? nameless(each) : each)) };
    });
    await stream.follow(url);
    const lost = (await gaps()).flatMap(({ transactions }) => transactions);
    expect(lost.sort()).toEqual([...hidden].sort());
    await stream.follow();
    expect(await gaps()).toEqual([]);
    expect((await stream.dump()).slice(name === 'internals' ? 1 : 0)).toEqual(
      stream.whole.slice(name === 'internals' ? 1 : 0),
    );
  });

  test('traces of which one is missing are asked for one by one', async () => {
    const url = await stream.alter(({ method, params }, { result }) =>
      method === 'debug_traceBlockByNumber' && Number((params as [string])[0]) % 7 === 0
        ? { result: (result as unknown[]).slice(1) }
        : null,
    );
    await stream.follow(url);
    expect(await gaps()).toEqual([]);
    expect(await stream.dump()).toEqual(stream.whole);
  });

  test.each<[string, Said]>([
    ['in words that nobody knows', { error: { code: -32000, message: 'the moon is in the wrong house' } }],
    ['with a limit', { error: { code: -32005, message: 'daily request count exceeded' } }],
    ['without the state', { error: { code: -32000, message: 'World state unavailable' } }],
    ['as it answers nothing', { result: null }],
    ['with a code of ours', { error: { code: -32602, message: 'invalid argument 0' } }],
    ['with a status', { status: 400, body: 'no' }],
  ])('a node that refuses all traces %s is waited for: no gap', async (_, said) => {
    const url = await stream.alter(({ method }) => (method.startsWith('debug_') ? said : null));
    await stream.node.moveHeads({ C: EARLY });
    await stream.follow();
    await stream.node.moveHeads({ C: LATE });
    expect(await stream.noteOf(url)).toMatch(/debug_trace(BlockByNumber|Transaction): /);
    expect(await gaps()).toEqual([]);
    await stream.follow();
    expect(await stream.dump()).toEqual(stream.whole);
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
