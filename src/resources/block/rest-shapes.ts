import {
  blockHash,
  digits,
  ids,
  is,
  nodeId,
  object as objectOf,
  plain,
  small,
  whole,
} from '../../fields/field.js';
import { objectSchema } from '../../fields/object-schema.js';
import type { JsonSchemas } from '../../fields/json-schema.js';
import type { BlockRowFragment as Block } from '../../generated/graphql/graphql.js';
import { shapeText, type Shape } from '../../rest/shape.js';

const proposerShape: Shape<Block> = {
  proposerNodeId: { ...is(nodeId, 'Id of the node, NodeID-…'), of: (block) => block.proposerNodeId },
};

export const blockShape: Shape<Block> = {
  blockNumber: { ...is(digits, 'Number of the block on its chain'), of: (block) => block.number },
  blockHash: {
    ...is(blockHash, 'Hash of the block, CB58, on the C-chain hex with 0x', 'where unknown'),
    unknown: '',
    of: (block) => block.hash,
  },
  parentHash: {
    ...is(blockHash, 'Hash of the block before it, in the same form', 'where unknown'),
    unknown: '',
    of: (block) => block.parentHash,
  },
  blockTimestamp: { ...is(whole, 'When the block was made, Unix seconds'), of: (block) => block.timestamp },
  blockType: {
    ...is(
      plain,
      'What the block does: proposal, commit, abort, standard, atomic; UNKNOWN on the C-chain, and where unknown',
    ),
    of: (block) => block.blockType ?? 'UNKNOWN',
  },
  txCount: {
    ...is(small, 'Number of its transactions; on the C-chain, and where unknown, of those that are indexed'),
    of: (block) => block.txCount ?? block.txHashes.length,
  },
  transactions: {
    ...is(
      ids,
      'Hashes of its indexed transactions, in the order of the block; on the C-chain of atomic ones',
    ),
    of: (block) => JSON.stringify(block.txHashes),
  },
  blockSizeBytes: {
    ...is(small, 'Encoded size, bytes; 0 on the C-chain, and where unknown'),
    of: (block) => block.sizeBytes ?? 0,
  },
  proposerDetails: {
    ...is(
      objectOf('ProposerDetails'),
      'The node that proposed the block',
      'for blocks that nobody signed, and where unknown',
    ),
    of: (block) => block.proposerNodeId && shapeText(proposerShape, block),
  },
};

export const blockSchemas: JsonSchemas = {
  Block: objectSchema('A block of a primary network chain.', blockShape),
  ProposerDetails: objectSchema('Who proposed a block.', proposerShape),
};

/** As in the sample. */
export const blockExample = {
  blockNumber: '2852860',
  blockHash: '22rdYMyNoj4oh8CrYnY8QNzQJ69o33DLzVrvGzD4c5GUARM1Ek',
  parentHash: '2WPDunKNeedokv13D2Ci9uTDJRy8JczSQEie9fopyLZbzgLCHT',
  blockTimestamp: 1793336660,
  blockType: 'proposal',
  txCount: 1,
  transactions: ['MrTqcTtg7FjwUz8txZUUv6Ka5b1rvaJp51Cu1xjySH114ifiK'],
  blockSizeBytes: 270,
  proposerDetails: { proposerNodeId: 'NodeID-PKe26QmAWDcqSvvPYFotHKtK9pUAqiAu7' },
};
