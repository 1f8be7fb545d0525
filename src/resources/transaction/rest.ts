import { readId } from '../../avalanche/input.js';
import { graphql } from '../../generated/graphql/gql.js';
import { blockchainParameter, networkParameter, pathParameter } from '../../rest/parameter.js';
import { defineRoute } from '../../rest/route.js';

const getTransaction = graphql(`
  query GetTransaction($network: Network!, $blockchainId: String!, $txHash: String!) {
    transaction(network: $network, blockchainId: $blockchainId, txHash: $txHash) {
      json
      consumedUtxos {
        json
      }
      emittedUtxos {
        json
      }
    }
  }
`);

export const transactionRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions/{txHash}',
    summary: 'Get a transaction',
    description: 'One transaction of a primary network chain, with all outputs that it consumed and emitted.',
    parameters: {
      network: networkParameter,
      blockchainId: blockchainParameter(['p', 'x', 'c'], 'p-chain'),
      txHash: pathParameter({
        description: 'Hash of the transaction, 32 bytes in CB58.',
        schema: { type: 'string' },
        example: 'pV2UgLcZC9Pc94VdQH2PVSzurLV7FWQ6M9817yyFKMZX9TFYw',
        read: readId,
      }),
    },
    document: getTransaction,
    variables: (parameters) => parameters,
    reply: ({ transaction }) =>
      transaction &&
      `${transaction.json.slice(0, -1)},"consumedUtxos":${transaction.consumedUtxos.json},"emittedUtxos":${transaction.emittedUtxos.json}}`,
    missing: ({ network, blockchainId, txHash }) =>
      `transaction ${txHash} is not held for ${blockchainId} of ${network}`,
    response: { description: 'The transaction.', schema: { $ref: '#/components/schemas/Transaction' } },
  }),
];
