import { isNodeId } from '../../avalanche/cb58.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { columnOf, type RecordOf } from '../../fields/column.js';
import { blockHash, choice, digits, fieldsText, ids, is, nodeId, small, whole } from '../../fields/field.js';
import type { Fields, NodeOf } from '../../fields/field.js';
import { nodeOfJson, nodeWith } from '../../fields/node.js';
import type { NodeSource } from '../../lists/list.js';
import { asDigits, asId, asMember, asSeconds, asWhole, UINT64_MAX, wrong } from '../../rows/check.js';
import type { Check } from '../../rows/check.js';

/** What a block of the P- or X-chain does. */
export const blockTypes = ['proposal', 'commit', 'abort', 'standard', 'atomic'] as const;
export type BlockType = (typeof blockTypes)[number];

/** CB58; blocks of the C-chain are identified by their EVM hash. */
export const asBlockHash: Check<string> = (value, name) =>
  typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : asId(value, name);

const asNodeId: Check<string> = (value, name) => {
  if (typeof value === 'string' && isNodeId(value)) return value;
  throw wrong(name, value, 'a node id: NodeID- and 20 bytes in CB58');
};

const asCount = asWhole(2n ** 31n - 1n);
const b = <const Name extends string, T>(name: Name, type: string, read: Check<T>) =>
  columnOf('b', name, type, read);

/** The fields of a block in the order of its JSON, over `block b`. */
export const blockFields = {
  blockNumber: {
    ...b('number', 'numeric', asDigits(UINT64_MAX)),
    ...is(digits, 'Number of the block on its chain'),
    graphql: 'number',
  },
  blockHash: {
    ...b('hash', 'text', asBlockHash),
    ...is(blockHash, 'Hash of the block, CB58, on the C-chain hex with 0x', 'where unknown'),
    graphql: 'hash',
  },
  parentHash: {
    ...b('parent_hash', 'text', asBlockHash),
    ...is(
      blockHash,
      'Hash of the block before it, in the same form; of block 0 of the P-chain that of the genesis, of block 0 of the X-chain that of the last vertex',
      'where unknown',
    ),
  },
  blockType: {
    ...b('block_type', 'block_type', asMember(blockTypes)),
    ...is(choice('BlockType', blockTypes), 'What the block does', 'on the C-chain, and where unknown'),
  },
  blockTimestamp: {
    ...b('timestamp', 'numeric', asSeconds),
    ...is(
      whole,
      'When the block was made, Unix seconds. Blocks of the P-chain from before Banff have no time of their own: the time of the chain',
    ),
    graphql: 'timestamp',
  },
  blockSizeBytes: {
    ...b('size_bytes', 'integer', asCount),
    ...is(
      small,
      'Encoded size, bytes, without what its proposer put around it',
      'on the C-chain, and where unknown',
    ),
    graphql: 'sizeBytes',
  },
  txCount: {
    ...b('tx_count', 'integer', asCount),
    ...is(
      small,
      'Number of its transactions, indexed or not; on the C-chain of its atomic transactions',
      'where unknown',
    ),
  },
  proposerNodeId: {
    ...b('proposer_node_id', 'text', asNodeId),
    ...is(
      nodeId,
      'Id of the node that proposed and signed the block, NodeID-…, as the followed node says: its signature is checked, and not that the chain accepted this one',
      'for blocks that nobody signed, such as those that decide a proposal, and where unknown: only nodes with an index of blocks say it',
    ),
  },
} satisfies Fields;

/** The columns of a row. */
export type BlockRecord = RecordOf<typeof blockFields>;

/** A block as resolvers see it: the row's JSON. */
export type BlockNode = NodeOf<typeof blockFields> & { network: Network; chain: PrimaryChain };

/** The source of a block. */
export const blockRows = {
  from: 'block b',
  columns: { id: 'b.number', network: 'b.network', chain: 'b.chain', text: fieldsText(blockFields) },
  toNode: nodeWith('network', 'chain'),
} satisfies NodeSource<BlockNode>;

/** What is read of a block only if it is selected. */
export const blockContents = {
  txHashes: {
    sql: `coalesce((
      SELECT json_agg(t.tx_hash ORDER BY t.block_timestamp, t.tie, t.id)::text FROM transaction t
      WHERE t.network = b.network AND t.chain = b.chain AND t.block_number = b.number), '[]')`,
    ...is(
      ids,
      'Hashes of its indexed transactions, in the order of the block; where that is unknown, by txHash',
    ),
  },
} satisfies Fields;

export type BlockContents = NodeOf<typeof blockContents>;

export const blockContentsRows = {
  from: 'block b',
  columns: { text: fieldsText(blockContents) },
  toNode: nodeOfJson,
} satisfies NodeSource<BlockContents>;

/** The keys of a block's lists and rows, over `block b`. */
export const blockSource = {
  keys: {
    network: 'b.network',
    chain: 'b.chain',
    blockNumber: 'b.number',
    proposerNodeId: 'b.proposer_node_id',
  },
  id: "b.network::text || ':' || b.chain::text || ':' || b.number::text",
};
