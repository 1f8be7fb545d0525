import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { callsOf } from '../../src/follow/evm/frames.js';
import { provedTraces } from '../../src/follow/evm/proved-traces.js';
import { openEvm } from '../../src/follow/node/nodes.js';
import { startAlteredNode } from '../harness/altered-node.js';
import { hasAnvil, startAnvil, type Anvil } from '../harness/anvil.js';
import { assemble, creates, deploying, nftProgram, sends } from '../harness/evm-code.js';
import { excerptGenesis, startExcerptNode } from '../harness/excerpt-node.js';
import { followOnce, startFollowing } from '../harness/followed.js';
import { dumpFollowed } from '../harness/followed-dump.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import { shortPauses } from '../harness/node-client.js';
import { lacks as offersNot, type Alteration } from '../harness/recorded-c-chain.js';
import { refusing } from '../harness/refused-trace.js';
import type { Asked, Said, ScriptedNode } from '../harness/scripted-node.js';

const CHAIN = 778;
const internals = `internals:${CHAIN}`;
/** Milliseconds of silence after which a call has failed; of a trace six times as long. */
const SILENCE_MS = 150;
const silence: Said = { write: () => undefined };
const word = (value: bigint | number) => value.toString(16).padStart(64, '0');

describe.runIf(hasAnvil)('gaps of a chain of an L1', () => {
  let anvil: Anvil;
  let node: Awaited<ReturnType<typeof startExcerptNode>>;
  let database: ImportDatabase;
  let whole: unknown[];
  /** Of the block with three transactions. */
  let height: number;
  let hashes: [string, string, string];
  const altered: ScriptedNode[] = [];

  const given = (url: string, more: object = {}) => ({
    urls: [node.url],
    genesis: excerptGenesis,
    only: ['c-atomic' as const],
    l1: [url],
    l1Only: ['internals' as const, 'nfts' as const],
    gapPauses: { least: 20, most: 200 },
    ...more,
  });
  const follow = (url: string, more: object = {}) => followOnce(database.storage, given(url, more));
  const alter = async (change: Alteration) => {
    const other = await startAlteredNode(anvil.url, change);
    altered.push(other);
    return other.url;
  };
  const gaps = () => database.storage.prisma.followGap.findMany({ orderBy: { height: 'asc' } });
  async function dump(): Promise<unknown[]> {
    const {
      internal_tx: frames,
      nft_token: tokens,
      follow_pipeline: pipelines,
    } = await dumpFollowed(database.storage);
    return [...frames!, ...tokens!, ...pipelines!.filter((row) => String(row).includes(String(CHAIN)))];
  }
  /** Follows until a stream says that it waits; gives its note. */
  async function noteOf(url: string, name: string, options: object = { patienceMs: 50 }): Promise<string> {
    const following = await startFollowing(database.storage, given(url, { node: options }));
    const view = () => following.views.find((each) => each.name === name);
    while (view()?.note === null || view()?.note === undefined) await sleep(10);
    const { note } = view()!;
    await following.stop();
    return note!;
  }

  beforeAll(async () => {
    [anvil, node] = await Promise.all([startAnvil(CHAIN), startExcerptNode({ C: 5 })]);
    const [account] = await anvil.call<[string]>('eth_accounts');
    const send = (transaction: object) =>
      anvil.call<string>('eth_sendTransaction', {
        from: account,
        gas: '0x4c4b40',
        value: '0x64',
        ...transaction,
      });
    const mined = async (hash: string) => {
      for (;;) {
        const receipt = await anvil.call<{ contractAddress: string; blockNumber: string } | null>(
          'eth_getTransactionReceipt',
          hash,
        );
        if (receipt) return receipt;
        await sleep(2);
      }
    };
    // Each has a frame that counts, and one a creation that fails without an address.
    const pays = { data: `0x${assemble(...sends('0x5555', 1))}` };
    const fails = {
      data: `0x${assemble(...creates(assemble(0, 0, 'REVERT'), 3, null), ...sends('0x5555', 2))}`,
    };
    const { contractAddress: nft } = await mined(
      await send({ data: `0x${deploying(nftProgram())}`, value: '0x0' }),
    );
    const moves = (id: number) => ({ to: nft, data: `0x${word(id)}${word(7)}`, value: '0x0' });
    for (let turn = 0; turn < 6; turn += 1)
      for (const each of [pays, fails, moves(turn)]) await mined(await send(each));
    await anvil.call('evm_setAutomine', false);
    const three = [await send(pays), await send(fails), await send(pays)];
    await anvil.call('evm_mine');
    await anvil.call('evm_setAutomine', true);
    height = Number((await mined(three[1]!)).blockNumber);
    hashes = three as typeof hashes;
    for (let turn = 0; turn < 3; turn += 1) await mined(await send(pays));
    database = await createImportDatabase();
    expect(await follow(anvil.url)).toEqual([]);
    whole = await dump();
    await database.close();
  });
  beforeEach(async () => {
    database = await createImportDatabase();
  });
  afterEach(async () => {
    await Promise.all(altered.splice(0).map((each) => each.close()));
    await database.close();
  });
  afterAll(async () => {
    await Promise.all([anvil?.close(), node?.close()]);
    adoptIdentities({});
  });

  /** Follows the honest node: what was lacking is filled. */
  async function expectFilled(): Promise<void> {
    expect(await follow(anvil.url)).toEqual([]);
    expect(await gaps()).toEqual([]);
    expect(await dump()).toEqual(whole);
  }
  /** All but the rows of the pipelines, which count failed creations. */
  const framesOf = (rows: readonly unknown[]) => rows.filter((row) => String(row).startsWith('{'));

  test('a transaction whose traces fail is a gap; the others of its block are stored, and its own rows later', async () => {
    const [, refused] = hashes;
    expect(await follow(await alter(refusing(() => [refused])))).toEqual([]);
    expect(await gaps()).toMatchObject([
      { name: internals, height: BigInt(height), transactions: [refused] },
    ]);
    const stored = new Set(framesOf(whole));
    const rows = framesOf(await dump());
    for (const row of rows) expect(stored).toContain(row);
    expect(rows.length).toBe(stored.size - 1);
    await expectFilled();
  });

  test('what a node refuses of a block with a gap, but gave before, is no gap', async () => {
    const [first, second] = hashes;
    expect(await follow(await alter(refusing(() => [second])))).toEqual([]);
    expect(await gaps()).toHaveLength(1);
    expect(await follow(await alter(refusing(() => [first])))).toEqual([]);
    expect(await gaps()).toEqual([]);
    expect(await dump()).toEqual(whole);
  });

  /** Whether a call asks for the trace of a transaction, alone or with its block. */
  const tracesIt = ({ method, params }: Asked, hash: string) => {
    const [of] = params as [string];
    return (
      (method === 'debug_traceBlockByNumber' && Number(of) === height) ||
      (method === 'debug_traceTransaction' && of === hash)
    );
  };

  test('a trace that never ends is a gap, because the node traces others meanwhile', async () => {
    const [, endless] = hashes;
    const url = await alter((asked) => (tracesIt(asked, endless) ? silence : null));
    expect(await follow(url, { node: { timeoutMs: SILENCE_MS } })).toEqual([]);
    const [gap, ...others] = await gaps();
    expect(others).toEqual([]);
    expect(gap).toMatchObject({ name: internals, height: BigInt(height), transactions: [endless] });
    expect(gap?.reason).toMatch(
      /debug_traceTransaction: no answer in time, although it answers similar calls/,
    );
    expect(framesOf(await dump())).toHaveLength(framesOf(whole).length - 1);
    await expectFilled();
  });

  test('the transactions of a block are asked for one by one in a bounded time; what did not come by then is lacking', async () => {
    const [given, ...slow] = hashes;
    const url = await alter(({ method, params }) => {
      if (method === 'debug_traceBlockByNumber')
        return { error: { code: -32000, message: 'tracing failed: the block is too heavy' } };
      const [of] = params as [string];
      return method === 'debug_traceTransaction' && of !== given ? silence : null;
    });
    const nodes = openEvm([url], null, { log: pino({ level: 'silent' }), pauses: shortPauses });
    try {
      const asked = { height: BigInt(height), hashes };
      const { traces, missing: lacks } = await provedTraces(
        nodes,
        asked,
        callsOf,
        new AbortController().signal,
        { mostMs: 3000 },
      );
      expect(traces.map(({ hash }) => hash)).toEqual([given]);
      expect(lacks).toMatchObject({ transactions: slow });
      expect(lacks?.reason).toMatch(/^it was not traced in the 3 seconds in which/);
    } finally {
      await nodes.close();
    }
  });

  test('a node that traces nothing more in time is waited for, and names its head all the while', async () => {
    let isStuck = false;
    const url = await alter(({ method, params }) => {
      // The last block before it is the last that is traced.
      if (method === 'debug_traceBlockByNumber' && Number((params as [string])[0]) === height) isStuck = true;
      return isStuck && method.startsWith('debug_') ? silence : null;
    });
    const options = { timeoutMs: SILENCE_MS, patienceMs: 500, concurrency: 1 };
    expect(await noteOf(url, internals, options)).toMatch(/debug_traceBlockByNumber: no answer in time/);
    expect(await gaps()).toEqual([]);
    await expectFilled();
  });

  test('a node that does not have a block yet of which it traces one transaction is waited for, and nothing is lost', async () => {
    const [refused, , last] = hashes;
    const refuses = refusing(() => [refused]);
    const url = await alter((asked, honest) =>
      asked.method === 'debug_traceTransaction' && (asked.params as [string])[0] === last
        ? { error: { code: -32000, message: 'cannot query unfinalized data' } }
        : refuses(asked, honest),
    );
    // Which transaction is asked for first is random; where the block is the first that is read, the note
    // says what was refused.
    for (let run = 0; run < 5; run += 1)
      expect(await noteOf(url, internals)).toMatch(
        /^no node has given block \d+, although|debug_traceTransaction: it has not accepted this height yet/,
      );
    expect(await gaps()).toEqual([]);
    await expectFilled();
  });

  const pruned: Said = {
    error: { code: -32000, message: 'missing trie node 0d (path ) state 0x0d is not available' },
  };
  test.each<[does: string, stream: string, note: RegExp, change: Alteration]>([
    [
      'has pruned the state of a block',
      internals,
      /it does not keep the state of this height/,
      ({ method, params }) =>
        method === 'debug_traceBlockByNumber' && Number((params as [string])[0]) === height ? pruned : null,
    ],
    [
      'does not offer traces any more',
      internals,
      /debug_traceBlockByNumber: it does not offer this method/,
      ({ method, params }) =>
        method === 'debug_traceBlockByNumber' && Number((params as [string])[0]) > 1
          ? offersNot(method)
          : null,
    ],
  ])(
    'a node that %s is waited for: no gap, nothing wrong, and another node fills it',
    async (_, stream, note, change) => {
      expect(await noteOf(await alter(change), stream)).toMatch(note);
      expect(await gaps()).toEqual([]);
      const stored = new Set(framesOf(whole));
      for (const row of framesOf(await dump())) expect(stored).toContain(row);
      await expectFilled();
    },
  );
});

test.runIf(!hasAnvil)('npm has no Anvil for this machine', () => {
  expect(hasAnvil).toBe(false);
});
