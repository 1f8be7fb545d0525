import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { recognise } from '../../src/ingest/source-file.js';
import { fileKinds } from '../../src/resources.js';
import { poolOf } from '../harness/connections.js';
import {
  addresses,
  chainRow,
  deliveryAt,
  frameRow,
  hashOf,
  messageRow,
  reward,
} from '../harness/evm-rows.js';
import { dumpAll } from '../harness/export.js';
import { importRows } from '../harness/import-rows.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../harness/ingest.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';

let database: ImportDatabase;
beforeAll(async () => {
  database = await createImportDatabase();
});
afterAll(() => database.close());

/** Imports rows as files of this name, where nothing of their kind is stored. */
async function take(files: readonly (readonly object[])[], name: string): Promise<void> {
  const { kind } = recognise(name, {}, fileKinds);
  await poolOf(database.storage).query(`TRUNCATE ${kind.rows.tables.join(', ')} CASCADE`);
  for (const rows of files) await importRows(database.storage, name, rows);
}

function orders<T>(rows: readonly T[]): T[][] {
  if (rows.length < 2) return [[...rows]];
  return rows.flatMap((row, index) => orders(rows.toSpliced(index, 1)).map((others) => [row, ...others]));
}

async function one(sql: string): Promise<unknown> {
  const { rows } = await poolOf(database.storage).query<{ value: unknown }>(`SELECT ${sql}`);
  return rows.map(({ value }) => value);
}

const x = { createdOnChainId: blockchainIds.mainnet.x, consumedOnChainId: blockchainIds.mainnet.x };
const inBlock = { blockNumber: '7', blockTimestamp: 100 };
const accepted = { blockNumber: '0', blockTimestamp: 90 };
const asset = { assetId: idOf('coin'), name: 'Coin', symbol: 'CN', denomination: 3, type: 'nft' };
const chainInfo = { chainName: 'c', vmId: 'v' };
const noReward = {
  ...reward,
  address: `0x${'0'.repeat(40)}`,
  value: '0',
  price: undefined,
  logoUri: undefined,
};
const token = {
  evmChainId: '43114',
  address: `0x${'ab'.repeat(20)}`,
  tokenId: '1',
  lastTransferTxHash: hashOf('transfer'),
};
const vertex = {
  vertexHash: idOf('vertex'),
  parentHashes: [],
  vertexHeight: 1,
  vertexIndex: 0,
  vertexTimestamp: 5,
  txCount: 1,
  vertexSizeBytes: 10,
};
const owned = { locktime: 0, threshold: 1, addresses: [addressOf('anna')] };
const named = { address: addresses[1], name: 'Token', symbol: 'T', decimals: 6 };

