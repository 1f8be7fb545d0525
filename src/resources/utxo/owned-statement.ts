import { keyset } from '../../paging/keyset.js';
import { statement, type CompiledStatement } from '../../storage/statement.js';
import { utxoColumns } from './columns.js';
import { baseColumns, entriesText, listName, type UtxoListShape } from './list-statement.js';

/**
 * The statement of one page of the UTXO lists of each of several addresses. Parameters: as of utxoListStatement,
 * but with a list of addresses, afters and befores, one of each for each page.
 */
export function ownedUtxosStatement(shape: UtxoListShape): CompiledStatement {
  const { sortBy, sortOrder, request } = shape;
  return statement(`owned_${listName(shape)}`, () => {
    const position = (cursor: string) => {
      const alias = `${cursor}_cursor`;
      return `(${baseColumns[sortBy].replace('u.', `${alias}.`)}, ${alias}.tie, ${alias}.id)`;
    };
    const { readingOrder } = keyset(['entry.key', 'entry.tie', 'entry.id'], sortOrder, request, position);
    const listOrder = ['page.key', 'page.tie', 'page.id']
      .map((column) => `${column} ${sortOrder}`)
      .join(', ');
    return `
      SELECT parent.ordinal::int AS ordinal, row.id, row.network, row.text, row.unknown
      FROM unnest(:addresses::text[], :afters::bigint[], :befores::bigint[])
        WITH ORDINALITY AS parent(address, after, before, ordinal)
      JOIN address owner ON owner.network = :network::network AND owner.address = parent.address
      LEFT JOIN utxo after_cursor ON after_cursor.id = parent.after
      LEFT JOIN utxo before_cursor ON before_cursor.id = parent.before
      CROSS JOIN LATERAL (
        SELECT entry.key, entry.tie, entry.id
        FROM unnest(:states::boolean[]) AS state(spent) CROSS JOIN LATERAL (${entriesText(shape, position)}) entry
        ORDER BY ${readingOrder} LIMIT :limit::bigint) page
      CROSS JOIN LATERAL (
        SELECT ${utxoColumns} FROM utxo u JOIN asset a ON a.id = u.asset_row_id WHERE u.id = page.id OFFSET 0) row
      ORDER BY parent.ordinal, ${listOrder}`;
  });
}

/** The statement that counts the UTXO lists of several addresses, each up to `limit`. */
export function ownedCountStatement(
  filters: Pick<UtxoListShape, 'byAsset' | 'byMinimum'>,
): CompiledStatement {
  const request = { direction: 'forward', limit: null, after: null, before: null } as const;
  const shape: UtxoListShape = { ...filters, sortBy: 'amount', sortOrder: 'desc', request };
  return statement(
    `owned_count_${listName(shape)}`,
    () => `
      SELECT (
        SELECT count(*)::int FROM (
          SELECT 1 FROM address owner CROSS JOIN unnest(:states::boolean[]) AS state(spent)
          CROSS JOIN LATERAL (${entriesText(shape, String)}) entry
          WHERE owner.network = :network::network AND owner.address = parent.address
          LIMIT :limit::bigint) found) AS count
      FROM unnest(:addresses::text[]) WITH ORDINALITY AS parent(address, ordinal)
      ORDER BY parent.ordinal`,
  );
}
