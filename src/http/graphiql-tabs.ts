/** Examples that GraphiQL opens with; each returns data on the sample (tested). */
export const graphiqlTabs: { query: string }[] = [
  {
    query: `# The newest outputs of the P-chain, each with the transactions that made and spent it
query Utxos {
  utxos(network: fuji, blockchainId: "p-chain", includeSpent: true, first: 5) {
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
  },
  {
    query: `# The newest staking transactions, with what they consumed and emitted
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
  },
  {
    query: `# Who held a balance on every day of October and an NFT of a collection on some day
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
  },
  {
    query: `# What the validators of an L1 paid so far, day by day, in nAVAX
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
  },
];
