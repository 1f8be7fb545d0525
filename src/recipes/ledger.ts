import type { Recipe } from './recipe.js';

/** Questions about transactions and blocks. */
export const ledger: readonly Recipe[] = [
  {
    question: 'Where did the funds of a transaction come from?',
    text: `From each output that a transaction consumed to the transaction that created it, and once more: two hops back,
across chains. A \`creatingTransaction\` is null if it is not indexed.`,
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
    question: 'What is in a block and in its neighbours?',
    text: `The transactions of a block with what each burned, and those of the indexed blocks before and after it. A block is
indexed if one of its transactions is, so block numbers may have gaps. \`previous\` is null for the first block, \`next\` for the
newest. To continue, query the \`number\` of \`next\`. \`hash\` can be used instead of \`number\`.`,
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
  {
    question: 'How new are the data?',
    text: `The newest stored block of each chain, and when it was made. A chain that is read from a node says how many blocks the
node has beyond it; for one that was imported, compare the time with your own clock.`,
    document: `query HowNew($network: Network) {
  chainStatus(network: $network) {
    network
    blockchainAlias
    blockNumber
    blockTimestamp
    isFollowed
    headNumber
    blocksBehind
    currentTimestamp
  }
}`,
    variables: { network: 'fuji' },
  },
];
