import { describe, expect, test } from 'vitest';
import { readTransaction } from '../../src/resources/transaction/import-row.js';
import { idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';

const scope = { network: 'mainnet', chain: 'p' } as const;
const id = idOf('x');

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
      blockchainInfo: { chainName: 'c', vmId: 'v', genesisData, extra: 1 },
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
