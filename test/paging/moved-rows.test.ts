import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockchainIds, nativeAssetIds } from '../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../harness/app.js';
import { poolOf } from '../harness/connections.js';
import { addresses, chainRow, frameRow, hashAt, hashOf, messageRow, sourceAt } from '../harness/evm-rows.js';
import { importRows } from '../harness/import-rows.js';
import { addressOf, idOf, outputId, transactionRow, utxoRow } from '../harness/ledger-rows.js';

/*
 * A token names a row. When an import has changed the values by which its list sorts that row, the next page
 * would begin at the row's new place: rows would be missing, or come twice.
 */

const COUNT = 7;
const numbers = Array.from({ length: COUNT }, (_, index) => index);
const time = (at: number) => 1_700_000_000 + at * 100;
const { x } = blockchainIds.mainnet;
const owner = addressOf('anna');
const coin = idOf('a coin');
const subnetId = idOf('a subnet');
const nodeId = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg';
const collection = addresses[2];

let gateway: TestApp;
beforeAll(async () => (gateway = await createApp()));
afterAll(() => gateway.close());

async function clear(): Promise<void> {
  const pool = poolOf(gateway.storage);
  const { rows } = await pool.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname NOT IN ('installation', '_prisma_migrations')`,
  );
  await pool.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')} CASCADE`);
  await importRows(gateway.storage, 'evm.chains', [chainRow('1001'), chainRow('1002')]);
}

/**
 * Rows of a list: the key of each there, and the row that is sorted by a value, as first imported and as
 * moved.
 */
interface Kind {
  file: string;
  key: (at: number) => string;
  row: (at: number, value: number) => object;
  moved?: (at: number, value: number) => object;
}

const outputsOf = (chain: 'p' | 'x', fields: object = {}): Kind => ({
  file: `mainnet.${chain}-chain.utxos`,
  key: (at) => outputId(`output ${at}`),
  row: (at, value) =>
    utxoRow(`output ${at}`, { blockNumber: String(at + 1), blockTimestamp: time(value), ...fields }),
});
const platformOutputs = outputsOf('p');
const exchangeOutputs = outputsOf('x', { createdOnChainId: x, consumedOnChainId: x });
const holdings: Kind = {
  file: 'mainnet.x-chain.utxos',
  key: (at) => addressOf(`holder ${at}`),
  row: (at, value) =>
    utxoRow(`of ${at}: ${value}`, {
      addresses: [addressOf(`holder ${at}`)],
      amount: String(1 + value * 10),
      assetId: coin,
      createdOnChainId: x,
      consumedOnChainId: x,
      blockTimestamp: time(at),
    }),
};
const transactions: Kind = {
  file: 'mainnet.p-chain.transactions',
  key: (at) => idOf(`transaction ${at}`),
  row: (at, value) =>
    transactionRow(`transaction ${at}`, {
      txType: 'AddSubnetValidatorTx',
      blockNumber: '5',
      blockTimestamp: time(value),
      subnetId,
      nodeId,
      emittedUtxos: [utxoRow(`output ${at}`, { txHash: idOf(`transaction ${at}`), addresses: [owner] })],
    }),
};
const vertices: Kind = {
  file: 'mainnet.x-chain.vertices',
  key: (at) => idOf(`vertex ${at}`),
  row: (at, value) => ({
    vertexHash: idOf(`vertex ${at}`),
    parentHashes: at === 0 ? [] : [idOf('vertex 0')],
    vertexHeight: 1,
    vertexIndex: 0,
    vertexTimestamp: time(value),
    txCount: 0,
    transactions: [],
    vertexSizeBytes: 100,
  }),
};
const messages: Kind = {
  file: 'mainnet.icm.messages',
  key: (at) => hashOf(`message ${at}`).slice(2),
  row: (at, value) =>
    messageRow({ messageId: hashOf(`message ${at}`).slice(2), sourceTransaction: sourceAt(time(value)) }),
};
const frames: Kind = {
  file: 'evm.1001.internal-transactions',
  key: (at) => String(at + 1),
  row: (at) => frameRow({ value: String(at + 1), txHash: hashAt(1) }),
  moved: (at, position) => frameRow({ value: String(at + 1), txHash: hashAt(1), position }),
};
const nftOwners: Kind = {
  file: 'evm.1001.nft-holdings',
  key: (at) => evmOwner(at),
  row: (at, value) => ({
    contractAddress: collection,
    address: evmOwner(at),
    date: '2026-10-01',
    tokenCount: value + 1,
  }),
};
const evmOwner = (at: number) => `0x${String(at + 1).padStart(40, '0')}`;

