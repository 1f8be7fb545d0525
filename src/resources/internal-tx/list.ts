import { toBytea } from '../../avalanche/evm.js';
import { defineFind } from '../../lists/find.js';
import { defineList } from '../../lists/read.js';
import type { InternalTxQuery } from './arguments.js';
import { internalTxRows, type InternalTxKey } from './fields.js';
import type { InternalTxRow } from './row.js';

const order = ['block_number', 'tx_hash', 'position', 'tie'];
const of = (alias: string) => order.map((column) => `${alias}.${column}`);

/** The internal transactions of an address on a chain, newest first. Cursors are row ids. */
export const internalTxList = defineList<InternalTxQuery, InternalTxRow>({
  name: 'internal_txs',
  values: { evmChainId: 'bigint', address: 'bytea', startBlock: 'bigint', endBlock: 'bigint' },
  parent: ['evmChainId', 'address', 'startBlock', 'endBlock'],
  bind: ({ evmChainId, address, startBlock, endBlock }) => ({
    evmChainId,
    address: toBytea(address),
    startBlock: startBlock.toString(),
    endBlock: endBlock.toString(),
  }),
  from: internalTxRows.from,
  where: (value, _filters, { after, before }) => {
    // An index scan begins at one of its bounds only, and of a block and a cursor PostgreSQL may take the block, which
    // reads everything between: `+ 0` leaves it the cursor alone.
    const low = before === null ? 'i.block_number' : 'i.block_number + 0';
    const high = after === null ? 'i.block_number' : 'i.block_number + 0';
    return `i.evm_chain_id = ${value('evmChainId')}
      AND ${low} >= ${value('startBlock')} AND ${high} < ${value('endBlock')}`;
  },
  // What the address sent, and what it received from others: a frame from an address to itself is in the first.
  // Two ranges, each of one index, stay cheap where a condition on either column would not.
  ranges: (value) => ({
    parts: [
      { where: `i.from_address = ${value('address')}` },
      { where: `i.to_address = ${value('address')} AND i.to_address <> i.from_address` },
    ],
    overlap: false,
  }),
  order: { name: '', direction: 'desc', columns: of('i'), position: of },
  cursor: { table: 'internal_tx', at: (alias, id) => `${alias}.id = ${id}` },
  columns: internalTxRows.columns,
  lookup: { from: internalTxRows.from, on: 'i.id = page.id', keys: { id: 'i.id' } },
});

export const findInternalTxs = defineFind<InternalTxKey, InternalTxRow>(
  'internal_txs_by_key',
  internalTxRows,
  {
    evmChainId: ['bigint', 'i.evm_chain_id'],
    txHash: ['bytea', 'i.tx_hash', toBytea],
    position: ['int', 'i.position'],
    tie: ['bigint', 'i.tie'],
  },
);
