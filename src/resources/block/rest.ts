import type { Argument } from '../../arguments/argument.js';
import { timeBounds } from '../../arguments/common.js';
import { readId } from '../../avalanche/input.js';
import { DIGITS, GIVEN_EVM_HASH, ID, only } from '../../avalanche/patterns.js';
import { ref } from '../../fields/json-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import { boundsOf, mappedReply } from '../../rest/mapped-list.js';
import { pageArguments } from '../../rest/parameter.js';
import { page } from '../../rest/reply.js';
import { defineRoute } from '../../rest/route.js';
import { shapeText } from '../../rest/shape.js';
import { transactionArguments } from '../transaction/arguments.js';
import { chainInfo, chainInfoSchemas } from '../utxo/rest.js';
import { nodeIdArgument } from '../validator/arguments.js';
import { blockExample, blockSchemas, blockShape } from './rest-shapes.js';

graphql(`
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

const listBlocks = graphql(`
  query ListBlocks($network: Network!, $blockchainId: String!, $pageSize: Int, $pageToken: String) {
    blocks(network: $network, blockchainId: $blockchainId, first: $pageSize, after: $pageToken) {
      nodes {
        ...BlockRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const listBlocksOfNode = graphql(`
  query ListBlocksOfNode($network: Network!, $blockchainId: String!, $pageSize: Int, $pageToken: String) {
    blocks(network: $network, blockchainId: $blockchainId, first: $pageSize, after: $pageToken) {
      nodes {
        ...BlockRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const { network, blockchainId } = transactionArguments;

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

const listed = { network, blockchainId, ...timeBounds('blocks made'), ...pageArguments };
const response = {
  description: 'A page of blocks.',
  schema: ref('BlockPage'),
  components: {
    ...blockSchemas,
    ...chainInfoSchemas,
    BlockPage: page('blocks', ref('Block'), chainInfo.members),
  },
  example: { blocks: [blockExample], chainInfo: { chainName: 'p-chain', network: 'fuji' } },
};

export const blockRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/blocks',
    summary: 'List blocks',
    description:
      'The indexed blocks of a chain, newest first; of the C-chain those with atomic transactions.',
    parameters: listed,
    document: listBlocks,
    values: (given) => ({ ...given, ...boundsOf(given) }),
    reply: ({ blocks }, chain) => mappedReply('blocks', blocks, blockShape, chainInfo.textOf(chain)),
    response,
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/nodes/{nodeId}/blocks',
    summary: 'List blocks that a node proposed',
    description:
      'The indexed blocks of a chain that a node proposed, newest first. Empty where no followed node has an index of blocks.',
    parameters: {
      network,
      blockchainId,
      nodeId: { ...nodeIdArgument, example: blockExample.proposerDetails.proposerNodeId },
      ...timeBounds('blocks made'),
      ...pageArguments,
    },
    document: listBlocksOfNode,
    values: ({ nodeId, ...given }) => ({ ...given, ...boundsOf(given), proposer: nodeId }),
    reply: ({ blocks }, chain) => mappedReply('blocks', blocks, blockShape, chainInfo.textOf(chain)),
    response,
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
    response: {
      description: 'The block.',
      schema: ref('Block'),
      components: blockSchemas,
      example: blockExample,
    },
  }),
];
