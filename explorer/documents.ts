import { graphql } from './generated/gql.js';

/** How far each chain is. */
export const statusDocument = graphql(`
  query Status($network: Network) {
    chainStatus(network: $network) {
      network
      blockchainAlias
      blockchainId
      blockNumber
      blockHash
      blockTimestamp
      headNumber
      blocksBehind
      isFollowed
    }
  }
`);

/** The newest transactions of each chain of a network. */
export const newestDocument = graphql(`
  query Newest($network: Network!) {
    chainStatus(network: $network) {
      network
      blockchainAlias
      blockNumber
      blockTimestamp
      blocksBehind
      isFollowed
    }
    p: transactions(network: $network, blockchainId: "p-chain", first: 6) {
      nodes {
        ...TransactionLine
      }
    }
    x: transactions(network: $network, blockchainId: "x-chain", first: 6) {
      nodes {
        ...TransactionLine
      }
    }
    c: transactions(network: $network, blockchainId: "c-chain", first: 6) {
      nodes {
        ...TransactionLine
      }
    }
  }
`);

export const transactionLine = graphql(`
  fragment TransactionLine on Transaction {
    network
    blockchainAlias
    txHash
    txType
    blockNumber
    blockTimestamp
  }
`);

export const outputLine = graphql(`
  fragment OutputLine on Utxo {
    utxoId
    txHash
    outputIndex
    utxoType
    createdOnChainId
    consumedOnChainId
    consumingTxHash
    addresses
    asset {
      assetId
      amount
      denomination
      symbol
      name
    }
  }
`);

export const parts = graphql(`
  fragment Parts on BalanceParts {
    spendable
    staked
    lockedStakeable
    lockedPlatform
    inFlight
    nextUnlockTimestamp
  }
`);

export const transactionDocument = graphql(`
  query Transaction($network: Network!, $chain: String!, $hash: String!) {
    transaction(network: $network, blockchainId: $chain, txHash: $hash) {
      ...TransactionLine
      memo
      nodeId
      subnetId
      startTimestamp
      endTimestamp
      amountBurned {
        assetId
        amount
        denomination
        symbol
        name
      }
      consumedUtxos(first: 24) {
        totalCount
        totalCountIsExact
        nodes {
          ...OutputLine
        }
      }
      emittedUtxos(first: 24) {
        totalCount
        totalCountIsExact
        nodes {
          ...OutputLine
        }
      }
    }
  }
`);

export const blockDocument = graphql(`
  query Block($network: Network!, $chain: String!, $number: BigNumber!) {
    block(network: $network, blockchainId: $chain, number: $number) {
      blockchainAlias
      number
      hash
      timestamp
      previous {
        number
      }
      next {
        number
      }
      transactions(first: 50) {
        totalCount
        totalCountIsExact
        nodes {
          ...TransactionLine
        }
      }
    }
  }
`);

export const addressDocument = graphql(`
  query Address($network: Network!, $address: String!) {
    address(network: $network, address: $address) {
      address
      balances(first: 20) {
        totalCount
        nodes {
          asset {
            assetId
            denomination
            symbol
            name
          }
          received
          unspent
          singleSignature {
            ...Parts
          }
          multiSignature {
            ...Parts
          }
        }
      }
      transactions(first: 20) {
        nodes {
          ...TransactionLine
        }
      }
      p: utxos(blockchainId: "p-chain", includeSpent: true, first: 20) {
        totalCount
        totalCountIsExact
        nodes {
          ...OutputLine
        }
      }
      x: utxos(blockchainId: "x-chain", includeSpent: true, first: 20) {
        totalCount
        totalCountIsExact
        nodes {
          ...OutputLine
        }
      }
      c: utxos(blockchainId: "c-chain", includeSpent: true, first: 20) {
        totalCount
        totalCountIsExact
        nodes {
          ...OutputLine
        }
      }
    }
  }
`);
