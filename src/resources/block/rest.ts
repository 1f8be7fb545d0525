import type { Argument } from '../../arguments/argument.js';
import { timeBounds } from '../../arguments/common.js';
import { readId } from '../../avalanche/input.js';
import { chainName, type Network, type PrimaryChain } from '../../avalanche/networks.js';
import { DIGITS, GIVEN_EVM_HASH, ID, only } from '../../avalanche/patterns.js';
import { AppError } from '../../errors.js';
import { ref } from '../../fields/json-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import type { BlockRowFragment as Block } from '../../generated/graphql/graphql.js';
import { defineListRoute } from '../../rest/list-route.js';
import { boundsOf, endOf } from '../../rest/bounds.js';
import { pageArguments } from '../../rest/parameter.js';
import { defineRoute, ofNetwork } from '../../rest/route.js';
import { shapesText, shapeText } from '../../rest/shape.js';
import { transactionArguments } from '../transaction/arguments.js';
import { chainInfo, chainInfoSchemas } from '../utxo/rest.js';
import { nodeIdArgument } from '../validator/arguments.js';
import { blockExample, blockSchemas, blockShape } from './rest-shapes.js';

const blockRow = graphql(`
  fragment BlockRow on Block {
    number
    hash
    parentHash
    timestamp
    blockType
    txCount
    txHashes
    sizeBytes
    proposerNodeId
  }
`);

const getBlock = graphql(`
  query GetBlock($network: Network!, $blockchainId: String!) {
    block(network: $network, blockchainId: $blockchainId) {
      ...BlockRow
    }
  }
`);

const proposers = graphql(`
  fragment Proposers on Query {
    knowsProposers(network: $network, blockchainId: $blockchainId)
  }
`);

const { network, blockchainId } = transactionArguments;

const unknownProposers = ({ network, blockchainId }: { network: Network; blockchainId: PrimaryChain }) =>
  `Moraine knows the proposer of no block of the ${chainName(blockchainId)} of ${network}: it read them from nodes without an index of blocks.`;

/** A block's number or its hash. */
const blockId: Argument<string> = {
  type: 'String',
  description: 'Number of the block, or its hash: CB58, on the C-chain hex with 0x.',
  schema: { type: 'string', pattern: only(DIGITS, ID, GIVEN_EVM_HASH) },
  example: blockExample.blockNumber,
  read: (name, value) => {
    const text = String(value);
    if (new RegExp(only(DIGITS)).test(text)) return BigInt(text).toString();
    return new RegExp(only(GIVEN_EVM_HASH)).test(text) ? text.toLowerCase() : readId(name, text);
  },
};

const bounds = timeBounds('blocks made');
const blockList = {
  dataOf: ofNetwork,
  settledAt: endOf,
  field: 'blocks',
  nodes: { fragment: blockRow, textOf: (nodes: readonly Block[]) => shapesText(blockShape, nodes) },
  rows: { name: 'blocks', words: 'blocks', schema: 'Block', page: 'BlockPage' },
  schemas: { ...blockSchemas, ...chainInfoSchemas },
  more: chainInfo,
  example: { blocks: [blockExample], chainInfo: { chainName: 'p-chain', network: 'fuji' } },
};

export const blockRoutes = [
  defineListRoute({
    operation: 'ListBlocks',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/blocks',
    summary: 'List blocks',
    description:
      'The indexed blocks of a chain, newest first; of the C-chain those with atomic transactions.',
    parameters: { network, blockchainId, ...bounds, ...pageArguments },
    given: {
      passed: ['network', 'blockchainId'],
      values: (given) => ({ ...given, ...boundsOf(given) }),
    },
    ...blockList,
  }),
  defineListRoute({
    operation: 'ListBlocksOfNode',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/nodes/{nodeId}/blocks',
    summary: 'List blocks that a node proposed',
    description:
      'The indexed blocks of a chain that a node proposed, newest first. Refused where no proposer of the chain is known: only nodes with an index of blocks say it.',
    parameters: {
      network,
      blockchainId,
      nodeId: { ...nodeIdArgument, example: blockExample.proposerDetails.proposerNodeId },
      ...bounds,
      ...pageArguments,
    },
    given: {
      passed: ['network', 'blockchainId'],
      values: ({ nodeId, ...given }) => ({ ...given, ...boundsOf(given), proposer: nodeId }),
    },
    also: {
      fragment: proposers,
      absence: ({ knowsProposers }, chain) =>
        knowsProposers ? null : new AppError('NOT_IMPLEMENTED', unknownProposers(chain)),
    },
    ...blockList,
    refusals: ['NOT_IMPLEMENTED'],
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/blocks/{blockId}',
    summary: 'Get a block',
    description: 'One block by its number or its hash.',
    parameters: { network, blockchainId, blockId },
    document: getBlock,
    values: ({ blockId, ...given }) => {
      const isNumber = /^\d+$/.test(blockId);
      return { ...given, number: isNumber ? blockId : null, hash: isNumber ? null : blockId };
    },
    reply: ({ block }) => block && shapeText(blockShape, block),
    missing: ({ network }, { blockId, blockchainId }) =>
      `block ${blockId} is not indexed for ${blockchainId} of ${network}`,
    dataOf: ofNetwork,
    settledAt: ({ block }) => (block ? Number(block.timestamp) : undefined),
    response: {
      description: 'The block.',
      schema: ref('Block'),
      components: blockSchemas,
      example: blockExample,
    },
  }),
];
