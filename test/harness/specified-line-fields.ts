import { genesisData, type Fields } from './specified-fields.js';

// The field tables of the specification for the files of an import that are not outputs or transactions.
export const blsCredentials: Fields = { publicKey: 'string', proofOfPossession: 'string' };
/** A genesis whose fields that may be null have their values. */
export const genesis: Fields = {
  ...genesisData,
  airdropAmount: 'integer',
  baseFeePerGas: 'integer',
  blobGasUsed: 'string',
  excessBlobGas: 'string',
};
export const block: Fields = {
  blockNumber: 'string',
  blockHash: 'string',
  parentHash: 'string',
  blockType: 'string',
  blockTimestamp: 'integer',
  blockSizeBytes: 'integer',
  txCount: 'integer',
  proposerNodeId: 'string',
};
export const vertex: Fields = {
  vertexHash: 'string',
  parentHashes: 'array of string',
  vertexHeight: 'integer',
  vertexIndex: 'integer',
  vertexTimestamp: 'integer',
  txCount: 'integer',
  transactions: 'array of string',
  vertexSizeBytes: 'integer',
};
export const party: Fields = {
  name: 'string',
  symbol: 'string',
  decimals: 'integer',
  logoUri: 'string',
  address: 'string',
};
export const internalTx: Fields = {
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
export const message: Fields = {
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
  receipts: 'array of object',
  receiptDelivered: 'boolean',
  rewardDetails: 'object',
  sourceTransaction: 'object',
  destinationTransaction: 'object',
  status: 'string',
};
export const receipt: Fields = { receivedMessageNonce: 'string', relayerRewardAddress: 'string' };
export const reward: Fields = {
  address: 'string',
  name: 'string',
  symbol: 'string',
  decimals: 'integer',
  logoUri: 'string',
  ercType: 'string',
  price: 'object',
  value: 'string',
};
export const sourceTransaction: Fields = { txHash: 'string', timestamp: 'integer', gasSpent: 'string' };
