import { describe, expect, test } from 'vitest';
import { readSample } from '../harness/sample.js';

/** JSON type of each field, from the tables of the specification. */
type Fields = Record<string, 'string' | 'integer' | 'boolean' | 'object' | 'strings' | 'objects'>;

const asset: Fields = {
  assetId: 'string',
  name: 'string',
  symbol: 'string',
  denomination: 'integer',
  type: 'string',
  amount: 'string',
};
const utxo: Fields = {
  addresses: 'strings',
  asset: 'object',
  consumedOnChainId: 'string',
  consumingTxHash: 'string',
  createdOnChainId: 'string',
  utxoId: 'string',
  utxoBytes: 'string',
  amount: 'string',
  assetId: 'string',
  blockNumber: 'string',
  blockTimestamp: 'integer',
  consumingBlockNumber: 'string',
  consumingBlockTimestamp: 'integer',
  platformLocktime: 'integer',
  outputIndex: 'integer',
  rewardType: 'string',
  stakeableLocktime: 'integer',
  staked: 'boolean',
  threshold: 'integer',
  txHash: 'string',
  utxoEndTimestamp: 'integer',
  utxoStartTimestamp: 'integer',
  utxoType: 'string',
};
const transaction: Fields = {
  txHash: 'string',
  txType: 'string',
  blockTimestamp: 'integer',
  blockNumber: 'string',
  blockHash: 'string',
  consumedUtxos: 'objects',
  emittedUtxos: 'objects',
  sourceChain: 'string',
  destinationChain: 'string',
  value: 'objects',
  amountBurned: 'objects',
  amountStaked: 'objects',
  amountL1ValidatorBalanceBurned: 'objects',
  startTimestamp: 'integer',
  endTimestamp: 'integer',
  delegationFeePercent: 'string',
  nodeId: 'string',
  subnetId: 'string',
  l1ValidatorManagerDetails: 'object',
  l1ValidatorDetails: 'objects',
  estimatedReward: 'string',
  rewardTxHash: 'string',
  rewardAddresses: 'strings',
  memo: 'string',
  stakingTxHash: 'string',
  subnetOwnershipInfo: 'object',
  blsCredentials: 'object',
  blockchainInfo: 'object',
};
const blsCredentials: Fields = { publicKey: 'string', proofOfPossession: 'string' };
const l1ValidatorDetails: Fields = {
  validationId: 'string',
  validationIdHex: 'string',
  nodeId: 'string',
  subnetId: 'string',
  weight: 'integer',
  remainingBalance: 'integer',
  balanceChange: 'integer',
  blsCredentials: 'object',
};
const genesis: Fields = {
  airdropAmount: 'integer',
  airdropHash: 'string',
  alloc: 'object',
  baseFeePerGas: 'integer',
  blobGasUsed: 'string',
  coinbase: 'string',
  config: 'object',
  difficulty: 'string',
  excessBlobGas: 'string',
  extraData: 'string',
  gasLimit: 'string',
  gasUsed: 'string',
  mixHash: 'string',
  nonce: 'string',
  number: 'string',
  parentHash: 'string',
  timestamp: 'string',
};
const integers = (names: string): Fields =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, 'integer']));
const objects = (names: string): Fields =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, 'object']));
const allowLists = `txAllowListConfig contractDeployerAllowListConfig contractNativeMinterConfig
  feeManagerConfig rewardManagerConfig`;
const config: Fields = {
  ...integers(`berlinBlock byzantiumBlock chainId constantinopleBlock eip150Block eip155Block eip158Block
    homesteadBlock istanbulBlock londonBlock muirGlacierBlock petersburgBlock subnetEVMTimestamp`),
  eip150Hash: 'string',
  allowFeeRecipients: 'boolean',
  ...objects(`feeConfig warpConfig ${allowLists}`),
};
const feeConfig = integers(`baseFeeChangeDenominator blockGasCostStep gasLimit maxBlockGasCost minBaseFee
  minBlockGasCost targetBlockRate targetGas`);
