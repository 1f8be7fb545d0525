import { describe, expect, test } from 'vitest';
import { blockFields } from '../../src/resources/block/fields.js';
import { icmMessageFields } from '../../src/resources/icm-message/fields.js';
import { internalTxFields } from '../../src/resources/internal-tx/fields.js';
import { transactionDetails } from '../../src/resources/transaction/details.js';
import { transactionFields } from '../../src/resources/transaction/fields.js';
import { utxoFields } from '../../src/resources/utxo/fields.js';
import { vertexFields } from '../../src/resources/vertex/fields.js';
import { readSample } from '../harness/sample.js';
import * as specified from '../harness/specified-fields.js';
import * as line from '../harness/specified-line-fields.js';

type Row = Record<string, unknown>;
const { rowsOf, allUtxos, allTransactions } = readSample();

const inside = (rows: readonly unknown[], key: string): Row[] =>
  rows.flatMap((row) => (row as Record<string, Row[] | undefined>)[key] ?? []);
const genesisRows = inside(inside(allTransactions, 'blockchainInfo'), 'genesisData').filter(
  (data) => typeof data === 'object',
);
const configRows = inside(genesisRows, 'config');
const validators = inside(allTransactions, 'l1ValidatorDetails');
const internalTxs = rowsOf<Row>('evm.43113.internal-transactions');
const messages = rowsOf<Row>('fuji.icm.messages');

const tables: readonly (readonly [name: string, fields: specified.Fields, rows: readonly unknown[]])[] = [
  ['asset amount', specified.asset, inside(allUtxos, 'asset')],
  ['value', specified.asset, inside(allTransactions, 'value')],
  ['amountBurned', specified.asset, inside(allTransactions, 'amountBurned')],
  ['amountStaked', specified.asset, inside(allTransactions, 'amountStaked')],
  [
    'amountL1ValidatorBalanceBurned',
    specified.asset,
    inside(allTransactions, 'amountL1ValidatorBalanceBurned'),
  ],
  ['UTXO', specified.utxo, allUtxos],
  ['transaction', { ...specified.transaction, position: 'integer' }, allTransactions],
  [
    'l1ValidatorManagerDetails',
    { blockchainId: 'string', contractAddress: 'string' },
    inside(allTransactions, 'l1ValidatorManagerDetails'),
  ],
  ['evmInputs', specified.evmAmount, inside(allTransactions, 'evmInputs')],
  ['evmOutputs', specified.evmAmount, inside(allTransactions, 'evmOutputs')],
  ['l1ValidatorDetails', specified.l1ValidatorDetails, validators],
  ['blsCredentials of a validator', line.blsCredentials, inside(validators, 'blsCredentials')],
  ['blsCredentials', line.blsCredentials, inside(allTransactions, 'blsCredentials')],
  [
    'subnetOwnershipInfo',
    { locktime: 'integer', threshold: 'integer', addresses: 'array of string' },
    inside(allTransactions, 'subnetOwnershipInfo'),
  ],
  ['subnetTransformation', specified.subnetTransformation, inside(allTransactions, 'subnetTransformation')],
  ['genesisData', line.genesis, genesisRows],
  ['config', specified.config, configRows],
  ['feeConfig', specified.feeConfig, inside(configRows, 'feeConfig')],
  ['warpConfig', specified.warpConfig, inside(configRows, 'warpConfig')],
  ...specified.allowLists.map((name) => [name, specified.allowList, inside(configRows, name)] as const),
  [
    'account of a genesis',
    { balance: 'string', code: 'string', storage: 'object' },
    inside(genesisRows, 'alloc').flatMap((accounts) => Object.values(accounts)),
  ],
  ['block', line.block, (['p', 'x', 'c'] as const).flatMap((chain) => rowsOf(`fuji.${chain}-chain.blocks`))],
  ['vertex', line.vertex, rowsOf('fuji.x-chain.vertices')],
  ['internal transaction', line.internalTx, internalTxs],
  ['token party', line.party, [...inside(internalTxs, 'from'), ...inside(internalTxs, 'to')]],
  ['ICM message', { ...line.message, sourceBlockNumber: 'string', sourceLogIndex: 'integer' }, messages],
  ['receipt', line.receipt, inside(messages, 'receipts')],
  ['rewardDetails', line.reward, inside(messages, 'rewardDetails')],
  ['price', { currencyCode: 'string', value: 'string' }, inside(inside(messages, 'rewardDetails'), 'price')],
  ['sourceTransaction', line.sourceTransaction, inside(messages, 'sourceTransaction')],
  [
    'destinationTransaction',
    { ...line.sourceTransaction, rewardRedeemer: 'string', delivererAddress: 'string' },
    inside(messages, 'destinationTransaction'),
  ],
];

function typeOf(value: unknown): string {
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string') ? 'array of string' : 'array of object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction';
  return typeof value;
}

describe.each(tables)('the fields of %s', (_, fields, rows) => {
  test('each hold something somewhere, and always of the type of the specification', () => {
    for (const [field, type] of Object.entries(fields)) {
      const values = rows
        .map((row) => (row as Row)[field])
        .filter((value) => value !== undefined && value !== null);
      // An empty list has no type of its own, so that only lists with items show one.
      const types = values.filter((value) => !Array.isArray(value) || value.length > 0).map(typeOf);
      expect([field, ...new Set(types)]).toEqual([field, type]);
    }
  });

  test('are none but those of the specification', () => {
    const known = new Set(Object.keys(fields));
    expect(rows.flatMap((row) => Object.keys(row as Row)).filter((key) => !known.has(key))).toEqual([]);
  });
});

test.each([
  ['utxoFields', utxoFields, specified.utxo],
  ['transactionFields', { ...transactionFields, ...transactionDetails }, specified.transaction],
  ['blockFields', blockFields, line.block],
  ['vertexFields', vertexFields, line.vertex],
  ['internalTxFields', internalTxFields, line.internalTx],
  ['icmMessageFields', icmMessageFields, line.message],
])('the sample is tested for every field of %s', (_, declared, tested) => {
  expect(Object.keys(declared).filter((name) => !(name in tested))).toEqual([]);
});

test('one genesis is of a chain that is no EVM, and so an encoded string', () => {
  const all = allTransactions.flatMap((row) => row.blockchainInfo?.genesisData ?? []);
  expect(all.filter((data) => typeof data === 'string').length).toBe(1);
});

test('weights and balances pass the 32 bits of a GraphQL Int', () => {
  const largest = (field: string) => Math.max(...validators.map((row) => Number(row[field])));
  expect(largest('weight')).toBeGreaterThan(2 ** 31);
  expect(largest('remainingBalance')).toBeGreaterThan(2 ** 31);
  expect(Math.min(...validators.map((row) => Number(row['balanceChange'])))).toBeLessThan(0);
});
