import type { Resource } from '../../resource.js';

export const validator: Resource = {
  example: `# Validators: how they staked, who delegated to them, and what each stake was rewarded with
query Validators {
  validators(network: fuji, first: 5) {
    nodes {
      nodeId
      stakingPeriods(first: 3) {
        nodes { txHash startTimestamp endTimestamp delegationFeePercent amountStaked { amount symbol } }
      }
      delegations(first: 3) { nodes { txHash startTimestamp endTimestamp amountStaked { amount symbol } } }
      rewards(first: 3) { nodes { blockTimestamp emittedUtxos { nodes { rewardType amount addresses } } } }
    }
  }
}
`,
};