/** Rows that know more and more of one thing, and what must be known after them. */
const cases: readonly [what: string, file: string, rows: object[], sql: string, values: unknown[]][] = [
  [
    'an output: its block is known, and it is spent in one',
    'mainnet.x-chain.utxos',
    [
      utxoRow('a', { ...x, ...accepted }),
      utxoRow('a', { ...x, ...inBlock, consumingTxHash: idOf('taker') }),
      utxoRow('a', {
        ...x,
        consumingTxHash: idOf('taker'),
        consumingBlockNumber: '9',
        consumingBlockTimestamp: 120,
      }),
    ],
    `concat_ws(' ', block_number, block_timestamp, consuming_block_number, consuming_block_timestamp) AS value FROM utxo`,
    ['7 100 9 120'],
  ],
  [
    'a transaction: its block is known, its amounts and its outputs',
    'mainnet.x-chain.transactions',
    [
      transactionRow('t', { ...accepted, blockHash: '', value: [], emittedUtxos: [utxoRow('o', x)] }),
      transactionRow('t', {
        ...inBlock,
        blockHash: idOf('block'),
        value: [{ ...asset, amount: '5' }],
        emittedUtxos: [utxoRow('o', x)],
      }),
    ],
    `concat_ws(' ', block_number, block_timestamp, jsonb_array_length(details->'value'),
       (SELECT count(*) FROM transaction_output)) AS value FROM transaction`,
    ['7 100 1 1'],
  ],
  [
    'a transaction: the genesis of its blockchain is known',
    'mainnet.p-chain.transactions',
    [
      transactionRow('t', { blockchainInfo: chainInfo }),
      transactionRow('t', { blockchainInfo: { ...chainInfo, genesisData: '0x00' } }),
    ],
    `details#>>'{blockchainInfo,genesisData}' AS value FROM transaction`,
    ['0x00'],
  ],
  [
    'an asset: first its id, then its name, then all of it',
    'mainnet.assets',
    [{ assetId: asset.assetId }, { assetId: asset.assetId, name: 'Coin' }, asset],
    `concat_ws(' ', name, symbol, denomination, type) AS value FROM asset`,
    ['Coin CN 3 nft'],
  ],
  [
    'a chain: its ids and the picture of its token are known',
    'evm.chains',
    [
      chainRow('7'),
      chainRow('7', {
        platformChainId: idOf('chain'),
        networkToken: { name: 'Coin', symbol: 'COIN', decimals: 18, logoUri: 'https://example.com/c.png' },
      }),
    ],
    `concat_ws(' ', blockchain_id, network_token->>'logoUri') AS value FROM chain`,
    [`${idOf('chain')} https://example.com/c.png`],
  ],
  [
    'a frame: its token has a name',
    'evm.43114.internal-transactions',
    [frameRow(), frameRow({ to: named })],
    `to_party->>'name' AS value FROM internal_tx`,
    ['Token'],
  ],
  [
    'a frame: its position and the name of its token are known',
    'evm.43114.internal-transactions',
    [frameRow(), frameRow({ position: 4 }), frameRow({ to: named })],
    `position || ' ' || (to_party->>'name') AS value FROM internal_tx`,
    ['4 Token'],
  ],
  [
    'an NFT: it was transferred twice, which a third row knows nothing of',
    'evm.nft-tokens',
    [
      { ...token, owner: `0x${'11'.repeat(20)}`, lastTransferBlock: '5', lastTransferTimestamp: 1000 },
      { ...token, owner: `0x${'22'.repeat(20)}`, lastTransferBlock: '6', lastTransferTimestamp: 2000 },
      { evmChainId: token.evmChainId, address: token.address.toUpperCase().replace('X', 'x'), tokenId: '1' },
    ],
    `last_transfer_block || ' ' || encode(owner, 'hex') AS value FROM nft_token`,
    [`6 ${'22'.repeat(20)}`],
  ],
  [
    'an NFT: it was transferred twice, at times without blocks',
    'evm.nft-tokens',
    [
      { ...token, owner: `0x${'11'.repeat(20)}`, lastTransferTimestamp: 1000 },
      { ...token, owner: `0x${'22'.repeat(20)}`, lastTransferTimestamp: 2000 },
    ],
    `encode(owner, 'hex') AS value FROM nft_token`,
    ['22'.repeat(20)],
  ],
  [
    'a message: sent, and delivered by one who does not know what was sent',
    'mainnet.icm.messages',
    [
      messageRow({
        rewardDetails: reward,
        receipts: [{ receivedMessageNonce: '1', relayerRewardAddress: addresses[0] }],
      }),
      messageRow({ rewardDetails: { ...reward, value: '5' } }),
      messageRow({
        sourceTransaction: undefined,
        destinationTransaction: deliveryAt(1_700_000_009),
        data: undefined,
        rewardDetails: noReward,
        messageExecuted: true,
      }),
    ],
    `concat_ws(' ', details->>'status', details->>'data', details#>>'{rewardDetails,value}',
       jsonb_array_length(details->'receipts'), details->>'messageExecuted') AS value FROM icm_message`,
    [`delivered 0x01 ${reward.value} 1 true`],
  ],
  [
    'a vertex: its transactions are known',
    'mainnet.x-chain.vertices',
    [
      { ...vertex, transactions: [] },
      { ...vertex, transactions: [idOf('t')] },
    ],
    `tx_hash AS value FROM vertex_transaction`,
    [idOf('t')],
  ],
  [
    'a transaction: what it consumed and emitted is known, and who owns what',
    'mainnet.x-chain.transactions',
    [
      transactionRow('t', { subnetOwnershipInfo: { ...owned, addresses: [] }, rewardAddresses: [] }),
      transactionRow('t', {
        consumedUtxos: [utxoRow('i', x)],
        emittedUtxos: [utxoRow('o', x)],
        subnetOwnershipInfo: owned,
        rewardAddresses: owned.addresses,
      }),
    ],
    `concat_ws(' ', (SELECT count(*) FROM transaction_output), (SELECT count(*) FROM transaction_input),
       jsonb_array_length(details#>'{subnetOwnershipInfo,addresses}'),
       jsonb_array_length(details->'rewardAddresses')) AS value FROM transaction`,
    ['1 1 1 1'],
  ],
  [
    'an output: its owners are known',
    'mainnet.x-chain.utxos',
    [utxoRow('a', { ...x, addresses: [] }), utxoRow('a', x)],
    `cardinality(addresses) AS value FROM utxo`,
    [1],
  ],
  [
    'a vertex: its parents are known',
    'mainnet.x-chain.vertices',
    [
      { ...vertex, transactions: [idOf('t')] },
      { ...vertex, transactions: [idOf('t')], parentHashes: [idOf('parent')] },
    ],
    `cardinality(parent_hashes) AS value FROM vertex`,
    [1],
  ],
  [
    'a chain: what is offered for it is known',
    'evm.chains',
    [chainRow('7', { enabledFeatures: [] }), chainRow('7', { enabledFeatures: ['webhooks'] })],
    `cardinality(enabled_features) AS value FROM chain`,
    [1],
  ],
  [
    'an NFT: whom a transfer gave it to, its block and its hash are known one by one',
    'evm.nft-tokens',
    [
      { ...token, lastTransferBlock: '5' },
      { ...token, owner: `0x${'11'.repeat(20)}` },
      { ...token, lastTransferTimestamp: 1000 },
    ],
    `concat_ws(' ', last_transfer_block, last_transfer_timestamp, encode(owner, 'hex')) AS value FROM nft_token`,
    [`5 1000 ${'11'.repeat(20)}`],
  ],
];

