import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toHex } from '../../src/avalanche/hex.js';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { hasAnvil, startAnvil, type Anvil } from '../harness/anvil.js';
import { createApp, type TestApp } from '../harness/app.js';
import { EvmActor, wordOf } from '../harness/evm-actor.js';
import { startExcerptNode, excerptGenesis } from '../harness/excerpt-node.js';
import { followOnce, followUntilWaiting, type ToFollow } from '../harness/followed.js';
import { dumpFollowed } from '../harness/followed-dump.js';
import { Random } from '../harness/random.js';
import { framesOfTrace, isInternal, type RawFrame } from '../harness/trace-truth.js';

const CHAIN = 4321;
const [DAYS, TURNS] = [6, 70];
const NOBODY = `0x${'0'.repeat(40)}`;
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** A day with blocks, and its last one. */
interface Day {
  readonly date: string;
  readonly height: string;
}

const dailyQuery = `query ($chainId: String!, $address: String!, $contract: String, $first: String!, $last: String!) {
  evmAddress(chainId: $chainId, address: $address) {
    dailyBalances(contract: $contract, firstDate: $first, lastDate: $last) { nodes { timestamp balance } }
  }
}`;
const holdersQuery = `query ($chainId: String!, $contract: String!, $date: String!) {
  compositeQuery(operator: AND, first: 1000, queries: [
    { allTimeNftHolders: { id: "day", evmChainId: $chainId, contractAddress: $contract, firstDate: $date, lastDate: $date } }
  ]) { nodes }
}`;

