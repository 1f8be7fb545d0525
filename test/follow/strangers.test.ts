import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { AbsurdNetwork } from '../harness/absurd/node.js';
import { nftTokenRows } from '../../src/resources/nft/import.js';
import { RowError } from '../../src/rows/errors.js';
import { createApp, type TestApp } from '../harness/app.js';
import { excerptGenesis } from '../harness/excerpt-node.js';
import { followOnce } from '../harness/followed.js';
import type { NodeServer } from '../harness/node-server.js';
import { Random } from '../harness/random.js';

/** What a stranger may write as the genesis of a chain; each has the members of an EVM chain's. */
const genesis: readonly [what: string, text: string][] = [
  ['lists in lists', `{"config":{"chainId":1,"x":${'['.repeat(3000)}${']'.repeat(3000)}},"alloc":{}}`],
  ['a zero character', '{"config":{"chainId":1},"alloc":{},"extraData":"\\u0000"}'],
  ['a zero character in a name', '{"config":{"chainId":1},"alloc":{"\\u0000":{}}}'],
  ['half of a surrogate pair', '{"config":{"chainId":1},"alloc":{},"x":"\\ud800"}'],
  ['a number beyond every range', '{"config":{"chainId":1},"alloc":{},"x":1e999}'],
  ['a number of 400 digits', `{"config":{"chainId":1},"alloc":{},"x":${'1'.repeat(400)}}`],
  ['a chain id that is a list', '{"config":{"chainId":[1]},"alloc":{}}'],
  ['rules that are a text', '{"config":{"chainId":1,"feeConfig":"none"},"alloc":{}}'],
  ['an address that is a number', '{"config":{"txAllowListConfig":{"adminAddresses":[1]}},"alloc":{}}'],
];
const sound = {
  config: { chainId: 7, feeConfig: { gasLimit: 8_000_000 } },
  alloc: { '00': { balance: '0x1' } },
};

const CONSECUTIVE = '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d';
const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;
const word = (number: bigint | number) => `0x${number.toString(16).padStart(64, '0')}`;
const range = (contract: number, first: bigint, last: bigint, to: number) => ({
  address: address(contract),
  topics: [CONSECUTIVE, word(first), word(0), word(to)],
  data: word(last),
});
const FAR = 2n ** 255n;

let gateway: TestApp;
let node: NodeServer;
const network = new AbsurdNetwork(new Random(1), 1_900_000_000);

beforeAll(async () => {
  network.write([...genesis.map(([, text]) => Buffer.from(text)), Buffer.from(JSON.stringify(sound))]);
  // Ten tokens, of which one was moved on, and a range that nobody could store.
  network.write(
    [],
    [
      range(0xa1, 5n, 14n, 0xb1),
      {
        address: address(0xa1),
        topics: [
          '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
          word(0xb1),
          word(0xb2),
          word(7),
        ],
        data: '0x',
      },
      range(0xa2, 1n, FAR, 0xb3),
      range(0xa3, 1n, 2n, 0xb4),
      range(0xa4, 9n, 3n, 0xb4),
    ],
    3_000_000,
  );
  // 21,000 gas for two ranges.
  network.write([], [range(0xa5, 1n, 60n, 0xb5), range(0xa5, 101n, 160n, 0xb5)]);
  node = await network.serve();
  gateway = await createApp();
});
afterAll(async () => {
  await gateway.close();
  await node.close();
  adoptIdentities({});
});

const follow = () =>
  followOnce(gateway.storage, { urls: [node.url], genesis: excerptGenesis, only: ['p', 'c-atomic', 'nfts'] });

test('a chain whose genesis cannot be stored as an object is stored with the bytes, and its chain is followed', async () => {
  expect((await follow()).map(({ why }) => why.message)).toEqual([]);
  const stored = await gateway.storage.prisma.transaction.findMany({
    where: { txType: 'CreateChainTx', blockNumber: 1 },
  });
  const said = new Map(
    stored.map(({ txHash, details }) => [
      txHash,
      (details as { blockchainInfo: { genesisData: unknown } }).blockchainInfo.genesisData,
    ]),
  );
  const ids = network.p.map(({ transaction }) => transaction.id);
  for (const [at, [what, text]] of genesis.entries())
    expect([what, said.get(ids[at]!)]).toEqual([what, Buffer.from(text).toString('base64')]);
  expect(said.get(ids.at(-1)!)).toEqual(sound);
  const rows = await gateway.storage.prisma.followPipeline.findMany();
  expect(rows.map(({ refusedRows }) => refusedRows)).toEqual([0n, 0n, 0n]);
});

test('GraphQL says the bytes of such a genesis', async () => {
  const ids = network.p.map(({ transaction }) => transaction.id);
  const query = `query ($id: String!) { transaction(network: fuji, blockchainId: "p-chain", txHash: $id) {
    blockchainInfo { encodedGenesis genesisData { config { chainId feeConfig { gasLimit } } } } } }`;
  const answers = await Promise.all(
    ids.map((id) => gateway.graphql<{ transaction: { blockchainInfo: object } }>(query, { id })),
  );
  expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([]);
  expect(answers.map(({ data }) => data.transaction.blockchainInfo)).toEqual([
    ...genesis.map(([, text]) => ({
      encodedGenesis: Buffer.from(text).toString('base64'),
      genesisData: null,
    })),
    { encodedGenesis: null, genesisData: { config: { chainId: 7, feeConfig: { gasLimit: 8_000_000 } } } },
  ]);
});

