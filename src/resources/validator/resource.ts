import type { Resource } from '../../resource.js';

export const validator: Resource = {
  example: `# Validators: their stakes, delegations and rewards
query Validators {
  validators(network: fuji, first: 5) {
    nodes {
      nodeId
      stakingPeriods(first: 3) {
        nodes {
          txHash
          startTimestamp
          endTimestamp
          delegationFeePercent
          amountStaked {
            amount
            symbol
          }
        }
      }
      delegations(first: 3) {
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
      rewards(first: 3) {
        nodes {
          blockTimestamp
          emittedUtxos {
            nodes {
              rewardType
              amount
              addresses
            }
          }
        }
      }
    }
  }
}
`,
};
