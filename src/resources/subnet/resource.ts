import type { Resource } from '../../resource.js';

export const subnet: Resource = {
  example: `# The subnets of a network: who owns them, what chains they made, when they became L1s and what they paid last
query Subnets {
  subnets(network: fuji, first: 5) {
    nodes {
      subnetId
      owner { threshold addresses }
      chainCreations { nodes { txHash blockTimestamp blockchainInfo { chainName vmId } } }
      conversions { nodes { txHash blockTimestamp l1ValidatorDetails { nodeId weight } } }
      evmChains { nodes { chainId chainName } }
      metric(metric: perSubnetDailyFeesPaid, first: 3) { nodes { timestamp value } }
    }
  }
}
`,
};
