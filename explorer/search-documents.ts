import { graphql } from './generated/gql.js';

/** What a text is, with what the addresses of pages are made of. */
export const searchDocument = graphql(`
  query Search($text: String!) {
    search(text: $text) {
      problem
      candidates {
        kind
        value
        isIndexed
        network
        blockchainAlias
        chainId
        node {
          __typename
          id
          ... on Block {
            number
          }
          ... on Utxo {
            txHash
            createdOn: blockchainAlias
          }
        }
      }
    }
  }
`);
