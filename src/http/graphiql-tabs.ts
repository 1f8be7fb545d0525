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
];