describe.runIf(hasAnvil)(`an EVM chain on which much happens for some days (SEED=${seed})`, () => {
  let anvil: Anvil;
  let actor: EvmActor;
  let node: Awaited<ReturnType<typeof startExcerptNode>>;
  let gateway: TestApp;
  let everybody: string[];
  let days: Day[];
  let whole: Awaited<ReturnType<typeof dumpFollowed>>;

  const given = (more: Partial<ToFollow> = {}): ToFollow => ({
    urls: [node.url],
    genesis: excerptGenesis,
    only: ['c-atomic'],
    l1: [anvil.url],
    tokens: Object.values(actor.tokens),
    ...more,
  });
  const blockAt = (height: number) =>
    anvil.call<{ number: string; timestamp: string; transactions: string[]; miner: string }>(
      'eth_getBlockByNumber',
      `0x${height.toString(16)}`,
      false,
    );
  /** `balanceOf` of an owner, or of an owner and an id, after a block. */
  const balanceOf = async (contract: string, height: string, owner: string, id?: number): Promise<bigint> => {
    const data = id === undefined ? `0x70a08231${wordOf(owner)}` : `0x00fdd58e${wordOf(owner)}${wordOf(id)}`;
    return BigInt(await anvil.call<string>('eth_call', { to: contract, data }, height));
  };
  const head = async () => Number(await anvil.call('eth_blockNumber'));

  beforeAll(async () => {
    [anvil, node, gateway] = await Promise.all([startAnvil(CHAIN), startExcerptNode({ C: 5 }), createApp()]);
    actor = new EvmActor(anvil, new Random(seed));
    await actor.begin();
    await actor.live(DAYS, TURNS);
    const ends = new Map<string, string>();
    for (let height = 0; height <= (await head()); height += 1) {
      const { number, timestamp } = await blockAt(height);
      ends.set(new Date(Number(timestamp) * 1000).toISOString().slice(0, 10), number);
    }
    days = [...ends].map(([date, height]) => ({ date, height }));
    expect(await followOnce(gateway.storage, given())).toEqual([]);
    whole = await dumpFollowed(gateway.storage);
    const stored = await gateway.storage.prisma.evmAddress.findMany();
    const known = stored.map(({ address }) => toHex(address));
    everybody = [...new Set([...known, ...(await actor.everybody())])];
  });
  afterAll(async () => {
    await Promise.all([anvil?.close(), node?.close(), gateway?.close()]);
    adoptIdentities({});
  });

  /** What the graph says of an address, by day. */
  async function daily(address: string, contract?: string): Promise<Map<string, bigint>> {
    const range = { first: days[0]!.date, last: days.at(-1)!.date };
    const { data, errors } = await gateway.graphql<{
      evmAddress: { dailyBalances: { nodes: { timestamp: number; balance: string }[] } };
    }>(dailyQuery, { chainId: String(CHAIN), address, contract, ...range });
    expect(errors).toBeUndefined();
    return new Map(
      data.evmAddress.dailyBalances.nodes.map(({ timestamp, balance }) => [
        new Date(timestamp * 1000).toISOString().slice(0, 10),
        BigInt(balance),
      ]),
    );
  }

  test('each account of the node has on each day what the node says of its last block', async () => {
    expect(everybody.length).toBeGreaterThan(60);
    expect(days.length).toBeGreaterThanOrEqual(DAYS);
    const wrong: string[] = [];
    let changes = 0;
    for (const address of everybody) {
      const said = await daily(address);
      let before = 0n;
      for (const { date, height } of days) {
        const truth = BigInt(await anvil.call<string>('eth_getBalance', address, height));
        if (truth !== (said.get(date) ?? 0n))
          wrong.push(`${address} ${date}: ${said.get(date)}, not ${truth}`);
        if (truth !== before) changes += 1;
        before = truth;
      }
    }
    expect(wrong).toEqual([]);
    expect(changes).toBeGreaterThan(100);
  });

  test.each(['wrapped', 'erc20'] as const)(
    'each has of the token %s what its contract says',
    async (token) => {
      const contract = actor.tokens[token];
      let positive = 0;
      for (const address of everybody) {
        const said = await daily(address, contract);
        for (const { date, height } of days) {
          const truth = await balanceOf(contract, height, address);
          expect(`${address} ${date} ${said.get(date) ?? 0n}`).toBe(`${address} ${date} ${truth}`);
          if (truth > 0n) positive += 1;
        }
      }
      expect(positive).toBeGreaterThan(3);
    },
  );

  /** Counts of a contract's tokens as they are stored: `owner date count`, of those that have some. */
  async function counted(contract: string): Promise<string[]> {
    const rows = await gateway.storage.prisma.$queryRaw<
      { owner: string; day: number; until: number; count: string }[]
    >`
      SELECT '0x' || encode(a.address, 'hex') AS owner, b.day, b.until_day AS until, b.balance::text AS count
      FROM evm_balance b JOIN evm_holding h ON h.id = b.holding_id JOIN evm_address a ON a.id = b.address_id
      WHERE h.kind = 'nft' AND h.evm_chain_id = ${CHAIN} AND h.contract = decode(${contract.slice(2)}, 'hex') AND b.balance > 0`;
    return days.flatMap(({ date }) => {
      const day = Date.parse(date) / 86_400_000;
      return rows
        .filter((row) => row.day <= day && day <= row.until)
        .map(({ owner, count }) => `${owner} ${date} ${count}`);
    });
  }

  test.each(['nfts', 'ids'] as const)(
    'each has as many of %s as the contract says, and is a holder',
    async (token) => {
      const contract = actor.tokens[token];
      const truth: string[] = [];
      for (const { date, height } of days) {
        const holders: string[] = [];
        // The contracts count what was made and burned as nobody's.
        for (const owner of everybody.filter((each) => each !== NOBODY)) {
          const ids = token === 'ids' ? [0, 1, 2, 3, 4, 5] : [undefined];
          const counts = await Promise.all(ids.map((id) => balanceOf(contract, height, owner, id)));
          const count = counts.reduce((sum, each) => sum + each, 0n);
          if (count > 0n) holders.push(owner);
          if (count > 0n) truth.push(`${owner} ${date} ${count}`);
        }
        const { data } = await gateway.graphql<{ compositeQuery: { nodes: string[] } }>(holdersQuery, {
          chainId: String(CHAIN),
          contract,
          date,
        });
        expect(data.compositeQuery.nodes.map((each) => each.toLowerCase()).sort()).toEqual(holders.sort());
      }
      expect(truth.length).toBeGreaterThan(5);
      expect((await counted(contract)).sort()).toEqual(truth.sort());
    },
  );

  test('each NFT belongs to whom the contract names', async () => {
    const tokens = await gateway.storage.prisma.nftToken.findMany({
      where: { evmChainId: CHAIN, address: Buffer.from(actor.tokens.nfts.slice(2), 'hex') },
    });
    expect(tokens.length).toBeGreaterThan(2);
    for (const { tokenId, owner } of tokens) {
      const data = `0x6352211e${wordOf(BigInt(String(tokenId)))}`;
      const said = BigInt(await anvil.call<string>('eth_call', { to: actor.tokens.nfts, data }, 'latest'));
      expect(owner === null ? 0n : BigInt(`0x${Buffer.from(owner).toString('hex')}`)).toBe(said);
    }
  });

  test('internal transactions are those of a walk of each single trace', async () => {
    const expected: string[] = [];
    for (let height = 1; height <= (await head()); height += 1)
      for (const hash of (await blockAt(height)).transactions) {
        const root = await anvil.call<RawFrame>('debug_traceTransaction', hash, { tracer: 'callTracer' });
        for (const each of framesOfTrace({ blockNumber: height, txHash: hash }, root)) {
          const { frame, within, position } = each;
          if (!isInternal(each) || frame.to === undefined) continue;
          const isReverted = [...within, frame].some(({ error }) => error !== undefined);
          expected.push([height, hash, position, frame.type, BigInt(frame.value ?? 0), isReverted].join(' '));
        }
      }
    const stored = await gateway.storage.prisma.internalTx.findMany({ where: { evmChainId: CHAIN } });
    const found = stored.map(({ blockNumber, txHash, position, type, value, isReverted }) =>
      [blockNumber, `0x${Buffer.from(txHash).toString('hex')}`, position, type, value, isReverted].join(' '),
    );
    expect(expected.length).toBeGreaterThan(50);
    expect(found.sort()).toEqual(expected.sort());
  });

  test('forward from the middle and then backward is what forward alone is, table by table', async () => {
    const half = Math.floor((await head()) / 2);
    const other = await createApp();
    try {
      const since = (position: bigint | { since: number }) => ({
        from: { internals: position, nfts: position, messages: position, balances: position },
      });
      // So many blocks later than the middle: forward, then the others.
      expect(await followOnce(other.storage, given(since(BigInt(half))))).toEqual([]);
      const begun = await other.storage.prisma.followPipeline.findMany({
        where: { name: { contains: ':' } },
      });
      expect(begun.map(({ firstHeight }) => firstHeight)).toEqual([half, half, half, half].map(BigInt));
      expect(await dumpFollowed(other.storage)).not.toEqual(whole);
      expect(await followOnce(other.storage, given(since({ since: 0 })))).toEqual([]);
      expect(await dumpFollowed(other.storage)).toEqual(whole);
    } finally {
      await other.close();
    }
  });

  test('all tokens, and the contract of ERC-1155, are those that were named one by one', async () => {
    const other = await createApp();
    try {
      expect(await followOnce(other.storage, given({ tokens: ['all', actor.tokens.ids] }))).toEqual([]);
      const all = await dumpFollowed(other.storage);
      const named = (dump: typeof all) => ({ ...dump, follow_token: null });
      expect(named(all)).toEqual(named(whole));
    } finally {
      await other.close();
    }
  });

  test('begun again, it is as it was', async () => {
    expect(
      await followOnce(gateway.storage, given({ again: ['internals', 'nfts', 'messages', 'balances'] })),
    ).toEqual([]);
    expect(await dumpFollowed(gateway.storage)).toEqual(whole);
  });

  test('of a chain that went back to an earlier block each stream waits, with the reason', async () => {
    const snapshot = await anvil.call('evm_snapshot');
    await actor.live(1, 3);
    expect(await followOnce(gateway.storage, given())).toEqual([]);
    await anvil.call('evm_revert', snapshot);
    await actor.live(1, 6);
    const before = await dumpFollowed(gateway.storage);
    const notes = await followUntilWaiting(gateway.storage, given(), /another block|whose parent is/, 4);
    expect(Object.keys(notes).sort()).toEqual(
      ['balances', 'internals', 'messages', 'nfts'].map((stream) => `${stream}:${CHAIN}`),
    );
    expect(await dumpFollowed(gateway.storage)).toEqual(before);
  });
});

test.runIf(!hasAnvil)('npm has no Anvil for this machine', () => {
  expect(hasAnvil).toBe(false);
});
