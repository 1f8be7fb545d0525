import { keyset, keysetName } from '../../paging/keyset.js';
import type { PageRequest } from '../../paging/page-request.js';
import { statement, type CompiledStatement } from '../../storage/statement.js';
import { internalTxColumns } from './columns.js';

const columns = ['block_number', 'tx_hash', 'position', 'tie'];
const of = (table: string) => columns.map((column) => `${table}.${column}`);

// What the address sent, and what it received from others: a frame from an address to itself is in the first.
// Two ranges, each of one index, stay cheap where a condition on either column would not.
const sides = [
  'i.from_address = parent.address',
  'i.to_address = parent.address AND i.to_address <> i.from_address',
];

const parents = `unnest(:chains::bigint[], :addresses::bytea[], :starts::bigint[], :ends::bigint[]`;

/**
 * The condition on chain and blocks. An index scan begins at one of its bounds only, and of a block and a cursor
 * PostgreSQL may take the block, which reads everything between: `+ 0` leaves it the cursor alone.
 */
function rangeOf({ after, before }: Pick<PageRequest<unknown>, 'after' | 'before'>): string {
  const low = before === null ? 'i.block_number' : 'i.block_number + 0';
  const high = after === null ? 'i.block_number' : 'i.block_number + 0';
  return `i.evm_chain_id = parent.chain AND ${low} >= parent.start AND ${high} < parent.stop`;
}

/**
 * The statement of one page of each of several lists. Parameters: chains, addresses, starts, ends, afters, befores,
 * one of each for each page; limit (one more than the page, or null).
 */
export function internalTxListStatement(request: PageRequest<unknown>): CompiledStatement {
  return statement(`internal_txs_${keysetName('desc', request)}`, () => {
    const position = (cursor: string) => `(${of(`${cursor}_cursor`).join(', ')})`;
    const { conditions, readingOrder } = keyset(of('i'), 'desc', request, position);
    const outer = keyset(of('entry'), 'desc', request, position).readingOrder;
    const keys = `SELECT ${of('i').join(', ')}, i.id FROM internal_tx i WHERE ${rangeOf(request)}`;
    const branches = sides.map(
      (side) => `(${keys} AND ${side}${conditions} ORDER BY ${readingOrder} LIMIT :limit::bigint)`,
    );
    return `
      SELECT parent.ordinal::int AS ordinal, row.*
      FROM ${parents}, :afters::bigint[], :befores::bigint[])
        WITH ORDINALITY AS parent(chain, address, start, stop, after, before, ordinal)
      LEFT JOIN internal_tx after_cursor ON after_cursor.id = parent.after
      LEFT JOIN internal_tx before_cursor ON before_cursor.id = parent.before
      CROSS JOIN LATERAL (
        SELECT * FROM (${branches.join(' UNION ALL ')}) entry ORDER BY ${outer} LIMIT :limit::bigint) page
      CROSS JOIN LATERAL (SELECT ${internalTxColumns} FROM internal_tx i WHERE i.id = page.id OFFSET 0) row
      ORDER BY parent.ordinal, ${of('page')
        .map((column) => `${column} DESC`)
        .join(', ')}`;
  });
}

/** The statement that counts several lists, each up to `most`. Parameters: chains, addresses, starts, ends. */
export function internalTxCountStatement(): CompiledStatement {
  return statement('internal_txs_count', () => {
    const range = rangeOf({ after: null, before: null });
    const branches = sides.map(
      (side) => `(SELECT 1 FROM internal_tx i WHERE ${range} AND ${side} LIMIT :most::bigint)`,
    );
    return `
      SELECT (SELECT count(*)::int FROM (SELECT 1 FROM (${branches.join(' UNION ALL ')}) entry
        LIMIT :most::bigint) found) AS count
      FROM ${parents}) WITH ORDINALITY AS parent(chain, address, start, stop, ordinal)
      ORDER BY parent.ordinal`;
  });
}
