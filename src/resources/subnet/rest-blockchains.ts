import type { Argument } from '../../arguments/argument.js';
import { identityOf } from '../../avalanche/identity.js';
import { readId } from '../../avalanche/input.js';
import { chainName, primaryChains, type Network } from '../../avalanche/networks.js';
import { ID, only } from '../../avalanche/patterns.js';
import { ref } from '../../fields/json-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import { defineListRoute } from '../../rest/list-route.js';
import { defineRoute } from '../../rest/route.js';
import { shapesText, shapeText } from '../../rest/shape.js';
import { chainRow, createdRows, listed } from './rest.js';
import { blockchainExample, blockchainShape, subnetSchemas } from './rest-shapes.js';

const getBlockchain = graphql(`
  query GetBlockchain($network: Network!, $blockchainId: String!, $txHash: String!) {
    transaction(network: $network, blockchainId: $blockchainId, txHash: $txHash) {
      txType
      json
      ...ChainRow
    }
  }
`);

/** Any blockchain by its id, or one of the primary network by its alias; its value is the id. */
const blockchainId: Argument<string> = {
  type: 'String',
  description: 'Id of the blockchain, CB58, or x-chain or c-chain.',
  schema: { type: 'string', pattern: only(ID, ...primaryChains.map(chainName)) },
  example: blockchainExample.blockchainId,
  read: (name, value, { network }) => {
    const chain = primaryChains.find((each) => value === chainName(each));
    if (!chain) return readId(name, String(value));
    return identityOf((network ?? 'fuji') as Network).blockchainIds[chain];
  },
};

export const blockchainRoutes = [
  defineListRoute({
    operation: 'ListBlockchains',
    path: '/v1/networks/{network}/blockchains',
    summary: 'List blockchains',
    description:
      'The blockchains that P-chain transactions created, the newest first unless sortOrder says otherwise; without their genesis.',
    ...createdRows('CreateChainTx', 'Blockchain'),
    nodes: { fragment: chainRow, textOf: (nodes) => shapesText(blockchainShape, nodes) },
    example: { blockchains: [blockchainExample] },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}',
    summary: 'Get a blockchain',
    description: 'One blockchain, with its genesis.',
    parameters: { network: listed.network, blockchainId },
    document: getBlockchain,
    variables: ({ network, blockchainId }) => ({ network, blockchainId: 'p-chain', txHash: blockchainId }),
    values: ({ network, blockchainId }) => ({ network, blockchainId: 'p', txHash: blockchainId }),
    reply: ({ transaction }) =>
      transaction?.txType === 'CreateChainTx' ? shapeText(blockchainShape, transaction) : null,
    missing: ({ network }, { blockchainId }) => `blockchain ${blockchainId} is not indexed for ${network}`,
    response: {
      description: 'The blockchain.',
      schema: ref('Blockchain'),
      components: subnetSchemas,
      example: blockchainExample,
    },
  }),
];
