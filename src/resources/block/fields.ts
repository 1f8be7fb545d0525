import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { blockHash, digits, fieldsText, is, whole, type Fields, type NodeOf } from '../../fields/field.js';
import { nodeWith } from '../../fields/node.js';
import type { NodeSource } from '../../lists/list.js';

/** The fields of a block, over one of its transactions, `t`. */
export const blockFields = {
  number: { sql: 't.block_number', ...is(digits, 'Number of the block on its chain') },
  hash: {
    sql: 't.block_hash',
    ...is(blockHash, 'Hash of the block, CB58, on the C-chain hex with 0x', 'where unknown'),
  },
  timestamp: { sql: 't.block_timestamp', ...is(whole, 'When the block was made, Unix seconds') },
} satisfies Fields;

export type BlockNode = NodeOf<typeof blockFields> & {
  /** Row id of the transaction that stands for the block. */
  rowId: string;
  network: Network;
  chain: PrimaryChain;
};

/**
 * The source of a block. Whichever transaction `n` it is reached from, the first transaction of a block
 * stands for it.
 *
 * @param number SQL of the block's number, over `n`
 */
export function blockRows(number: string) {
  return {
    from: `transaction n CROSS JOIN LATERAL (
      SELECT b.id, b.network, b.chain, b.block_number, b.block_hash, b.block_timestamp FROM transaction b
      WHERE b.network = n.network AND b.chain = n.chain AND b.block_number = ${number}
      ORDER BY b.block_timestamp, b.tie, b.id LIMIT 1) t`,
    columns: { id: 't.id', network: 't.network', chain: 't.chain', text: fieldsText(blockFields) },
    toNode: nodeWith('network', 'chain'),
  } satisfies NodeSource<BlockNode>;
}

/** The keys of a block, over its transaction `t`; the number as text, which JSON does not round. */
export const blockSource = {
  keys: { rowId: 't.id', network: 't.network', chain: 't.chain', number: 't.block_number::text' },
  id: "t.network::text || ':' || t.chain::text || ':' || t.block_number::text",
};
