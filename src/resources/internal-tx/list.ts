import { storedEvmAddress, toBytea } from '../../avalanche/evm.js';
import { defineFind } from '../../lists/find.js';
import type { Order, Shape, ValueOf } from '../../lists/list.js';
import { sortedBy } from '../../lists/order.js';
import { defineList } from '../../lists/read.js';
import type {
  ChainInternalTxNarrowing,
  ChainInternalTxQuery,
  InternalTxNarrowing,
  InternalTxQuery,
} from './arguments.js';
import { internalTxRows, type InternalTxKey, type InternalTxNode } from './fields.js';

const newestFirst: Order = {
  ...sortedBy('i', 'desc', ['block_number', 'tx_hash', 'position', 'tie'], { moves: [0, 2, 3] }),
  prunes: true,
};
/** The same within a transaction. */
const lastFirst = sortedBy('i', 'desc', ['position', 'tie'], { name: 'tx', moves: [0, 1] });

// Only the chain's partitions can have it, but each of them has to be read.
const cursor = {
  table: 'internal_tx',
  at: (alias: string, id: string, value: ValueOf) =>
    `${alias}.id = ${id} AND ${alias}.evm_chain_id = ${value('evmChainId')}`,
  once: true,
};
/** A condition that leaves an index to another range: see bounds. */
const hidden = 'i.block_number + 0';

/**
 * The chain and the blocks. An index scan starts at only one bound, and of a block bound and a cursor
 * PostgreSQL may choose the block, and then reads everything between: `+ 0` leaves it only the cursor.
 */
function bounds(value: ValueOf, { after, before }: Shape['request'], blocks = 'i.block_number'): string {
  return `i.evm_chain_id = ${value('evmChainId')}
    AND ${before === null ? blocks : hidden} >= ${value('startBlock')}
    AND ${after === null ? blocks : hidden} < ${value('endBlock')}`;
}

/** There is always a range: see bounds. */
const blockFilters = { startBlock: { as: 'startBlock' }, endBlock: { as: 'endBlock' } };

/** The internal transactions of an address on a chain, newest first. Cursors are row ids. */
export const internalTxList = defineList<InternalTxQuery, InternalTxNode, InternalTxNarrowing>({
  name: 'internal_txs',
  values: { evmChainId: 'bigint', address: 'bytea', startBlock: 'bigint', endBlock: 'bigint' },
  parent: ['evmChainId', 'address', 'startBlock', 'endBlock'],
  bind: ({ evmChainId, address, startBlock, endBlock }) => ({
    evmChainId,
    address: toBytea(address),
    startBlock: startBlock.toString(),
    endBlock: endBlock.toString(),
  }),
  ofParent: storedEvmAddress,
  from: internalTxRows.from,
  where: (value, _filters, request) => bounds(value, request),
  filters: blockFilters,
  // What the address sent, and what it received from others: a frame from an address to itself is in the
  // first. Two ranges, each of one index, are cheap; one condition on either column would not be.
  ranges: (value) => ({
    parts: [
      { where: `i.from_address = ${value('address')}` },
      { where: `i.to_address = ${value('address')} AND i.to_address <> i.from_address` },
    ],
    overlap: false,
  }),
  order: newestFirst,
  cursor,
  columns: internalTxRows.columns,
  toNode: internalTxRows.toNode,
  // All of a row is in the table of the keys. To look up each by its id would read a leaf of another index
  // for it.
  whole: 'i',
});

/** The internal transactions of a chain, newest first, in a transaction too. Cursors are row ids. */
export const chainInternalTxList = defineList<ChainInternalTxQuery, InternalTxNode, ChainInternalTxNarrowing>(
  {
    name: 'internal_txs_of_chain',
    values: { evmChainId: 'bigint', txHash: 'bytea', startBlock: 'bigint', endBlock: 'bigint' },
    parent: ['evmChainId'],
    bind: ({ evmChainId, txHash, blockNumber, startBlock, endBlock }) => ({
      evmChainId,
      txHash: txHash && toBytea(txHash),
      startBlock: String(blockNumber !== null && blockNumber > startBlock ? blockNumber : startBlock),
      endBlock: String(blockNumber !== null && blockNumber < endBlock ? blockNumber + 1n : endBlock),
    }),
    from: internalTxRows.from,
    // A transaction is in one block, so that this range is enough.
    where: (value, filters, request) =>
      bounds(value, request, filters.includes('txHash') ? hidden : undefined),
    filters: {
      txHash: { sql: (value) => `i.tx_hash = ${value('txHash')}` },
      blockNumber: { as: ['startBlock', 'endBlock'] },
      ...blockFilters,
    },
    order: ({ txHash }) => (txHash === null ? newestFirst : lastFirst),
    cursor,
    columns: internalTxRows.columns,
    toNode: internalTxRows.toNode,
  },
);

export const findInternalTxs = defineFind<InternalTxKey, InternalTxNode>(
  'internal_txs_by_key',
  internalTxRows,
  {
    evmChainId: ['bigint', 'i.evm_chain_id'],
    txHash: ['bytea', 'i.tx_hash', toBytea],
    position: ['int', 'i.position'],
    sortKey: ['bigint', 'i.tie'],
  },
);
