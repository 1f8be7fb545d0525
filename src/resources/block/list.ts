import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { defineFind } from '../../lists/find.js';
import { defineList } from '../../lists/read.js';
import { transactionRows, type TransactionNode } from '../transaction/fields.js';
import { byTime } from '../transaction/list.js';
import { blockRows, type BlockNode } from './fields.js';

interface ChainKey {
  network: Network;
  chain: PrimaryChain;
}

/** A block by its number, decimal digits. */
export interface BlockNumber extends ChainKey {
  number: string;
}

/** A block by its hash, hex in lower case. */
export interface BlockHash extends ChainKey {
  hash: string;
}

const keys = { network: ['network', 'n.network'], chain: ['primary_chain', 'n.chain'] } as const;
const own = blockRows('n.block_number');

export const findBlocks = defineFind<BlockNumber, BlockNode>('blocks_by_number', own, {
  ...keys,
  number: ['numeric', 'n.block_number'],
});

export const findBlocksByHash = defineFind<BlockHash, BlockNode>('blocks_by_hash', own, {
  ...keys,
  hash: ['text', 'n.block_hash'],
});

interface TransactionRowKey {
  transactionId: string;
}

export const findBlocksOf = defineFind<TransactionRowKey, BlockNode>('blocks_of_transactions', own, {
  transactionId: ['bigint', 'n.id'],
});

/** The stored block before each block; a block is given by the transaction that stands for it. */
export const findPrevious = findNext('previous_blocks', '<', 'DESC');
/** The stored block after each block. */
export const findFollowing = findNext('following_blocks', '>', 'ASC');

function findNext(name: string, beyond: string, direction: string) {
  const number = `(
    SELECT next.block_number FROM transaction next
    WHERE next.network = n.network AND next.chain = n.chain AND next.block_number ${beyond} n.block_number
    ORDER BY next.block_number ${direction} LIMIT 1)`;
  return defineFind<TransactionRowKey, BlockNode>(name, blockRows(number), {
    transactionId: ['bigint', 'n.id'],
  });
}

/** The transactions of a block, in the order of those of its chain. Cursors are row ids. */
export const blockTransactionList = defineList<BlockNumber, TransactionNode, never>({
  name: 'block_transactions',
  values: { network: 'network', chain: 'primary_chain', number: 'text' },
  parent: ['network', 'chain', 'number'],
  ...transactionRows,
  where: (value) =>
    `t.network = ${value('network')} AND t.chain = ${value('chain')} AND t.block_number = ${value('number')}::numeric`,
  ...byTime,
});