test('tokens that one log of ERC-2309 mints are seen, of a range without end as many as are stored of a block or paid for', async () => {
  const tokens = await gateway.storage.prisma.nftToken.findMany({ orderBy: { tokenId: 'asc' } });
  const of = (contract: number) => {
    const own = tokens.filter(
      (token) => Buffer.from(token.address).toString('hex') === address(contract).slice(2),
    );
    return own.map(({ tokenId, owner }) => [
      Number(tokenId),
      owner && Number(`0x${Buffer.from(owner).toString('hex')}`),
    ]);
  };
  expect(of(0xa1)).toEqual(Array.from({ length: 10 }, (_, at) => [5 + at, at === 2 ? 0xb2 : 0xb1]));
  expect(of(0xa2)).toEqual(Array.from({ length: 10_000 - 10 }, (_, at) => [1 + at, 0xb3]));
  // The room of this block is used up; a range that ends before it begins is none.
  expect([of(0xa3), of(0xa4)]).toEqual([[], []]);
  // A transaction mints as many as it used gas for.
  const paid = [
    ...Array.from({ length: 60 }, (_, at) => 1 + at),
    ...Array.from({ length: 45 }, (_, at) => 101 + at),
  ];
  expect(of(0xa5)).toEqual(paid.map((tokenId) => [tokenId, 0xb5]));
  await gateway.get('/metrics');
  expect((await gateway.get('/metrics')).text).toMatch(
    /moraine_follow_ranges_cut_total\{network="fuji",chain="nfts:43337"\} 3/,
  );
});

test.each([
  ['all that the database refuses', 'ALTER TABLE nft_token ADD CONSTRAINT ours CHECK (token_id < 0)', null],
  ['what a reader cannot do', null, new TypeError('a fault')],
  ['what a reader refuses of every row', null, new RowError('a fault')],
])('a fault of ours stops its chain and loses no row: %s', async (_what, statement, error) => {
  const other = await createApp();
  const minting = new AbsurdNetwork(new Random(2), 1_900_000_000);
  minting.write([], [range(0xa1, 1n, 30n, 0xb1)]);
  const minted = await minting.serve();
  const given = { urls: [minted.url], genesis: excerptGenesis, only: ['nfts'] } as const;
  try {
    if (statement) await other.storage.prisma.$executeRawUnsafe(statement);
    if (error) vi.spyOn(nftTokenRows, 'read').mockThrow(error);
    const [stopped] = await followOnce(other.storage, given);
    expect(stopped?.why.message).toContain('a fault of Moraine in nfts:43337');
    expect(await other.storage.prisma.nftToken.count()).toBe(0);
    vi.restoreAllMocks();
    if (statement) await other.storage.prisma.$executeRaw`ALTER TABLE nft_token DROP CONSTRAINT ours`;
    expect(await followOnce(other.storage, given)).toEqual([]);
    expect(await other.storage.prisma.nftToken.count()).toBe(30);
    const [row] = await other.storage.prisma.followPipeline.findMany();
    expect(row?.refusedRows).toBe(0n);
  } finally {
    vi.restoreAllMocks();
    await other.close();
    await minted.close();
  }
});

test('the last resort: what the database refuses is stored in part or left out and counted, and the chains go on', async () => {
  const { prisma } = gateway.storage;
  const other = await createApp();
  try {
    await other.storage.prisma
      .$executeRaw`ALTER TABLE transaction ADD CHECK (details::text NOT LIKE '%feeConfig%')`;
    await other.storage.prisma.$executeRaw`ALTER TABLE nft_token ADD CHECK (token_id <> 8)`;
    const stopped = await followOnce(other.storage, {
      urls: [node.url],
      genesis: excerptGenesis,
      only: ['p', 'c-atomic', 'nfts'],
    });
    expect(stopped).toEqual([]);
    const rows = await other.storage.prisma.followPipeline.findMany({ orderBy: { name: 'asc' } });
    const whole = await prisma.followPipeline.findMany({ orderBy: { name: 'asc' } });
    expect(rows.map(({ nextHeight }) => nextHeight)).toEqual(whole.map(({ nextHeight }) => nextHeight));
    // The rows of two contracts' tokens with this id, and of a third's; the only transaction with such rules
    // that is an object.
    expect(rows.map(({ name, refusedRows }) => [name, refusedRows])).toEqual([
      ['c-atomic', 0n],
      ['nfts:43337', 3n],
      ['p', 1n],
    ]);
    const id = network.p.at(-1)!.transaction.id;
    const own = { where: { txHash: id } };
    const [left, all] = [
      await other.storage.prisma.transaction.findFirstOrThrow(own),
      await prisma.transaction.findFirstOrThrow(own),
    ];
    expect([left.txType, left.blockNumber, left.blockHash]).toEqual([
      all.txType,
      all.blockNumber,
      all.blockHash,
    ]);
    expect(left.details).not.toHaveProperty('blockchainInfo');
    expect(await other.storage.prisma.nftToken.count()).toBe((await prisma.nftToken.count()) - 3);
    expect((await other.get('/ready')).text).toContain(
      '(1 rows were refused, and are stored in part or not at all: see the log)',
    );
    await other.get('/metrics');
    expect((await other.get('/metrics')).text).toContain(
      'moraine_follow_refused_rows_total{network="fuji",chain="p"} 1',
    );
    const { data } = await other.graphql<{ chainStatus: object[] }>(
      '{ chainStatus(network: testnet) { blockchainAlias refusedRows } }',
    );
    expect(data.chainStatus).toContainEqual({ blockchainAlias: 'p-chain', refusedRows: '1' });
    expect(data.chainStatus).toContainEqual({ blockchainAlias: 'c-chain', refusedRows: '3' });
  } finally {
    await other.close();
  }
});
