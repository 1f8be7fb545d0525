const bytes = "the outputs' own bytes, or their rows where the sample has none";
const utxo = 'the list of outputs, which others compare with nodes';
const transaction = 'the transaction itself';
const state = "the follower's state of stakers, which others compare with nodes";
const chain = 'the list of chains';
const imported = 'the rows of the sample';
const asset = 'the asset of the outputs';
const always = 'what the contract says it always is';
const read = 'what was stored as read from the contract';
const outputs = 'a sum over all outputs, one after the other';

const token = {
  address: imported,
  ercType: read,
  tokenId: imported,
  tokenUri: read,
  metadata: read,
  name: always,
  symbol: always,
  ownerAddress: imported,
};
const message = {
  messageId: imported,
  sourceBlockchainId: imported,
  destinationBlockchainId: imported,
  sourceEvmChainId: imported,
  destinationEvmChainId: imported,
  icmContractAddress: imported,
  messageNonce: imported,
  from: imported,
  to: imported,
  data: imported,
  messageExecuted: imported,
  receipts: imported,
  receiptDelivered: imported,
  rewardDetails: imported,
  status: imported,
};
const source = { sourceTransaction: imported };
const destination = { destinationTransaction: imported };
const formerly = { ...message, teleporterContractAddress: 'icmContractAddress' };

/** With what test/published-reads.test.ts compares each member of these replies. */
export const membersOfSample: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Balances: {
    unlockedUnstaked: outputs,
    unlockedStaked: outputs,
    lockedPlatform: outputs,
    lockedStakeable: outputs,
    lockedStaked: outputs,
    pendingStaked: outputs,
    atomicMemoryUnlocked: outputs,
    atomicMemoryLocked: outputs,
    locked: outputs,
    unlocked: outputs,
  },
  HeldAmount: {
    assetId: bytes,
    name: asset,
    symbol: asset,
    denomination: asset,
    type: asset,
    amount: bytes,
    utxoCount: bytes,
    sharedWithChainId: utxo,
    status: utxo,
  },
  AddressChains: { address: 'the request', blockchainIds: utxo },
  LastActivity: {
    timestamp: transaction,
    blockNumber: transaction,
    txHash: 'the newest of the list of transactions',
    utxoId: transaction,
    isConsumed: transaction,
    chainName: 'the request',
    network: 'the request',
  },
  HistoricalReward: {
    addresses: utxo,
    txHash: transaction,
    amountStaked: transaction,
    nodeId: transaction,
    startTimestamp: transaction,
    endTimestamp: transaction,
    rewardType: transaction,
    utxoId: transaction,
    outputIndex: utxo,
    reward: utxo,
    rewardTxHash: transaction,
  },
  PendingReward: {
    addresses: transaction,
    txHash: state,
    amountStaked: state,
    nodeId: state,
    startTimestamp: state,
    endTimestamp: state,
    rewardType: state,
    progress: state,
    estimatedReward: state,
  },
  NftToken: token,
  Erc721TokenBalance: { ...token, chainId: 'the request' },
  NftTokenMetadata: {
    indexStatus: read,
    metadataLastUpdatedTimestamp: read,
    name: read,
    description: read,
    imageUri: read,
    attributes: read,
  },
  Erc20TokenBalance: {
    address: imported,
    name: always,
    symbol: always,
    decimals: always,
    ercType: always,
    chainId: 'the request',
    balance: imported,
    tokenReputation: always,
  },
  NativeTokenBalance: {
    name: chain,
    symbol: chain,
    decimals: chain,
    logoUri: chain,
    chainId: 'the request',
    balance: imported,
  },
  EvmAddressChains: { indexedChains: chain, unindexedChains: always },
  PendingIcmMessage: { ...message, ...source },
  DeliveredIcmMessage: { ...message, ...source, ...destination },
  UnindexedIcmMessage: { ...message, ...destination },
  PendingTeleporterMessage: { ...formerly, ...source },
  DeliveredTeleporterMessage: { ...formerly, ...source, ...destination },
  UnindexedTeleporterMessage: { ...formerly, ...destination },
};

const ofOutputs = 'networks/outputs.test.ts';
const ofMessages = 'networks/messages.test.ts';
const ofGenesis = 'networks/published-reads.test.ts: genesisData as a whole, with the bytes of the genesis';

/** Schemas whose rows are compared as a whole, or elsewhere: the test that does, within test. */
export const comparedBy: Readonly<Record<string, string>> = {
  Utxo: ofOutputs,
  ListedUtxo: 'networks/published-reads.test.ts: the outputs of each transaction with the list of outputs',
  InternalTransaction: 'networks/internals.test.ts',
  TokenParty: 'networks/internals.test.ts',
  IcmMessage: ofMessages,
  TeleporterMessage: 'published-reads.test.ts: as IcmMessage, under its former names',
  IcmSourceTransaction: ofMessages,
  IcmDestinationTransaction: ofMessages,
  IcmReceipt: ofMessages,
  IcmRewardDetails: ofMessages,
  IcmPrice: 'resources/icm-message/icm-messages.test.ts',
  EvmAmount: 'networks/published-reads.test.ts: evmInputs and evmOutputs with the bytes of the transaction',
  EvmInput: 'networks/published-reads.test.ts: evmInputs with the bytes of the transaction',
  EvmOutput: 'networks/published-reads.test.ts: evmOutputs with the bytes of the transaction',
  GenesisData: ofGenesis,
  GenesisAccount: ofGenesis,
  GenesisAllowList: ofGenesis,
  GenesisConfig: ofGenesis,
  GenesisFeeConfig: ofGenesis,
  GenesisWarpConfig: ofGenesis,
  ChainList: 'networks/published-reads.test.ts: of the one chain',
  NetworkToken: 'networks/published-reads.test.ts: of that chain',
  AddressChainsList: 'published-reads.test.ts: its rows are AddressChains',
  ChainBalances: 'published-reads.test.ts: its balances are Balances',
  ChainInfo: 'published-reads.test.ts: what was requested',
  NativeBalance: 'published-reads.test.ts: its balance is NativeTokenBalance',
  MetricValue: 'networks/published-reads.test.ts: with a model of each day',
  // The list of them is always empty.
  StakingDistribution: 'networks/published-reads.test.ts: ValidatorTotals',
  HealthCheck: 'http/health.test.ts',
  HealthIndicator: 'http/health.test.ts',
};
