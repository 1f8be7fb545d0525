import type { Recipe } from './recipe.js';

/** Questions about the holdings of addresses. */
export const wallets: readonly Recipe[] = [
  {
    question: 'What happened in a wallet?',
    text: `All transactions of the wallet's addresses, up to 64, on every chain of the primary network: each once,
newest first. \`effect\` says what a transaction did to these addresses, which count as one owner: what goes from one of
them to another is neither received nor sent. \`sent\` is null where the inputs of a transaction are not indexed. For
the next page, send \`endCursor\` as \`after\`; page 10,000 costs as much as the first one.`,
    document: `query WalletHistory(
  $network: Network!
  $addresses: [String!]!
  $after: String
) {
  transactions(
    network: $network
    addresses: $addresses
    first: 25
    after: $after
  ) {
    edges {
      node {
        txHash
        txType
        blockchainAlias
        blockTimestamp
        memo
      }
      effect {
        signedAlone
        assets {
          asset {
            symbol
            denomination
          }
          received
          sent
          fee
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`,
    variables: { network: 'fuji', addresses: ['fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm'] },
  },
  {
    question: 'What does an address own?',
    text: `Every asset that the address ever received, with what is unspent of it: what one signature can spend now,
what is locked and when the next of it becomes spendable, staked, or on its way to another chain; and the same for
outputs that need several signatures. Then the largest outputs that can be spent on the P-chain. Add the argument
\`at: 1800000000\` to both lists to check locks as of that time. Amounts are in the smallest unit of the asset: divide
by ten to the power of \`denomination\` to show them.`,
    document: `query Portfolio(
  $network: Network!
  $address: String!
) {
  address(
    network: $network
    address: $address
  ) {
    balances(first: 50) {
      nodes {
        asset {
          assetId
          name
          symbol
          denomination
        }
        unspent
        received
        singleSignature {
          ...Parts
        }
        multiSignature {
          ...Parts
        }
      }
    }
    utxos(
      blockchainId: "p-chain"
      state: SPENDABLE
      sortBy: amount
      first: 10
    ) {
      totalCount
      nodes {
        utxoId
        amount
        asset {
          symbol
        }
        threshold
        blockTimestamp
      }
    }
  }
}

fragment Parts on BalanceParts {
  spendable
  lockedPlatform
  lockedStakeable
  nextUnlockTimestamp
  staked
  inFlight
}`,
    variables: { network: 'fuji', address: 'fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm' },
  },
  {
    question: 'How did a balance develop?',
    text: `What an address received and sent on each UTC day, and its balance at the end of the day, for up to 366 days: ready to
plot. Without \`assetId\` the asset is AVAX; without dates the range is the newest 366 days. Days before the first change are
left out. \`utxos\` with \`asOf\` lists the outputs that made up a balance, here at the last second of 2026-10-31: its pages may
have fewer rows than requested while \`hasNextPage\` is true.`,
    document: `query BalanceHistory(
  $network: Network!
  $address: String!
  $firstDate: String
  $lastDate: String
  $time: Long!
) {
  address(
    network: $network
    address: $address
  ) {
    balanceHistory(
      firstDate: $firstDate
      lastDate: $lastDate
    ) {
      nodes {
        timestamp
        received
        sent
        balance
      }
    }
    utxos(
      blockchainId: "p-chain"
      asOf: { time: $time }
      first: 20
    ) {
      nodes {
        utxoId
        amount
        asset {
          symbol
          denomination
        }
        blockTimestamp
        consumingBlockTimestamp
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}`,
    variables: {
      network: 'fuji',
      address: 'fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm',
      firstDate: '2026-10-01',
      lastDate: '2026-10-31',
      time: 1793491199,
    },
  },
];