const within = (parent: string) => (list: string) => `${parent} { ${list} }`;
const alone = (list: string) => list;
const outputs = 'utxos(network: mainnet, blockchainId: "p-chain", includeSpent: true';

/** Every list that is sorted by values that imports can change. */
const lists: [name: string, kind: Kind, key: string, field: string, wrap: (list: string) => string][] = [
  ['outputs', platformOutputs, 'utxoId', outputs, alone],
  ['outputs, oldest first', platformOutputs, 'utxoId', `${outputs}, sortOrder: asc`, alone],
  [
    'spendable outputs',
    platformOutputs,
    'utxoId',
    'utxos(blockchainId: "p-chain", state: SPENDABLE',
    within(`address(network: mainnet, address: "${owner}")`),
  ],
  [
    'past outputs',
    platformOutputs,
    'utxoId',
    'utxos(blockchainId: "p-chain", asOf: {time: 1800000000}',
    within(`address(network: mainnet, address: "${owner}")`),
  ],
  [
    'outputs of an asset',
    exchangeOutputs,
    'utxoId',
    'utxos(sortOrder: asc',
    within(`asset(network: mainnet, assetId: "${nativeAssetIds.mainnet}")`),
  ],
  [
    'holders of an asset',
    holdings,
    'address { address }',
    'holders(blockchainId: "x-chain"',
    within(`asset(network: mainnet, assetId: "${coin}")`),
  ],
  ['transactions', transactions, 'txHash', 'transactions(network: mainnet, blockchainId: "p-chain"', alone],
  [
    'transactions of a type',
    transactions,
    'txHash',
    'transactions(network: mainnet, blockchainId: "p-chain", txType: AddSubnetValidatorTx',
    alone,
  ],
  [
    'the history of an address',
    transactions,
    'txHash',
    'transactions(blockchainId: "p-chain"',
    within(`address(network: mainnet, address: "${owner}")`),
  ],
  [
    'transactions of a block',
    transactions,
    'txHash',
    'transactions(',
    within('block(network: mainnet, blockchainId: "p-chain", number: "5")'),
  ],
  [
    'transactions of a subnet',
    transactions,
    'txHash',
    'transactions(',
    within(`subnet(network: mainnet, subnetId: "${subnetId}")`),
  ],
  [
    'transactions of a validator',
    transactions,
    'txHash',
    'transactions(',
    within(`validator(network: mainnet, nodeId: "${nodeId}")`),
  ],
  [
    'staking periods of a validator',
    transactions,
    'txHash',
    'stakingPeriods(',
    within(`validator(network: mainnet, nodeId: "${nodeId}")`),
  ],
  ['vertices', vertices, 'vertexHash', 'vertices(network: mainnet', alone],
  [
    'children of a vertex',
    vertices,
    'vertexHash',
    'children(',
    within(`vertex(network: mainnet, vertexHash: "${idOf('vertex 0')}")`),
  ],
  ['messages', messages, 'messageId', 'icmMessages(network: mainnet', alone],
  [
    'messages of an address',
    messages,
    'messageId',
    'icmMessages(',
    within(`evmAddress(chainId: "1001", address: "${addresses[0]}")`),
  ],
  ['internal transactions', frames, 'value', 'internalTransactions(chainId: "1001"', alone],
  [
    'internal transactions of a transaction',
    frames,
    'value',
    `internalTransactions(chainId: "1001", txHash: "${hashAt(1)}"`,
    alone,
  ],
  [
    'internal transactions of an address',
    frames,
    'value',
    'internalTransactions(',
    within(`evmAddress(chainId: "1001", address: "${addresses[0]}")`),
  ],
  [
    'owners of a collection',
    nftOwners,
    'address',
    'owners(',
    within(`nftCollection(chainId: "1001", address: "${collection}")`),
  ],
];

