import type { Resource } from '../../resource.js';

export const search: Resource = {
  example: `# What is a text that you have?
query Search {
  search(
    text: "fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm"
  ) {
    problem
    candidates {
      kind
      network
      blockchainAlias
      chainId
      isIndexed
      node {
        id
        ... on Address {
          address
        }
        ... on Transaction {
          txHash
          txType
        }
        ... on Block {
          number
          timestamp
        }
      }
    }
  }
}
`,
};
