/** The shapes of spec.md that the ledger writes. Optional fields are left out, never null. */

export interface AssetAmountRow {
  assetId: string;
  name: string;
  symbol: string;
  denomination: number;
  type: 'secp256k1' | 'nft';
  amount: string;
}

export interface UtxoRow {
  addresses: string[];
  asset: AssetAmountRow;
  createdOnChainId: string;
  consumedOnChainId: string;
  utxoId: string;
  utxoBytes?: string;
  amount: string;
  assetId: string;
  blockNumber?: string;
  blockTimestamp: number;
  platformLocktime: number;
  outputIndex: number;
  staked: boolean;
  threshold: number;
  txHash: string;
  utxoType: 'STAKE' | 'TRANSFER';
  stakeableLocktime?: number;
  utxoStartTimestamp?: number;
  utxoEndTimestamp?: number;
  rewardType?: 'VALIDATOR' | 'DELEGATOR' | 'VALIDATOR_FEE';
  consumingTxHash?: string;
  consumingBlockNumber?: string;
  consumingBlockTimestamp?: number;
}

export interface BlsCredentials {
  publicKey: string;
  proofOfPossession: string;
}

export interface L1ValidatorDetails {
  validationId: string;
  validationIdHex: string;
  nodeId: string;
  subnetId: string;
  weight: number;
  /** nAVAX. */
  remainingBalance: number;
  /** nAVAX; negative when returned to its owner. */
  balanceChange?: number;
  blsCredentials?: BlsCredentials;
}

/** What a transaction says beside its inputs, outputs and amounts; which fields, its type decides. */
export interface TransactionDetails {
  sourceChain?: string;
  destinationChain?: string;
  startTimestamp?: number;
  endTimestamp?: number;
  delegationFeePercent?: string;
  nodeId?: string;
  subnetId?: string;
  l1ValidatorManagerDetails?: { blockchainId: string; contractAddress: string };
  l1ValidatorDetails?: L1ValidatorDetails[];
  estimatedReward?: string;
  rewardTxHash?: string;
  rewardAddresses?: string[];
  memo?: string;
  stakingTxHash?: string;
  subnetOwnershipInfo?: { locktime: number; threshold: number; addresses: string[] };
  blsCredentials?: BlsCredentials;
  blockchainInfo?: { chainName: string; vmId: string; genesisData: object | string };
}

export interface TransactionRow extends TransactionDetails {
  txHash: string;
  txType: string;
  blockTimestamp: number;
  blockNumber?: string;
  blockHash?: string;
  consumedUtxos: UtxoRow[];
  emittedUtxos: UtxoRow[];
  value: AssetAmountRow[];
  amountBurned: AssetAmountRow[];
  amountStaked: AssetAmountRow[];
  amountL1ValidatorBalanceBurned: AssetAmountRow[];
}
