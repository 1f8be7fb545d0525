import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { callsOf } from '../avalanche/codec/recorded.js';
import { startAlteredNode } from '../harness/altered-node.js';
import { createApp } from '../harness/app.js';
import { followOnce, networkFilling, startFollowing } from '../harness/followed.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import { launch } from '../harness/launched.js';
import { recordedLogs, recordedReads } from '../harness/log-truth.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNetwork,
  type RecordedNode,
} from '../harness/recorded-node.js';

/** What addresses have, as `holder` or `contract holder`, both without 0x; nothing of 0. */
type Holdings = Map<string, bigint>;

// The days from the recording on, up to a day that is not over.
const dailyQuery = `query ($chainId: String!, $address: String!) {
  evmAddress(chainId: $chainId, address: $address) {
    dailyBalances(firstDate: "2026-11-25", lastDate: "2026-11-27") { nodes { timestamp balance } }
  }
}`;

const compositeDocument = `query ($chainId: String!, $least: Decimal!) {
  compositeQuery(operator: AND, first: 1000, queries: [
    { latestBalance: { id: "now", evmChainId: $chainId, tokenType: NATIVE, minBalance: $least } }
    { allTimeNativeBalance: { id: "today", evmChainId: $chainId, firstDate: "2026-11-27", lastDate: "2026-11-27", minBalance: $least } }
  ]) { nodes subQueryCounts { id count dataAsOf } }
}`;

const BALANCE_OF = '0x70a08231';
const BALANCE_OF_ID = '0x00fdd58e';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** What the node said of every account after a block. */
function accountsAt(network: RecordedNetwork, height: number): Holdings {
  const calls = callsOf(network, 'c-state', true).filter(({ method }) => method === 'eth_getBalance');
  const said = calls
    .map(({ args, result }) => ({ args: args as unknown as [string, string], result }))
    .filter(({ args }) => Number(args[1]) === height)
    .map(({ args, result }): [string, bigint] => [
      args[0].slice(2).toLowerCase(),
      BigInt(result as unknown as string),
    ]);
  return new Map(said.filter(([, balance]) => balance > 0n));
}

/** What the contracts said at the end, of those whose transfers name a token or not. */
function tokensOf(network: RecordedNetwork, kind: 'erc20' | 'nft'): Holdings {
  const topics = kind === 'nft' ? 4 : 3;
  const contracts = new Set(
    recordedLogs(network)
      .filter((log) => log.topics[0] === TRANSFER && log.topics.length === topics)
      .map(({ address }) => address.toLowerCase()),
  );
  const said = [...recordedReads(network, BALANCE_OF)].map(([call, word]): [string, string, bigint] => {
    const [contract = '', owner = ''] = call.split(' ');
    return [contract, owner.slice(24), BigInt(word ?? 0)];
  });
  const counted = said.filter(([contract]) => contracts.has(contract));
  return sumsOf(kind === 'nft' ? [...counted, ...idsOf(network)] : counted);
}

/** How many each owner had of each id of ERC-1155 at the end, as the contracts said. */
const idsOf = (network: RecordedNetwork) =>
  [...recordedReads(network, BALANCE_OF_ID)].map(([call, word]): [string, string, bigint] => {
    const [contract = '', words = ''] = call.split(' ');
    return [contract, words.slice(24, 64), BigInt(word ?? 0)];
  });

function sumsOf(said: readonly [contract: string, owner: string, count: bigint][]): Holdings {
  const sums: Holdings = new Map();
  for (const [contract, owner, count] of said) {
    const key = `${contract.slice(2)} ${owner}`;
    if (count > 0n) sums.set(key, (sums.get(key) ?? 0n) + count);
  }
  return sums;
}

/** All contracts that somebody has tokens of. */
const contractsOf = (network: RecordedNetwork) => [
  ...new Set(
    [...tokensOf(network, 'erc20').keys(), ...tokensOf(network, 'nft').keys()].map(
      (key) => `0x${key.split(' ')[0]}`,
    ),
  ),
];

