import type { Resource } from '../../resource.js';

export const address: Resource = {
  example: `# An address: its assets, newest transactions and outputs
query Address {
  address(
    network: fuji
    address: "fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm"
  ) {
    balances {
      nodes {
        asset {
          assetId
          symbol
        }
        unspent
        received
      }
    }
    transactions(first: 5) {
      edges {
        node {
          txHash
          txType
          blockchainAlias
          blockTimestamp
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
    }
    utxos(
      blockchainId: "x-chain"
      first: 3
    ) {
      nodes {
        utxoId
        amount
      }
    }
  }
}
`,
};
