import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockchainIds } from '../../../src/avalanche/networks.js';
import { chainStatusStatement } from '../../../src/resources/chain-status/store.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../../harness/ingest.js';
import { idOf, transactionRow } from '../../harness/ledger-rows.js';
import { poolOf } from '../../harness/connections.js';

let database: ImportDatabase;
let gateway: TestApp;

beforeAll(async () => {
  database = await createImportDatabase();
  gateway = await createApp({}, { reach: () => database.url });
  await runImport(database.storage, [
    database.write('mainnet.p-chain.transactions.ndjson', [
      transactionRow('p1', { blockNumber: '9', blockHash: idOf('block 9'), blockTimestamp: 1_700_000_100 }),
      // Of the newest block, which knows its hash.
      transactionRow('p8', { blockNumber: '15', blockHash: null, blockTimestamp: 1_700_000_200 }),
      // Of the same second: the number decides, not the order of the list.
      ...Array.from({ length: 5 }, (_, index) =>
        transactionRow(`p${index + 2}`, {
          blockNumber: String(10 + index),
          blockHash: idOf(`block ${10 + index}`),
          blockTimestamp: 1_700_000_100,
        }),
      ),
    ]),
    database.write('mainnet.x-chain.transactions.ndjson', [
      transactionRow('x1', { blockTimestamp: 1_600_000_000 }),
      transactionRow('x2', { blockTimestamp: 1_600_000_005 }),
    ]),
    // Without transactions, as blocks that decide proposals are.
    database.write('mainnet.p-chain.blocks.ndjson', [
      { blockNumber: '15', blockHash: idOf('block 15'), blockTimestamp: 1_700_000_200 },
    ]),
    database.write('fuji.p-chain.transactions.ndjson', [
      transactionRow('f1', { blockNumber: '50', blockHash: idOf('block 50') }),
    ]),
  ]);
  const followed = { firstHeight: 0n, counters: {}, state: 'following' } as const;
  await database.storage.prisma.followPipeline.createMany({
    data: [
      {
        ...followed,
        network: 'fuji',
        name: 'p',
        nextHeight: 61n,
        lastId: idOf('block 60'),
        lastTime: 1_700_000_300n,
        head: 70n,
        currentAt: new Date(1_700_000_200_500),
      },
      { ...followed, network: 'fuji', name: 'c-atomic', nextHeight: 0n },
    ],
  });
  await database.storage.prisma.followNetwork.create({
    data: {
      network: 'fuji',
      networkId: 5n,
      genesis: '',
      xChainId: '',
      cChainId: '',
      avaxAssetId: '',
      cEvmChainId: 43113n,
      hrp: 'fuji',
    },
  });
  const gap = {
    network: 'fuji' as const,
    blockId: '0x1',
    transactions: ['0x2'],
    reason: '',
    nextTry: new Date(),
  };
  await database.storage.prisma.followGap.createMany({
    data: [
      { ...gap, name: 'internals:43113', height: 3n },
      { ...gap, name: 'balances:43113', height: 3n },
      { ...gap, name: 'internals:43113', height: 4n },
      // Of another chain.
      { ...gap, name: 'internals:777', height: 5n },
    ],
  });
  await database.storage.prisma.followLeftOut.createMany({
    data: [
      { network: 'fuji', name: 'internals:43113', note: 'no traces' },
      { network: 'fuji', name: 'balances:43113', note: 'no balances' },
      // One sentence for both, and of another chain.
      { network: 'fuji', name: 'x-dag', note: 'no index' },
      { network: 'fuji', name: 'x-vertices', note: 'no index' },
      { network: 'fuji', name: 'internals:777', note: 'no traces of an L1' },
    ],
  });
});

afterAll(async () => {
  await gateway.close();
  await database.close();
});

const fields =
  'network blockchainId blockchainAlias blockNumber blockHash blockTimestamp isFollowed headNumber blocksBehind blocksWithGaps currentTimestamp';
const unfollowed = {
  isFollowed: false,
  headNumber: null,
  blocksBehind: null,
  blocksWithGaps: null,
  currentTimestamp: null,
};
const fuji = [
  {
    network: 'fuji',
    blockchainId: blockchainIds.fuji.p,
    blockchainAlias: 'p-chain',
    blockNumber: '60',
    blockHash: idOf('block 60'),
    blockTimestamp: 1_700_000_300,
    isFollowed: true,
    headNumber: '70',
    blocksBehind: '10',
    currentTimestamp: 1_700_000_200,
    blocksWithGaps: '0',
  },
  {
    network: 'fuji',
    blockchainId: blockchainIds.fuji.x,
    blockchainAlias: 'x-chain',
    blockNumber: null,
    blockHash: null,
    blockTimestamp: null,
    ...unfollowed,
  },
  {
    network: 'fuji',
    blockchainId: blockchainIds.fuji.c,
    blockchainAlias: 'c-chain',
    blockNumber: null,
    blockHash: null,
    blockTimestamp: null,
    ...unfollowed,
    isFollowed: true,
    blocksWithGaps: '2',
  },
];

