import { graphql } from 'relay-runtime';

export const query = graphql`
  query OutputsQuery($first: Int!, $after: String) {
    utxos(network: fuji, blockchainId: "p-chain", first: $first, after: $after)
      @connection(key: "Outputs_utxos") {
      edges {
        node {
          utxoId
          ...OutputsRow
        }
      }
    }
  }
`;

export const row = graphql`
  fragment OutputsRow on Utxo {
    amount
    asset {
      symbol
    }
  }
`;
