import type { Resource } from '../../resource.js';

export const l1Validator: Resource = {
  example: `# L1 validators, and what changed their weights and balances
query L1Validators {
  l1Validators(
    network: fuji
    first: 5
  ) {
    nodes {
      validationId
      nodeId
      subnet {
        subnetId
      }
      weight
      remainingBalance
      changes(first: 5) {
        nodes {
          blockTimestamp
          weight
          remainingBalance
          balanceChange
          transaction {
            txHash
            txType
          }
        }
      }
    }
  }
}
`,
};
