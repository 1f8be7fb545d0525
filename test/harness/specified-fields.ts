type JsonType =
  'string' | 'integer' | 'boolean' | 'object' | 'array of string' | 'array of object' | 'integer or null';
export type Fields = Record<string, JsonType>;

/** Fields of one type. */
export function fields(type: JsonType, names: string): Fields {
  return Object.fromEntries(names.split(' ').map((name) => [name, type]));
}

// The field tables of the specification.
export const asset: Fields = {
  ...fields('string', 'assetId name symbol type amount'),
  denomination: 'integer',
};
export const utxo: Fields = {
  ...fields(
    'string',
    'consumedOnChainId consumingTxHash createdOnChainId utxoId utxoBytes amount assetId blockNumber',
  ),
  ...fields('string', 'consumingBlockNumber rewardType txHash utxoType'),
  ...fields(
    'integer',
    'blockTimestamp consumingBlockTimestamp platformLocktime outputIndex stakeableLocktime',
  ),
  ...fields('integer', 'threshold utxoEndTimestamp utxoStartTimestamp'),
  addresses: 'array of string',
  asset: 'object',
  staked: 'boolean',
};
export const transaction: Fields = {
  ...fields(
    'string',
    'txHash txType blockNumber blockHash sourceChain destinationChain delegationFeePercent nodeId',
  ),
  ...fields('string', 'subnetId estimatedReward rewardTxHash memo stakingTxHash'),
  ...fields('integer', 'blockTimestamp startTimestamp endTimestamp'),
  ...fields('array of object', 'consumedUtxos emittedUtxos value amountBurned amountStaked'),
  ...fields('array of object', 'amountL1ValidatorBalanceBurned l1ValidatorDetails'),
  // Beyond the specification: the clients' transactions of the C-chain have them.
  ...fields('array of object', 'evmInputs evmOutputs'),
  ...fields('object', 'l1ValidatorManagerDetails subnetOwnershipInfo blsCredentials blockchainInfo'),
  // Beyond the specification, too.
  subnetTransformation: 'object',
  rewardAddresses: 'array of string',
};
export const subnetTransformation: Fields = {
  ...fields(
    'string',
    'assetId initialSupply maximumSupply minValidatorStake maxValidatorStake minDelegatorStake',
  ),
  ...fields('integer', 'minConsumptionRate maxConsumptionRate minStakeDuration maxStakeDuration'),
  ...fields('integer', 'minDelegationFee maxValidatorWeightFactor uptimeRequirement'),
};
export const evmAmount: Fields = fields('string', 'address assetId amount');
export const l1ValidatorDetails: Fields = {
  ...fields('string', 'validationId validationIdHex nodeId subnetId'),
  ...fields('integer', 'weight remainingBalance balanceChange'),
  blsCredentials: 'object',
};
export const genesisData: Fields = {
  ...fields(
    'string',
    'airdropHash coinbase difficulty extraData gasLimit gasUsed mixHash nonce number parentHash timestamp',
  ),
  ...fields('object', 'alloc config'),
};
// "may be null": a number or null (contract, "Transactions"); REST keeps the null.
export const genesisNullable = ['airdropAmount', 'baseFeePerGas', 'blobGasUsed', 'excessBlobGas'];
export const config: Fields = {
  ...fields(
    'integer',
    'berlinBlock byzantiumBlock chainId constantinopleBlock eip150Block eip155Block eip158Block',
  ),
  ...fields(
    'integer',
    'homesteadBlock istanbulBlock londonBlock muirGlacierBlock petersburgBlock subnetEVMTimestamp',
  ),
  ...fields('object', 'feeConfig warpConfig txAllowListConfig contractDeployerAllowListConfig'),
  ...fields('object', 'contractNativeMinterConfig feeManagerConfig rewardManagerConfig'),
  eip150Hash: 'string',
  allowFeeRecipients: 'boolean',
};
export const feeConfig = fields(
  'integer',
  'baseFeeChangeDenominator blockGasCostStep gasLimit maxBlockGasCost minBaseFee minBlockGasCost targetBlockRate targetGas',
);
export const warpConfig: Fields = {
  ...fields('integer', 'blockTimestamp quorumNumerator'),
  requirePrimaryNetworkSigners: 'boolean',
};
export const allowList: Fields = {
  ...fields('array of string', 'adminAddresses managerAddresses enabledAddresses'),
  blockTimestamp: 'integer',
};
export const allowLists = [
  'txAllowListConfig',
  'contractDeployerAllowListConfig',
  'contractNativeMinterConfig',
  'feeManagerConfig',
  'rewardManagerConfig',
];
