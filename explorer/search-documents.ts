import { graphql } from './generated/gql.js';

/** The blocks with a number. */
export const numberedDocument = graphql(`
  query Numbered($network: Network!, $number: BigNumber!) {
    p: block(network: $network, blockchainId: "p-chain", number: $number) {
      number
      blockchainAlias
    }
    x: block(network: $network, blockchainId: "x-chain", number: $number) {
      number
      blockchainAlias
    }
    c: block(network: $network, blockchainId: "c-chain", number: $number) {
      number
      blockchainAlias
    }
  }
`);

/** What an id of 32 bytes can be the id of. */
export const identifiedDocument = graphql(`
  query Identified($network: Network!, $id: String!) {
    p: transaction(network: $network, blockchainId: "p-chain", txHash: $id) {
      ...TransactionLine
    }
    x: transaction(network: $network, blockchainId: "x-chain", txHash: $id) {
      ...TransactionLine
    }
    c: transaction(network: $network, blockchainId: "c-chain", txHash: $id) {
      ...TransactionLine
    }
    pBlock: block(network: $network, blockchainId: "p-chain", hash: $id) {
      number
      blockchainAlias
    }
    xBlock: block(network: $network, blockchainId: "x-chain", hash: $id) {
      number
      blockchainAlias
    }
    asset(network: $network, assetId: $id) {
      assetId
    }
    utxo(network: $network, utxoId: $id) {
      createdOnChainId
      txHash
    }
  }
`);
