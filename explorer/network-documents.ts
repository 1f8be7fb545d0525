import { graphql } from './generated/gql.js';

export const assetDocument = graphql(`
  query Asset($network: Network!, $asset: String!) {
    asset(network: $network, assetId: $asset) {
      assetId
      name
      symbol
      denomination
      type
      creatingTransaction {
        ...TransactionLine
      }
      holders(first: 50) {
        nodes {
          address {
            address
          }
          unspent
        }
      }
    }
  }
`);

export const validatorDocument = graphql(`
  query Validator($network: Network!, $node: String!) {
    validator(network: $network, nodeId: $node) {
      nodeId
      isActive
      stakingPeriods(first: 20) {
        nodes {
          ...TransactionLine
        }
      }
      delegations(first: 20) {
        nodes {
          ...TransactionLine
        }
      }
      rewards(first: 20) {
        nodes {
          ...TransactionLine
        }
      }
    }
  }
`);
