/** JSON type of each field, from the tables of the specification. */
export type Fields = Record<string, 'string' | 'integer' | 'boolean' | 'object' | 'strings' | 'objects'>;

export const asset: Fields = {
  assetId: 'string',
  name: 'string',
  symbol: 'string',
  denomination: 'integer',
  type: 'string',
  amount: 'string',
};
export const utxo: Fields = {
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
export const transaction: Fields = {
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
export const blsCredentials: Fields = { publicKey: 'string', proofOfPossession: 'string' };
export const l1ValidatorDetails: Fields = {
  validationId: 'string',
  validationIdHex: 'string',
  nodeId: 'string',
  subnetId: 'string',
  weight: 'integer',
  remainingBalance: 'integer',
  balanceChange: 'integer',
  blsCredentials: 'object',
};
export const genesis: Fields = {
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
export const allowLists = `txAllowListConfig contractDeployerAllowListConfig contractNativeMinterConfig
  feeManagerConfig rewardManagerConfig`;
export const config: Fields = {
  ...integers(`berlinBlock byzantiumBlock chainId constantinopleBlock eip150Block eip155Block eip158Block
    homesteadBlock istanbulBlock londonBlock muirGlacierBlock petersburgBlock subnetEVMTimestamp`),
  eip150Hash: 'string',
  allowFeeRecipients: 'boolean',
  ...objects(`feeConfig warpConfig ${allowLists}`),
};
export const feeConfig =
  integers(`baseFeeChangeDenominator blockGasCostStep gasLimit maxBlockGasCost minBaseFee
  minBlockGasCost targetBlockRate targetGas`);
export const warpConfig: Fields = {
  blockTimestamp: 'integer',
  quorumNumerator: 'integer',
  requirePrimaryNetworkSigners: 'boolean',
};
export const allowList: Fields = {
  blockTimestamp: 'integer',
  adminAddresses: 'strings',
  managerAddresses: 'strings',
  enabledAddresses: 'strings',
};
export const vertex: Fields = {
  vertexHash: 'string',
  parentHashes: 'strings',
  vertexHeight: 'integer',
  vertexIndex: 'integer',
  vertexTimestamp: 'integer',
  txCount: 'integer',
  transactions: 'strings',
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
  receipts: 'objects',
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
