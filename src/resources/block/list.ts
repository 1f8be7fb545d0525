import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { defineFind } from '../../lists/find.js';
import type { NodeSource, ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import { transactionRows, type TransactionNode } from '../transaction/fields.js';
import { byTime } from '../transaction/list.js';
import type { BlockListQuery, BlockNarrowing } from './arguments.js';
import { blockContentsRows, blockRows, type BlockContents, type BlockNode } from './fields.js';
import { indexedHash } from './query.js';

interface ChainKey {
  network: Network;
  chain: PrimaryChain;
}

/** A block by its number, decimal digits. */
export interface BlockNumber extends ChainKey {
  blockNumber: string;
}

/** A block by its hash, hex in lower case. */
export interface BlockHash extends ChainKey {
  hash: string;
}

const rowsFrom = (from: string): NodeSource<BlockNode> => ({ ...blockRows, from });

export const findBlocks = defineFind<BlockNumber, BlockNode>('blocks_by_number', blockRows, {
  network: ['network', 'b.network'],
  chain: ['primary_chain', 'b.chain'],
  blockNumber: ['numeric', 'b.number'],
});

export const findBlocksByHash = defineFind<BlockHash, BlockNode>('blocks_by_hash', blockRows, {
  network: ['network', 'b.network'],
  chain: ['primary_chain', 'b.chain'],
  hash: ['text', `${indexedHash('b.hash')} = ${indexedHash('wanted.hash')} AND b.hash`],
});

export const findBlockContents = defineFind<BlockNumber, BlockContents>('block_contents', blockContentsRows, {
  network: ['network', 'b.network'],
  chain: ['primary_chain', 'b.chain'],
  blockNumber: ['numeric', 'b.number'],
});

/** The blocks of transactions, by row ids. */
export const findBlocksOf = defineFind<{ transactionId: string }, BlockNode>(
  'blocks_of_transactions',
  rowsFrom(
    'transaction n JOIN block b ON b.network = n.network AND b.chain = n.chain AND b.number = n.block_number',
  ),
  { transactionId: ['bigint', 'n.id'] },
);

/** The blocks right before blocks, and right after them. */
export const findParents = findNear('parent_blocks', adjacent('n.number - 1'));
export const findChildren = findNear('child_blocks', adjacent('n.number + 1'));

/** The stored blocks before blocks, and after them, however far. */
export const findPrevious = findNear('previous_blocks', nextStored('<', 'DESC'));
export const findFollowing = findNear('following_blocks', nextStored('>', 'ASC'));

/** Blocks `b` next to a block `n`. */
function findNear(name: string, joined: string) {
  return defineFind<BlockNumber, BlockNode>(name, rowsFrom(`block n ${joined}`), {
    network: ['network', 'n.network'],
    chain: ['primary_chain', 'n.chain'],
    blockNumber: ['numeric', 'n.number'],
  });
}

function adjacent(number: string): string {
  return `JOIN block b ON b.network = n.network AND b.chain = n.chain AND b.number = ${number}`;
}

function nextStored(beyond: string, direction: string): string {
  return `CROSS JOIN LATERAL (
    SELECT next.* FROM block next
    WHERE next.network = n.network AND next.chain = n.chain AND next.number ${beyond} n.number
    ORDER BY next.number ${direction} LIMIT 1) b`;
}

/** The largest row that a page token contains: src/paging/position.ts. No chain has so many blocks. */
export const LAST_LISTED = 2n ** 36n - 1n;

/**
 * SQL of the lowest number from which on all stored blocks of the chain are of a time or later. The time of a
 * later block is never before that of an earlier one, so that the index by number finds it in 36 steps.
 */
const firstNumberAt = (value: ValueOf, time: string) => `(
  WITH RECURSIVE search(low, high) AS (
    SELECT 0::bigint, ${LAST_LISTED + 1n}::bigint
    UNION ALL
    SELECT CASE WHEN is_late THEN low ELSE middle + 1 END, CASE WHEN is_late THEN middle ELSE high END
    FROM (SELECT low, high, (low + high) / 2 AS middle FROM search WHERE low < high) range
    CROSS JOIN LATERAL (
      SELECT coalesce((
        SELECT a.timestamp >= ${value(time)} FROM block a
        WHERE a.network = ${value('network')} AND a.chain = ${value('blockchainId')} AND a.number >= middle
        ORDER BY a.number LIMIT 1), true) AS is_late) next)
  SELECT max(low) FROM search)`;

/** The blocks of a chain, newest first. Cursors are their numbers, whether or not there is such a block. */
export const blockList = defineList<BlockListQuery, BlockNode, BlockNarrowing>({
  name: 'blocks',
  values: {
    network: 'network',
    blockchainId: 'primary_chain',
    proposer: 'text',
    startBlock: 'numeric',
    endBlock: 'numeric',
    since: 'numeric',
    until: 'numeric',
  },
  ...blockRows,
  where: (value) =>
    `b.network = ${value('network')} AND b.chain = ${value('blockchainId')} AND b.number <= ${LAST_LISTED}`,
  filters: {
    proposer: { sql: (value) => `b.proposer_node_id = ${value('proposer')}` },
    startBlock: { sql: (value) => `b.number >= ${value('startBlock')}` },
    endBlock: { sql: (value) => `b.number < ${value('endBlock')}` },
    since: { sql: (value) => `b.number >= ${firstNumberAt(value, 'since')}` },
    until: { sql: (value) => `b.number < ${firstNumberAt(value, 'until')}` },
  },
  order: { name: '', direction: 'desc', columns: ['b.number'] },
});

/** The transactions of a block, in the order of those of its chain. Cursors are row ids. */
export const blockTransactionList = defineList<ChainKey & { number: string }, TransactionNode, never>({
  name: 'block_transactions',
  values: { network: 'network', chain: 'primary_chain', number: 'text' },
  parent: ['network', 'chain', 'number'],
  ...transactionRows,
  where: (value) =>
    `t.network = ${value('network')} AND t.chain = ${value('chain')} AND t.block_number = ${value('number')}::numeric`,
  ...byTime,
});
