import type { Resource } from '../../resource.js';

export const subnet: Resource = {
  example: `# Subnets: their owners, chains, conversions to L1s and fees
query Subnets {
  subnets(network: fuji, first: 5) {
    nodes {
      subnetId
      owner {
        threshold
        addresses
      }
      chainCreations {
        nodes {
          txHash
          blockTimestamp
          blockchainInfo {
            chainName
            vmId
          }
        }
      }
      conversions {
        nodes {
          txHash
          blockTimestamp
          l1ValidatorDetails {
            nodeId
            weight
          }
        }
      }
      evmChains {
        nodes {
          chainId
          chainName
        }
      }
      metric(
        metric: perSubnetDailyFeesPaid
        first: 3
      ) {
        nodes {
          timestamp
          value
        }
      }
    }
  }
}
`,
};
