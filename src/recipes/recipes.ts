import type { Recipe } from './recipe.js';

/** They are shown in GraphiQL and in docs/recipes.md, which `npm run recipes` writes. */
export const recipes: readonly Recipe[] = [
  {
    question: 'What happened in a wallet?',
    text: `All transactions of the wallet's addresses, up to 64, on every chain of the primary network: each once, newest
first. \`effect\` says what a transaction did to these addresses taken together, so that change that goes from one of them to
another is neither received nor sent. \`sent\` is null where the inputs of a transaction are not held. For the next page give
\`endCursor\` as \`after\`; page 10,000 costs what the first one does.`,
    document: `query WalletHistory($network: Network!, $addresses: [String!]!, $after: String) {
  transactions(network: $network, addresses: $addresses, first: 25, after: $after) {
    edges {
      node { txHash txType blockchainAlias blockTimestamp memo }
      effect { signedAlone assets { asset { symbol denomination } received sent fee } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
    variables: { network: 'fuji', addresses: ['fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm'] },
  },
  {
    question: 'What does an address own?',
    text: `Every asset that the address ever received, with what is unspent of it: what one signature can spend now, what is
locked and when the next of it becomes spendable, staked, or on its way to another chain; and the same of outputs that need
several signatures. Then the largest outputs that can be spent on the P-chain. \`at: 1800000000\` beside \`first\` and
\`state\` shows which locks will have passed by then. Amounts are in the smallest unit of the asset: divide by ten to the
power of \`denomination\` to show them.`,
    document: `query Portfolio($network: Network!, $address: String!) {
  address(network: $network, address: $address) {
    balances(first: 50) {
      nodes {
        asset { assetId name symbol denomination }
        unspent
        received
        singleSignature { ...Parts }
        multiSignature { ...Parts }
      }
    }
    utxos(blockchainId: "p-chain", state: SPENDABLE, sortBy: amount, first: 10) {
      totalCount
      nodes { utxoId amount asset { symbol } threshold blockTimestamp }
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
    text: `What an address received, sent and had at the end of each UTC day, for up to 366 days: as it stands it is a plot.
Without \`assetId\` it is that of AVAX; without dates it is the newest 366 days. Days before the first change are left out.
\`utxos\` with \`asOf\` lists the outputs that a balance was made of, here at the last second of 2026-10-31: its pages may hold
fewer rows than asked for while \`hasNextPage\` is true.`,
    document: `query BalanceHistory($network: Network!, $address: String!, $firstDate: String, $lastDate: String, $time: Long!) {
  address(network: $network, address: $address) {
    balanceHistory(firstDate: $firstDate, lastDate: $lastDate) {
      nodes { timestamp received sent balance }
    }
    utxos(blockchainId: "p-chain", asOf: { time: $time }, first: 20) {
      nodes { utxoId amount asset { symbol denomination } blockTimestamp consumingBlockTimestamp }
      pageInfo { hasNextPage endCursor }
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
  {
    question: 'Where did the funds of a transaction come from?',
    text: `From each output that a transaction consumed to the transaction that made it, and once more: two hops back, over
the borders of chains. A \`creatingTransaction\` that is null is not held.`,
    document: `query TraceOfFunds($network: Network!, $blockchainId: String!, $txHash: String!) {
  transaction(network: $network, blockchainId: $blockchainId, txHash: $txHash) {
    txHash
    consumedUtxos(first: 10) {
      nodes {
        ...Origin
        creatingTransaction {
          txHash
          txType
          blockTimestamp
          consumedUtxos(first: 10) {
            nodes { ...Origin creatingTransaction { txHash txType blockTimestamp } }
          }
        }
      }
    }
  }
}

fragment Origin on Utxo {
  utxoId
  amount
  asset { symbol denomination }
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
    document: `query BlockAndNeighbours($network: Network!, $blockchainId: String!, $number: BigNumber!) {
  block(network: $network, blockchainId: $blockchainId, number: $number) {
    number
    hash
    timestamp
    transactions(first: 50) {
      nodes { txHash txType amountBurned { amount symbol } }
      pageInfo { hasNextPage endCursor }
    }
    previous { number hash timestamp transactions(first: 50) { nodes { txHash txType } } }
    next { number hash timestamp transactions(first: 50) { nodes { txHash txType } } }
  }
}`,
    variables: { network: 'fuji', blockchainId: 'p-chain', number: '2698165' },
  },
  {
    question: 'What does a validator earn?',
    text: `The stakes of a node, the newest delegations to it, and what ended them. Of the outputs of a reward those that have a
\`rewardType\` are rewards: of the validator, of the delegator, or the share of it that the validator keeps. Their sum is the
income.`,
    document: `query ValidatorIncome($network: Network!, $nodeId: String!) {
  validator(network: $network, nodeId: $nodeId) {
    stakingPeriods(first: 10) {
      nodes { txHash subnetId startTimestamp endTimestamp amountStaked { amount symbol } }
    }
    delegations(first: 10) { nodes { txHash startTimestamp endTimestamp amountStaked { amount symbol } } }
    rewards(first: 20) {
      nodes {
        txHash
        blockTimestamp
        stakingTransaction { txHash txType }
        emittedUtxos { nodes { rewardType amount asset { symbol denomination } addresses } }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`,
    variables: { network: 'fuji', nodeId: 'NodeID-GhzcAnp7CxpaekobdNuCXLxzU5NYg4GW2' },
  },
  {
    question: 'What do the validators of an L1 pay?',
    text: `The fees of all validators of a subnet that became an L1, summed up to each day, in nAVAX: the difference of two
days is what was paid between them. Where nothing but scalars is selected a page holds up to 10,000 days.`,
    document: `query SubnetFees($subnetId: String!, $since: Decimal) {
  subnetMetric(subnetId: $subnetId, metric: perSubnetCumulativeFeesPaid, startTimestamp: $since, first: 366) {
    nodes { timestamp value }
    pageInfo { hasNextPage endCursor }
  }
}`,
    variables: { subnetId: '2uf7QFvZ7w4XToVfKm7o25h17KbdS7RaA6qNuZfokrcYxTpoWh', since: '0' },
  },
  {
    question: 'Which messages did a contract send to other chains?',
    text: `Interchain messages (ICM) that a contract sent, newest first, with the chains at both ends, and with the
transactions that sent and delivered them. \`destinationTransaction\` is null until a message is delivered.`,
    document: `query CrossChainMessages($network: Network!, $contract: String!, $after: String) {
  icmMessages(network: $network, from: $contract, first: 20, after: $after) {
    nodes {
      messageId
      status
      sourceChain { chainName }
      destinationChain { chainName }
      to
      sourceTransaction { txHash timestamp }
      destinationTransaction { txHash timestamp }
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
    variables: { network: 'fuji', contract: '0xb5525fb6c95d4EA5bd94cDc3915F3EE732Def823' },
  },
];
