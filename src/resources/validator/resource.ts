import type { Resource } from '../../resource.js';

export const validator: Resource = {
  example: `# Validators and their stakes
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
    }
  }
}
`,
};