describe('rows of one thing make the same of it in whatever order they come', () => {
  test.each(cases)('%s', async (_what, file, rows, sql, values) => {
    // Frames of one file are different ones, however alike they are.
    const isApart = file.includes('internal');
    for (const order of orders(rows)) {
      for (const files of isApart ? [order.map((row) => [row])] : [[order], order.map((row) => [row])]) {
        await take(files, file);
        expect(await one(sql)).toEqual(values);
      }
    }
    // And what is worked out from them, of the two orders that differ most.
    const last = await dumpAll(database.storage);
    await take([rows], file);
    if (!isApart) expect(await dumpAll(database.storage)).toEqual(last);
  });

  test('and frames alike of one file stay as many, with and without positions', async () => {
    const rows = [frameRow(), frameRow({ to: named }), frameRow({ position: 4 })];
    for (const order of orders(rows)) {
      await take([order, order, rows], 'evm.43114.internal-transactions');
      expect(await one('count(*)::int AS value FROM internal_tx')).toEqual([3]);
      expect(await one(`count(*)::int AS value FROM internal_tx WHERE tie = 0 AND position = 4`)).toEqual([
        1,
      ]);
    }
  });
});

test('a lower bound of a balance raises what is known of its day, and lowers nothing', async () => {
  const day = { date: '2026-01-02', address: addresses[0] };
  const before = { ...day, date: '2026-01-01', balance: '9' };
  const after = { ...day, date: '2026-01-03', balance: '8' };
  const bound = (minBalance: string): [string, object[]] => [
    'evm.native-balance-daily',
    [{ ...day, evmChainId: '7', minBalance }],
  ];
  const exact = (...rows: object[]): [string, object[]] => ['evm.7.native-balances', rows];
  const known = `string_agg(previous || ' ' || balance, ', ' ORDER BY day) AS value FROM evm_balance`;
  const files: [string, object[]][] = [
    exact(before, { ...day, balance: '5' }, after),
    bound('3'),
    ['evm.native-balance-daily', [...bound('4')[1], ...bound('2')[1]]],
  ];
  for (const order of orders(files)) {
    await poolOf(database.storage).query(
      'TRUNCATE evm_balance, evm_holding_version, evm_holding, evm_address',
    );
    for (const [name, rows] of order) await importRows(database.storage, name, rows);
    expect(await one(known)).toEqual(['0 9, 9 5, 5 8']);
  }
  expect(await importRows(database.storage, ...bound('5'))).toMatchObject({ written: 0, unchanged: 1 });
  await importRows(database.storage, ...bound('7'));
  expect(await one(known)).toEqual(['0 9, 9 7, 7 8']);
});

test('frames that an older version held twice, since their token got a name, are one after an import', async () => {
  await take([[frameRow()]], 'evm.43114.internal-transactions');
  await poolOf(database.storage).query(
    `INSERT INTO internal_tx SELECT (i).* FROM (SELECT jsonb_populate_record(i, jsonb_build_object('id', 99, 'tie', 12345,
       'to_party', to_party || '{"name": "Token"}')) AS i FROM internal_tx i) twice`,
  );
  const path = database.write('evm.43114.internal-transactions.again.ndjson', [frameRow()]);
  expect(await runImport(database.storage, [path])).toMatchObject({ written: 1, unchanged: 0 });
  expect(await one(`to_party->>'name' AS value FROM internal_tx`)).toEqual(['Token']);
  expect(await runImport(database.storage, [path])).toMatchObject({ written: 0, unchanged: 1 });
});

test('a frame that a reorganisation put into another block is there once, under the same id', async () => {
  const name = 'evm.43114.internal-transactions';
  await take([[frameRow()]], name);
  const before = await one('id::text AS value FROM internal_tx');
  const moved = frameRow({ blockNumber: '9000000', blockHash: hashOf('another block') });
  await runImport(database.storage, [database.write(`${name}.moved.ndjson`, [moved])]);
  expect(await one('block_number::text AS value FROM internal_tx')).toEqual(['9000000']);
  expect(await one('id::text AS value FROM internal_tx')).toEqual(before);
});