/** What is stored as the newest balances. */
async function stored(
  { prisma }: ImportDatabase['storage'],
  kind: 'native' | 'erc20' | 'nft',
): Promise<Holdings> {
  const rows = await prisma.$queryRaw<{ contract: string; address: string; balance: string }[]>`
    SELECT encode(h.contract, 'hex') AS contract, encode(a.address, 'hex') AS address, b.balance::text AS balance
    FROM evm_balance b JOIN evm_holding h ON h.id = b.holding_id JOIN evm_address a ON a.id = b.address_id
    WHERE h.kind = ${kind}::evm_holding_kind AND b.until_day = 2147483647 AND b.balance > 0`;
  return new Map(
    rows.map(({ contract, address, balance }) => [`${contract} ${address}`.trim(), BigInt(balance)]),
  );
}

const sorted = (holdings: Holdings) => [...holdings].sort(([a], [b]) => (a < b ? -1 : 1));

/** Every row with its day, without row ids. */
const dump = ({ prisma }: ImportDatabase['storage']) => prisma.$queryRaw<{ kind: string }[]>`
  SELECT h.kind::text, encode(h.contract, 'hex') AS contract, encode(a.address, 'hex') AS address, b.day, b.until_day,
    b.previous::text, b.balance::text
  FROM evm_balance b JOIN evm_holding h ON h.id = b.holding_id JOIN evm_address a ON a.id = b.address_id
  ORDER BY 1, 2, 3, 4`;

