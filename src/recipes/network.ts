import type { Recipe } from './recipe.js';

/** Questions about validators, L1s and messages between chains. */
export const network: readonly Recipe[] = [
  {
    question: 'What does a validator earn?',
    text: `The stakes of a node, the newest delegations to it, and the transactions that ended them. Outputs of these that have a
\`rewardType\` are rewards: of the validator, of the delegator, or the share of the delegator's reward that the validator keeps.
Their sum is the income.`,
    document: `query ValidatorIncome(
  $network: Network!
  $nodeId: String!
) {
  validator(
    network: $network
    nodeId: $nodeId
  ) {
    stakingPeriods(first: 10) {
      nodes {
        txHash
        subnetId
        startTimestamp
        endTimestamp
        amountStaked {
          amount
          symbol
        }
      }
    }
    delegations(first: 10) {
      nodes {
        txHash
        startTimestamp
        endTimestamp
        amountStaked {
          amount
          symbol
        }
      }
    }
    rewards(first: 20) {
      nodes {
        txHash
        blockTimestamp
        stakingTransaction {
          txHash
          txType
        }
        emittedUtxos {
          nodes {
            rewardType
            amount
            asset {
              symbol
              denomination
            }
            addresses
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}`,
    variables: { network: 'fuji', nodeId: 'NodeID-GhzcAnp7CxpaekobdNuCXLxzU5NYg4GW2' },
  },
  {
    question: 'What do the validators of an L1 pay?',
    text: `The fees of all validators of a subnet that became an L1, summed up to each day, in nAVAX: the difference of two
days is what was paid between them. If only scalars are selected, a page has up to 10,000 days.`,
    document: `query SubnetFees(
  $subnetId: String!
  $since: Decimal
) {
  subnetMetric(
    subnetId: $subnetId
    metric: perSubnetCumulativeFeesPaid
    startTimestamp: $since
    first: 366
  ) {
    nodes {
      timestamp
      value
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`,
    variables: { subnetId: '2uf7QFvZ7w4XToVfKm7o25h17KbdS7RaA6qNuZfokrcYxTpoWh', since: '0' },
  },
  {
    question: 'Which messages did a contract send to other chains?',
    text: `Interchain messages (ICM) that a contract sent, newest first, with the chains at both ends, and with the
transactions that sent and delivered them. \`destinationTransaction\` is null until a message is delivered.`,
    document: `query CrossChainMessages(
  $network: Network!
  $contract: String!
  $after: String
) {
  icmMessages(
    network: $network
    from: $contract
    first: 20
    after: $after
  ) {
    nodes {
      messageId
      status
      sourceChain {
        chainName
      }
      destinationChain {
        chainName
      }
      to
      sourceTransaction {
        txHash
        timestamp
      }
      destinationTransaction {
        txHash
        timestamp
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`,
    variables: { network: 'fuji', contract: '0xb5525fb6c95d4EA5bd94cDc3915F3EE732Def823' },
  },
];