const warpConfig: Fields = {
  blockTimestamp: 'integer',
  quorumNumerator: 'integer',
  requirePrimaryNetworkSigners: 'boolean',
};
const allowList: Fields = {
  blockTimestamp: 'integer',
  adminAddresses: 'strings',
  managerAddresses: 'strings',
  enabledAddresses: 'strings',
};
const vertex: Fields = {
  vertexHash: 'string',
  parentHashes: 'strings',
  vertexHeight: 'integer',
  vertexIndex: 'integer',
  vertexTimestamp: 'integer',
  txCount: 'integer',
  transactions: 'strings',
  vertexSizeBytes: 'integer',
};
const party: Fields = {
  name: 'string',
  symbol: 'string',
  decimals: 'integer',
  logoUri: 'string',
  address: 'string',
};
const internalTx: Fields = {
  blockNumber: 'string',
  blockTimestamp: 'integer',
  blockHash: 'string',
  txHash: 'string',
  from: 'object',
  to: 'object',
  internalTxType: 'string',
  value: 'string',
  isReverted: 'boolean',
  gasUsed: 'string',
  gasLimit: 'string',
};
const message: Fields = {
  messageId: 'string',
  icmContractAddress: 'string',
  sourceBlockchainId: 'string',
  destinationBlockchainId: 'string',
  sourceEvmChainId: 'string',
  destinationEvmChainId: 'string',
  messageNonce: 'string',
  from: 'string',
  to: 'string',
  data: 'string',
  messageExecuted: 'boolean',
  receipts: 'objects',
  receiptDelivered: 'boolean',
  rewardDetails: 'object',
  sourceTransaction: 'object',
  destinationTransaction: 'object',
  status: 'string',
};
const receipt: Fields = { receivedMessageNonce: 'string', relayerRewardAddress: 'string' };
const reward: Fields = {
  address: 'string',
  name: 'string',
  symbol: 'string',
  decimals: 'integer',
  logoUri: 'string',
  ercType: 'string',
  price: 'object',
  value: 'string',
};
const sourceTransaction: Fields = { txHash: 'string', timestamp: 'integer', gasSpent: 'string' };

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

const tables: readonly (readonly [name: string, fields: Fields, rows: readonly unknown[]])[] = [
  ['asset amount', asset, inside(allUtxos, 'asset')],
  ['value', asset, inside(allTransactions, 'value')],
  ['amountBurned', asset, inside(allTransactions, 'amountBurned')],
  ['amountStaked', asset, inside(allTransactions, 'amountStaked')],
  ['amountL1ValidatorBalanceBurned', asset, inside(allTransactions, 'amountL1ValidatorBalanceBurned')],
  ['UTXO', utxo, allUtxos],
  ['transaction', transaction, allTransactions],
  [
    'l1ValidatorManagerDetails',
    { blockchainId: 'string', contractAddress: 'string' },
    inside(allTransactions, 'l1ValidatorManagerDetails'),
  ],
  ['l1ValidatorDetails', l1ValidatorDetails, validators],
  ['blsCredentials of a validator', blsCredentials, inside(validators, 'blsCredentials')],
  ['blsCredentials', blsCredentials, inside(allTransactions, 'blsCredentials')],
  [
    'subnetOwnershipInfo',
    { locktime: 'integer', threshold: 'integer', addresses: 'strings' },
    inside(allTransactions, 'subnetOwnershipInfo'),
  ],
  ['genesisData', genesis, genesisRows],
  ['config', config, configRows],
  ['feeConfig', feeConfig, inside(configRows, 'feeConfig')],
  ['warpConfig', warpConfig, inside(configRows, 'warpConfig')],
  ...allowLists.split(/\s+/).map((name) => [name, allowList, inside(configRows, name)] as const),
  [
    'account of a genesis',
    { balance: 'string', code: 'string', storage: 'object' },
    inside(genesisRows, 'alloc').flatMap((accounts) => Object.values(accounts)),
  ],
  ['vertex', vertex, rowsOf('fuji.x-chain.vertices')],
  ['internal transaction', internalTx, internalTxs],
  ['token party', party, [...inside(internalTxs, 'from'), ...inside(internalTxs, 'to')]],
  ['ICM message', message, messages],
  ['receipt', receipt, inside(messages, 'receipts')],
  ['rewardDetails', reward, inside(messages, 'rewardDetails')],
  ['price', { currencyCode: 'string', value: 'string' }, inside(inside(messages, 'rewardDetails'), 'price')],
  ['sourceTransaction', sourceTransaction, inside(messages, 'sourceTransaction')],
  [
    'destinationTransaction',
    { ...sourceTransaction, rewardRedeemer: 'string', delivererAddress: 'string' },
    inside(messages, 'destinationTransaction'),
  ],
];

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? 'strings' : 'objects';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction';
  return typeof value;
}

describe.each(tables)('the fields of %s', (_, fields, rows) => {
  test('each hold something somewhere, and always of the type of the specification', () => {
    for (const [field, type] of Object.entries(fields)) {
      const values = rows
        .map((row) => (row as Row)[field])
        .filter((value) => value !== undefined && value !== null);
      // An empty list has no type of its own, so only lists with something in them say one.
      const types = values.filter((value) => !Array.isArray(value) || value.length > 0).map(typeOf);
      expect([field, ...new Set(types)]).toEqual([field, type]);
    }
  });

  test('are none but those of the specification', () => {
    const known = new Set(Object.keys(fields));
    expect(rows.flatMap((row) => Object.keys(row as Row)).filter((key) => !known.has(key))).toEqual([]);
  });
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