describe('chainStatus', () => {
  test('has the newest block of each chain, imported or followed, and of no chain without data', async () => {
    const { data, errors } = await gateway.graphql(`{ chainStatus { ${fields} } }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      chainStatus: [
        {
          network: 'mainnet',
          blockchainId: blockchainIds.mainnet.p,
          blockchainAlias: 'p-chain',
          blockNumber: '15',
          blockHash: idOf('block 15'),
          blockTimestamp: 1_700_000_200,
          ...unfollowed,
        },
        {
          network: 'mainnet',
          blockchainId: blockchainIds.mainnet.x,
          blockchainAlias: 'x-chain',
          blockNumber: null,
          blockHash: null,
          blockTimestamp: 1_600_000_005,
          ...unfollowed,
        },
        ...fuji,
      ],
    });
  });

  test('says what of a chain is left out, and why', async () => {
    const query = '{ chainStatus(network: testnet) { blockchainAlias isFollowed leftOut } }';
    const { data } = await gateway.graphql(query);
    expect(data).toEqual({
      chainStatus: [
        { blockchainAlias: 'p-chain', isFollowed: true, leftOut: [] },
        // Nothing else is known of it.
        { blockchainAlias: 'x-chain', isFollowed: false, leftOut: ['no index'] },
        { blockchainAlias: 'c-chain', isFollowed: true, leftOut: ['no balances', 'no traces'] },
      ],
    });
  });

  test('of one network has its chains alone', async () => {
    const { data } = await gateway.graphql(`{ chainStatus(network: testnet) { ${fields} } }`);
    expect(data).toEqual({ chainStatus: fuji });
  });

  test('costs as much as it reads rows', async () => {
    const reply = await gateway.graphql('{ chainStatus { blockNumber } }');
    expect(reply).toMatchObject({ extensions: { cost: { asked: 7 } } });
  });

  test('has the newest blocks and transactions of each chain, those of the lists of a chain', async () => {
    const page = '{ nodes { id } pageInfo { hasNextPage } totalCount }';
    const reply = await gateway.graphql<any>(
      `{ chainStatus { network blockchainAlias blocks(first: 4) ${page} transactions(first: 4) ${page} } }`,
    );
    const { data, errors } = reply;
    expect(errors).toBeUndefined();
    expect(data.chainStatus.length).toBe(5);
    for (const { network, blockchainAlias: chain, ...lists } of data.chainStatus)
      for (const [name, list] of Object.entries<any>(lists)) {
        const of = `network: ${network}, blockchainId: "${chain}"`;
        const alone = await gateway.graphql<any>(`{ ${name}(${of}, first: 4) ${page} }`);
        expect(list, `${name} of ${chain}`).toEqual(alone.data[name]);
      }
    // Each of six chains counts.
    expect(reply).toMatchObject({
      extensions: { cost: { asked: expect.toSatisfy((cost: number) => cost > 6 * 2 * 4) } },
    });
  });

  test('reads the ends of indexes', async () => {
    const { rows } = await poolOf(database.storage)
      .query<{ 'QUERY PLAN': string }>(
        `SET LOCAL enable_seqscan = off; EXPLAIN (COSTS OFF) ${chainStatusStatement.text}`,
      )
      .then((results) => (results as unknown as { rows: { 'QUERY PLAN': string }[] }[])[1]!);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan Backward using transaction_block_idx');
    expect(plan).toContain('Index Scan Backward using block_pkey');
    expect(plan).toContain('Index Only Scan Backward using transaction_time_idx');
    expect(plan).not.toMatch(/Seq Scan on transaction|Sort Key: t\./);
  });
});

test('metrics tell the same, without what is not known', async () => {
  const series = async () =>
    (await gateway.get('/metrics')).text
      .split('\n')
      .filter((line) => line.startsWith('moraine_chain_newest_block_'))
      .sort();
  // A scrape waits 250 ms for the database; on a busy machine the first one answers without these figures.
  await expect
    .poll(series, { timeout: 60_000 })
    .toEqual([
      'moraine_chain_newest_block_height{network="fuji",chain="p"} 60',
      'moraine_chain_newest_block_height{network="mainnet",chain="p"} 15',
      'moraine_chain_newest_block_time_seconds{network="fuji",chain="p"} 1700000300',
      'moraine_chain_newest_block_time_seconds{network="mainnet",chain="p"} 1700000200',
      'moraine_chain_newest_block_time_seconds{network="mainnet",chain="x"} 1600000005',
    ]);
});
