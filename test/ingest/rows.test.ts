import { describe, expect, test } from 'vitest';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { tieOf } from '../../src/avalanche/tie.js';
import { readTransaction } from '../../src/resources/transaction/import-row.js';
import { readUtxo } from '../../src/resources/utxo/import-row.js';
import { utxoImport } from '../../src/resources/utxo/import.js';
import fc from 'fast-check';
import { addressOf, idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { encodeCb58 } from '../../src/avalanche/cb58.js';

const scope = { network: 'mainnet', chain: 'p' } as const;
const id = idOf('x');
const badChecksum = `${id.slice(0, -1)}${id.endsWith('2') ? '3' : '2'}`;

describe('a UTXO row is refused', () => {
  test.each<[string, object, string | RegExp]>([
    ['without addresses', { addresses: undefined }, 'addresses: is missing; it must be a list'],
    [
      'with an address of another network',
      { addresses: [addressOf('a', 'fuji')] },
      /^addresses\[0\]: "fuji1.* does not begin with avax1/,
    ],
    [
      'with a misspelt address',
      { addresses: [`${addressOf('a').slice(0, -1)}b`] },
      /^addresses\[0\]: .* has a wrong bech32 checksum/,
    ],
    ['without utxoId', { utxoId: null }, 'utxoId: is missing; it must be a 32-byte id in CB58'],
    ['with a wrong checksum', { txHash: badChecksum }, /^txHash: ".*" is not a 32-byte id in CB58/],
    [
      'with an amount that is a number',
      { amount: 5 },
      'asset.amount: 5 is not a string of decimal digits, 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935',
    ],
    ['with an amount beyond 256 bits', { amount: String(2n ** 256n) }, /^asset\.amount: /],
    ['with a leading zero', { blockNumber: '007' }, /^blockNumber: "007" is not/],
    ['with a fraction', { outputIndex: 1.5 }, /^outputIndex: 1\.5 is not a whole number/],
    ['with a negative number', { blockTimestamp: -1 }, /^blockTimestamp: -1 is not/],
    [
      'with a number beyond 64 bits',
      { stakeableLocktime: 2n ** 64n },
      /^stakeableLocktime: 18446744073709551616 is not/,
    ],
    ['with an unknown utxoType', { utxoType: 'GIFT' }, 'utxoType: "GIFT" is not STAKE or TRANSFER'],
    [
      'with an unknown rewardType',
      { rewardType: 'LUCK' },
      'rewardType: "LUCK" is not VALIDATOR or DELEGATOR or VALIDATOR_FEE',
    ],
    [
      'with an unknown asset type',
      { asset: { assetId: id, amount: '1', type: 'erc20' } },
      'asset.type: "erc20" is not secp256k1 or nft',
    ],
    [
      'with a chain of the other network',
      { createdOnChainId: blockchainIds.fuji.x },
      /^createdOnChainId: .* is not the id of p-chain, x-chain, c-chain of mainnet/,
    ],
    ['with staked as a text', { staked: 'true' }, 'staked: "true" is not true or false'],
    ['with odd hex', { utxoBytes: '0x123' }, 'utxoBytes: "0x123" is not bytes in hex with 0x'],
    [
      'with two assets',
      { asset: { assetId: id, amount: '1000' }, assetId: idOf('y') },
      /^assetId: ".*" is not the asset's/,
    ],
    [
      'with two amounts',
      { asset: { assetId: id, amount: '1' }, assetId: id, amount: '2' },
      `amount: "2" is not the asset's, 1`,
    ],
  ])('%s', (_case, fields, reason) => {
    expect(() => readUtxo(utxoRow('row', fields), 'mainnet')).toThrow(reason);
  });

  test('that is no object, or belongs to another chain than its file', () => {
    for (const value of [null, [], 'text', 5])
      expect(() => readUtxo(value, 'mainnet')).toThrow(/^the line: /);
    expect(() => utxoImport.read(utxoRow('row'), { network: 'mainnet', chain: 'x' })).toThrow(
      'createdOnChainId: an output from p-chain to p-chain is not one of x-chain',
    );
  });
});

test('a UTXO row with nothing but what is required is read, the rest unknown', () => {
  const { record, asset } = readUtxo(utxoRow('row', { addresses: [`P-${addressOf('a')}`] }), 'mainnet');
  expect(record).toMatchObject({ addresses: `{${addressOf('a')}}`, amount: '1000', created_on: 'p' });
  expect(Object.entries(record).flatMap(([name, value]) => (value === null ? [name] : []))).toHaveLength(13);
  expect(asset).toMatchObject({ name: '', symbol: '', denomination: '0', described: false });
});

describe('a transaction row is refused', () => {
  const utxo = utxoRow('u');
  test.each<[string, object, string | RegExp]>([
    ['without blockTimestamp', { blockTimestamp: undefined }, /^blockTimestamp: is missing/],
    ['without consumedUtxos', { consumedUtxos: undefined }, 'consumedUtxos: is missing; it must be a list'],
    ['without emittedUtxos', { emittedUtxos: null }, 'emittedUtxos: is missing; it must be a list'],
    ['without txType', { txType: undefined }, 'txType: is missing; it must be a string'],
    [
      'with a wrong output',
      { emittedUtxos: [utxo, { ...utxo, utxoType: 'x' }] },
      'emittedUtxos[1].utxoType: "x" is not',
    ],
    [
      'with an output twice',
      { emittedUtxos: [utxo, utxo] },
      /^emittedUtxos\[1\]\.utxoId: ".*" is not new in this list/,
    ],
    ['with an amount without asset', { value: [{ amount: '1' }] }, 'value[0].assetId: is missing'],
    ['with a memo that is a number', { memo: 5 }, 'memo: 5 is not a string'],
    [
      'with a weight beyond 64 bits',
      { l1ValidatorDetails: [{ validationId: '', nodeId: '', subnetId: '', weight: 2n ** 64n }] },
      /^l1ValidatorDetails\[0\]\.weight: /,
    ],
    [
      'with half an owner',
      { subnetOwnershipInfo: { locktime: 1, threshold: 1 } },
      'subnetOwnershipInfo.addresses: is missing',
    ],
    [
      'with a genesis that is a number',
      { blockchainInfo: { chainName: 'c', vmId: 'v', genesisData: 1 } },
      /^blockchainInfo\.genesisData: 1 is not an object/,
    ],
    [
      'with a number that no database holds',
      { blockchainInfo: { chainName: 'c', vmId: 'v', genesisData: { x: Infinity } } },
      /^blockchainInfo\.genesisData\.x: .*too large/,
    ],
  ])('%s', (_case, fields, reason) => {
    expect(() => readTransaction(transactionRow('t', fields), scope)).toThrow(reason);
  });
});

test('a transaction of an unknown type is stored as UNKNOWN, one without block as unknown', () => {
  const read = readTransaction(
    transactionRow('t', { txType: 'NewTx', blockNumber: '', blockHash: '' }),
    scope,
  );
  expect(read).toMatchObject({ txType: 'UNKNOWN', blockNumber: null, blockHash: null, details: {} });
});

test.each([
  ['p', ['BaseTx', 'ConvertSubnetToL1Tx', 'ImportTx'], ['OperationTx', 'CreateAssetTx', 'toString']],
  ['x', ['BaseTx', 'OperationTx', 'CreateAssetTx', 'ExportTx'], ['AddValidatorTx', 'CreateSubnetTx']],
  ['c', ['ImportTx', 'ExportTx'], ['BaseTx', 'OperationTx', 'RewardValidatorTx']],
] as const)('a type of another chain than the %s-chain is stored as UNKNOWN', (chain, own, foreign) => {
  const stored = (txType: string) =>
    readTransaction(transactionRow('t', { txType }), { network: 'mainnet', chain }).txType;
  expect(own.map(stored)).toEqual(own);
  expect([...foreign, 'UNKNOWN'].map(stored)).toEqual([...foreign.map(() => 'UNKNOWN'), 'UNKNOWN']);
});

test('details keep what was imported, without nulls and without names that the specification lacks', () => {
  const genesisData = {
    airdropAmount: null,
    blobGasUsed: null,
    alloc: { '0x01': { balance: '0x1', code: null } },
    config: { chainId: 1e21 },
  };
  const { details } = readTransaction(
    transactionRow('t', {
      memo: null,
      extra: 1,
      nodeId: 'NodeID-1',
      blockchainInfo: { chainName: 'c', vmId: 'v', genesisData },
    }),
    scope,
  );
  expect(details).toEqual({
    nodeId: 'NodeID-1',
    blockchainInfo: {
      chainName: 'c',
      vmId: 'v',
      genesisData: {
        airdropAmount: null,
        blobGasUsed: null,
        alloc: { '0x01': { balance: '0x1' } },
        config: { chainId: 10n ** 21n },
      },
    },
  });
});

test('a consumed output takes its consumer from the transaction where its row leaves it out', () => {
  const { inputs } = readTransaction(
    transactionRow('t', {
      blockNumber: '9',
      consumedUtxos: [
        utxoRow('a'),
        utxoRow('b', { consumingBlockNumber: '8' }),
        utxoRow('c', { consumingTxHash: id }),
      ],
    }),
    scope,
  );
  expect(
    inputs.map(({ record }) => [
      record.consuming_tx_hash,
      record.consuming_block_number,
      record.consuming_block_timestamp,
    ]),
  ).toEqual([
    [idOf('t'), '9', '1700000000'],
    [idOf('t'), '8', '1700000000'],
    [id, null, null],
  ]);
});

test('property: the tie of ids sorts as their first ten characters do, and fits 63 bits', () => {
  const ids = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => encodeCb58(bytes));
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      const [left, right] = [a.slice(0, 10), b.slice(0, 10)];
      expect(tieOf(a) < tieOf(b)).toBe(left < right);
      expect(tieOf(a) === tieOf(b)).toBe(left === right);
      expect(tieOf(a)).toBeLessThan(2n ** 63n);
    }),
  );
  expect(tieOf('zzzzzzzzzzz')).toBe(58n ** 10n - 1n);
  expect(() => tieOf('0OIl')).toThrow(RangeError);
});