interface Page {
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string; startCursor: string };
  edges: { cursor: string; node: Record<string, string | { address: string }> }[];
}

/** The rows of a page, or the message of its refusal. */
async function pageOf([, , key, field, wrap]: (typeof lists)[number], pages: string): Promise<Page | string> {
  const asked = `list: ${field} ${pages}) {
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { ${key} } } }`;
  const { data, errors } = await gateway.graphql<Record<string, never>>(`{ ${wrap(asked)} }`);
  if (errors?.[0]?.extensions['code'] === 'BAD_USER_INPUT') return errors[0].message;
  expect(errors).toBeUndefined();
  return (data['list'] ?? (Object.values(data)[0] as { list: Page } | undefined)?.list) as Page;
}

const keysOf = ({ edges }: Page) =>
  edges.map(({ node }) => {
    const [value] = Object.values(node);
    return typeof value === 'object' ? value.address.toLowerCase() : String(value).toLowerCase();
  });

/** The rest of an iteration from a cursor: its keys, or the refusal. */
async function restOf(
  list: (typeof lists)[number],
  from: string,
  forward: boolean,
): Promise<string[] | string> {
  const keys: string[] = [];
  for (let cursor: string | null = from; cursor !== null;) {
    const page: Page | string = await pageOf(
      list,
      forward ? `first: 2, after: "${cursor}"` : `last: 2, before: "${cursor}"`,
    );
    if (typeof page === 'string') return page;
    keys.push(...keysOf(page));
    const { hasNextPage, hasPreviousPage, endCursor, startCursor } = page.pageInfo;
    cursor = (forward ? hasNextPage : hasPreviousPage) ? (forward ? endCursor : startCursor) : null;
  }
  return keys;
}

const refused = /an import has removed or moved.*start again from the first page/;
const cursorOf = ({ pageInfo }: Page, forward: boolean) =>
  forward ? pageInfo.endCursor : pageInfo.startCursor;

describe.each(lists)('%s', (...list) => {
  const [, kind] = list;
  const keys = numbers.map((at) => kind.key(at).toLowerCase());

  /** Imports the rows again; returns the first page. */
  async function begin(pages: string): Promise<Page> {
    await clear();
    const rows = numbers.map((at) => kind.row(at, at + 2));
    await importRows(gateway.storage, kind.file, rows);
    const page = await pageOf(list, pages);
    if (typeof page === 'string') throw new Error(page);
    return page;
  }

  const move = (key: string | undefined, value: number) =>
    importRows(gateway.storage, kind.file, [(kind.moved ?? kind.row)(keys.indexOf(key ?? ''), value)]);

  test.each([
    ['forward', COUNT + 5],
    ['forward', 0],
    ['backward', COUNT + 5],
    ['backward', 0],
  ])('walked %s, the row of the cursor moved to %i: each row once, or a refusal', async (way, value) => {
    const forward = way === 'forward';
    const first = await begin(forward ? 'first: 3' : 'last: 3');
    const seen = keysOf(first);
    expect(seen).toHaveLength(3);
    const cursor = cursorOf(first, forward);
    const unmoved = await restOf(list, cursor, forward);
    await move(seen[forward ? 2 : 0], value);
    const rest = await restOf(list, cursor, forward);
    if (typeof rest === 'string') expect(rest).toMatch(refused);
    else expect(rest).toEqual(unmoved);
  });

  test.each([COUNT + 5, 0])('another row moved to %i: all others come once, or a refusal', async (value) => {
    const cursor = cursorOf(await begin('first: 2'), true);
    const unmoved = await restOf(list, cursor, true);
    const other = unmoved[1];
    await move(other, value);
    const rest = await restOf(list, cursor, true);
    if (typeof rest === 'string') return expect(rest).toMatch(refused);
    const others = (walked: string[] | string) => [...walked].filter((key) => key !== other);
    expect(others(rest)).toEqual(others(unmoved));
  });
});
