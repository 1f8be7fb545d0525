import type { Recipe } from './recipe.js';

/** Questions about transactions and blocks. */
export const ledger: readonly Recipe[] = [
  {
    question: 'Where did the funds of a transaction come from?',
    text: `From each output that a transaction consumed to the transaction that made it, and once more: two hops back, over
the borders of chains. A \`creatingTransaction\` that is null is not held.`,
    document: `query TraceOfFunds(
  $network: Network!
  $blockchainId: String!
  $txHash: String!
) {
  transaction(
    network: $network
    blockchainId: $blockchainId
    txHash: $txHash
  ) {
    txHash
    consumedUtxos(first: 10) {
      nodes {
        ...Origin
        creatingTransaction {
          txHash
          txType
          blockTimestamp
          consumedUtxos(first: 10) {
            nodes {
              ...Origin
              creatingTransaction {
                txHash
                txType
                blockTimestamp
              }
            }
          }
        }
      }
    }
  }
}

fragment Origin on Utxo {
  utxoId
  amount
  asset {
    symbol
    denomination
  }
  addresses
  createdOnChainId
}`,
    variables: {
      network: 'fuji',
      blockchainId: 'p-chain',
      txHash: '2qcdrVYyEyWfiZiKrxNEjN4mYpDzHvuucqgrHU8y85ww8Y5giJ',
    },
  },
  {
    question: 'What is in a block, and in those beside it?',
    text: `The transactions of a block with what each burned, and those of the held blocks before and after it. A block is held
where one of its transactions is, so that their numbers need not be one apart. \`previous\` is null at the first, \`next\` at
the newest. From \`next\` one walks on by its \`number\`; \`hash\` in place of \`number\` asks for the same block.`,
    document: `query BlockAndNeighbours(
  $network: Network!
  $blockchainId: String!
  $number: BigNumber!
) {
  block(
    network: $network
    blockchainId: $blockchainId
    number: $number
  ) {
    number
    hash
    timestamp
    transactions(first: 50) {
      nodes {
        txHash
        txType
        amountBurned {
          amount
          symbol
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
    previous {
      number
      hash
      timestamp
      transactions(first: 50) {
        nodes {
          txHash
          txType
        }
      }
    }
    next {
      number
      hash
      timestamp
      transactions(first: 50) {
        nodes {
          txHash
          txType
        }
      }
    }
  }
}`,
    variables: { network: 'fuji', blockchainId: 'p-chain', number: '2698165' },
  },
];
