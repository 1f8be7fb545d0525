/**
 * Examples that GraphiQL opens with, one tab for each resource; a tab is named by its operation. Each returns
 * data on the generated sample (tested). The names of things are those of the sample's examples.
 */
export const graphiqlTabs: { query: string }[] = [
  `# The newest outputs of the P-chain, each with the transactions that made and spent it
query Utxos {
  utxos(network: fuji, blockchainId: "p-chain", includeSpent: true, first: 5) {
    totalCount
    nodes {
      utxoId
      amount
      asset { symbol denomination }
      addresses
      blockTimestamp
      creatingTransaction { txType txHash }
      consumingTransaction { txType txHash }
    }
    pageInfo { hasNextPage endCursor }
  }
}
`,
  `# The newest staking transactions, with what they consumed and emitted
query Transactions {
  transactions(network: fuji, blockchainId: "p-chain", txType: AddPermissionlessValidatorTx, first: 3) {
    nodes {
      txHash
      blockTimestamp
      nodeId
      amountStaked { amount symbol }
      consumedUtxos(first: 5) { nodes { utxoId amount } }
      emittedUtxos(first: 5) { nodes { utxoId amount staked utxoEndTimestamp } }
    }
  }
}
`,
  `# An address: what it owns of each asset, and its newest outputs
query Address {
  address(network: fuji, address: "fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm") {
    balances { nodes { asset { assetId symbol } unspent received } }
    utxos(blockchainId: "x-chain", first: 3) { nodes { utxoId amount } }
  }
}
`,
  `# The newest vertices of the X-chain, with their transactions
query Vertices {
  vertices(network: fuji, first: 3) {
    nodes { vertexHash vertexHeight vertexTimestamp transactions(first: 3) { nodes { txHash txType } } }
  }
}
`,
  `# What an EVM address sent and received inside transactions
query InternalTransactions {
  evmAddress(chainId: "43113", address: "0x46744D1FeD52681e9e0Eecd3135836e202528Aa2") {
    internalTransactions(first: 3) {
      nodes { txHash blockNumber internalTxType value from { address } to { address } chain { chainName } }
    }
  }
}
`,
  `# The newest interchain messages, with the chains at both ends
query IcmMessages {
  icmMessages(network: fuji, first: 3) {
    nodes { messageId status from to sourceChain { chainName } destinationChain { chainName } rewardDetails { value symbol } }
  }
}
`,
  `# The EVM chains that are held
query Chains {
  chains(first: 5) {
    nodes { chainId chainName status networkToken { symbol decimals } rpcUrl }
  }
}
`,
  `# NFTs of a collection, with their metadata and when they can be reindexed
query NftTokens {
  nftTokens(chainId: "43113", address: "0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6", first: 3) {
    nodes { tokenId owner }
  }
}
`,
  `# Who held a balance on every day of October and an NFT of a collection on some day
query CompositeQuery {
  compositeQuery(
    operator: AND
    first: 10
    queries: [
      { allTimeNativeBalance: { id: "balance", evmChainId: "43113", firstDate: "2026-10-01", lastDate: "2026-10-30", minBalance: "10000000000000000" } }
      { anyTimeNftHolders: { id: "nft", evmChainId: "43113", contractAddress: "0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6", firstDate: "2026-10-01", lastDate: "2026-10-30" } }
    ]
  ) {
    nodes
    totalCount
    subQueryCounts { id count }
    pageInfo { hasNextPage endCursor }
  }
}
`,
  `# What the validators of an L1 paid so far, day by day, in nAVAX
query SubnetMetric {
  subnetMetric(
    subnetId: "2uf7QFvZ7w4XToVfKm7o25h17KbdS7RaA6qNuZfokrcYxTpoWh"
    metric: perSubnetCumulativeFeesPaid
    first: 10
  ) {
    nodes { timestamp value }
    pageInfo { hasNextPage endCursor }
  }
}
`,
].map((query) => ({ query }));