describe.runIf(hasRecordedNode).each([
  { network: 'network-a', accounts: 230, heads: [50, 300, 550] },
  { network: 'network-c', accounts: 191, heads: [579] },
] as const)('balances of the C-chain of $network', ({ network, accounts, heads }) => {
  let node: RecordedNode;
  let database: ImportDatabase;
  const tokens = contractsOf(network);
  const given = () => ({
    urls: [node.url],
    genesis: recordedFile(network, 'genesis.json'),
    only: ['balances'] as const,
  });

  beforeAll(async () => {
    node = await startRecordedNode(network, { heads: { C: heads[0] } });
    database = await createImportDatabase();
  });
  afterAll(async () => {
    await database.close();
    await node.close();
    adoptIdentities({});
  });

  test('after each head every account has what the node says of it, also who was not touched since', async () => {
    const calls = callsOf(network, 'c-state', true).filter(({ method }) => method === 'eth_getBalance');
    const all = new Set(calls.map(({ args }) => (args as unknown as [string])[0].toLowerCase()));
    expect(all.size).toBe(accounts);
    for (const head of heads) {
      await node.moveHeads({ C: head });
      expect(await followOnce(database.storage, given())).toEqual([]);
      expect(sorted(await stored(database.storage, 'native'))).toEqual(sorted(accountsAt(network, head)));
    }
  });

  test('begun again with tokens: each owner has as many as the contract says, of ERC-1155 of all ids', async () => {
    const before = await dump(database.storage);
    expect(await followOnce(database.storage, { ...given(), tokens, again: ['balances'] })).toEqual([]);
    for (const kind of ['erc20', 'nft'] as const) {
      const truth = tokensOf(network, kind);
      expect(truth.size).toBeGreaterThan(5);
      if (kind === 'nft')
        expect(idsOf(network).filter(([, , count]) => count > 0n).length).toBeGreaterThan(50);
      expect(sorted(await stored(database.storage, kind))).toEqual(sorted(truth));
    }
    const after = await dump(database.storage);
    expect(after.filter(({ kind }) => kind === 'native')).toEqual(before);
  });

  test.runIf(network === 'network-a')(
    'moraine verify follows the tokens again: nothing differs, and a falsified count is found',
    async () => {
      const verify = async () => {
        const scratch = await createImportDatabase();
        const args = [node.url, '--genesis', given().genesis, '--scratch', scratch.url];
        const command = launch(['verify', ...args], { DATABASE_URL: database.url });
        await command.ended;
        await scratch.close();
        return command.output();
      };
      const output = await verify();
      expect(output).toMatch(/^follow_token_id +[1-9]\d* +no difference/m);
      // Outputs cannot be compared where the P-chain is not followed.
      expect(output).not.toMatch(/differences in/);
      const { prisma } = database.storage;
      const add = (more: number) => [
        prisma.followTokenId.updateMany({ data: { balance: { increment: more } } }),
        prisma.followTokenCount.updateMany({ data: { count: { increment: more } } }),
      ];
      await prisma.$transaction(add(1));
      expect(await verify()).toMatch(/differences in follow_token_id, follow_token_count/);
      await prisma.$transaction(add(-1));
    },
  );

  test.runIf(network === 'network-a')('killed again and again: the same rows', async () => {
    const other = await createImportDatabase();
    try {
      const command = [
        node.url,
        '--genesis',
        given().genesis,
        '--as',
        'fuji',
        '--only',
        'balances',
        '--once',
      ];
      for (const milliseconds of [1500, 2000, 2500]) {
        const follower = launch(['follow', ...command, '--token', ...tokens], { DATABASE_URL: other.url });
        await sleep(milliseconds);
        await follower.stop('SIGKILL');
      }
      expect(await followOnce(other.storage, { ...given(), tokens })).toEqual([]);
      expect(await dump(other.storage)).toEqual(await dump(database.storage));
    } finally {
      await other.close();
    }
  });

  test.runIf(network === 'network-a')(
    'two nodes that say different balances: it waits and names both, nothing is stored, and all is when they agree',
    async () => {
      const [other, whole] = [await createImportDatabase(), await createImportDatabase()];
      let lies = true;
      const lying = await startAlteredNode(node.url, ({ method, params }, honest) =>
        lies &&
        method === 'eth_getBalance' &&
        Number((params as [string, string])[1]) > 0 &&
        'result' in honest
          ? { result: `0x${(BigInt(String(honest['result'])) + 1n).toString(16)}` }
          : null,
      );
      try {
        const urls = [node.url, lying.url];
        const following = await startFollowing(other.storage, { ...given(), urls, once: true });
        await expect
          .poll(() => following.views[0]?.note, { timeout: 60_000 })
          .toMatch(
            /says that 0x\w{40} has \d+ wei after block \d+, and another node \d+: only one of them can be right/,
          );
        expect(await dump(other.storage)).toEqual([]);
        lies = false;
        expect(await following.ended).toEqual([]);
        await followOnce(whole.storage, given());
        expect(await dump(other.storage)).toEqual(await dump(whole.storage));
      } finally {
        await lying.close();
        await other.close();
        await whole.close();
      }
    },
  );

  test.runIf(network === 'network-a')(
    'composite queries find whom the node says has as much, and say up to when the blocks are known',
    async () => {
      const gateway = await createApp({}, { filling: networkFilling(network, ['balances']) });
      try {
        const [chain] = await gateway.storage.prisma.chain.findMany();
        const holdings = [...accountsAt(network, heads.at(-1)!)].sort(([, a], [, b]) => (a < b ? -1 : 1));
        const least = holdings[Math.floor(holdings.length / 2)]?.[1] ?? 0n;
        const { data, errors } = await gateway.graphql<{
          compositeQuery: { nodes: string[]; subQueryCounts: { dataAsOf: string | number | null }[] };
        }>(compositeDocument, { chainId: String(chain?.evmChainId), least: String(least) });
        expect(errors).toBeUndefined();
        const { nodes, subQueryCounts } = data.compositeQuery;
        const wanted = holdings.filter(([, balance]) => balance >= least).map(([address]) => `0x${address}`);
        expect(nodes.map((address) => address.toLowerCase()).sort()).toEqual(wanted.sort());
        const times = await gateway.storage.prisma.followPipeline.findMany({
          where: { name: { startsWith: 'balances:' } },
        });
        expect(times[0]?.nextHeight).toBe(BigInt(heads.at(-1)!) + 1n);
        expect(subQueryCounts.map(({ dataAsOf }) => Number(dataAsOf))).toEqual([
          Number(times[0]?.lastTime),
          Number(times[0]?.lastTime),
        ]);
      } finally {
        await gateway.close();
      }
    },
  );

  test.runIf(network === 'network-a')(
    'in the graph: each account has on each day since the genesis what the node says',
    async () => {
      const gateway = await createApp({}, { filling: networkFilling(network, ['balances']) });
      try {
        const [chain] = await gateway.storage.prisma.chain.findMany();
        expect(accountsAt(network, heads.at(-1)!).size).toBeGreaterThan(20);
        for (const [address, balance] of [...accountsAt(network, heads.at(-1)!)].slice(0, 20)) {
          const { data, errors } = await gateway.graphql<{
            evmAddress: { dailyBalances: { nodes: { balance: string }[] } };
          }>(dailyQuery, { chainId: String(chain?.evmChainId), address: `0x${address}` });
          expect(errors).toBeUndefined();
          expect(data.evmAddress.dailyBalances.nodes.at(-1)?.balance).toBe(String(balance));
        }
      } finally {
        await gateway.close();
      }
    },
  );
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
