import { keyset, keysetName, type ListOrder } from '../../paging/keyset.js';
import type { PageRequest } from '../../paging/page-request.js';
import { statement, type CompiledStatement } from '../../storage/statement.js';
import { utxoColumns } from './columns.js';

/** What of a list decides the text of its statement. */
export interface UtxoListShape {
  sortBy: 'timestamp' | 'amount';
  sortOrder: ListOrder;
  request: PageRequest<unknown>;
  byAsset: boolean;
  byMinimum: boolean;
}

/**
 * How many outputs of at least the minimum amount are looked up by amount before the list by time is read
 * instead. Below it they are sorted; above it so many pass that reading by time soon fills a page. Without
 * this a minimum that nothing passes reads an address's whole history.
 */
export const FEW = 1000;

const columns = { timestamp: 'time', amount: 'amount' } as const;
/** Where a cursor's values stand in `utxo u`. */
export const baseColumns = { timestamp: 'coalesce(u.block_timestamp, 0)', amount: 'u.amount' } as const;

/**
 * The statement of one page of a UTXO list: the page's keys from the owner table's indexes, a top-N for each
 * address and spent state, merged; then the rows. Parameters: network, addresses, chain, states, limit (one more
 * than the page, or null), after, before, minimum, assetId.
 */
export function utxoListStatement(shape: UtxoListShape): CompiledStatement {
  return statement(`utxos_${listName(shape)}`, () => listText(shape));
}

/** What tells apart the texts of list statements. */
export function listName({ sortBy, sortOrder, request, byAsset, byMinimum }: UtxoListShape): string {
  return `${sortBy}_${keysetName(sortOrder, request)}${byAsset ? '_asset' : ''}${byMinimum ? '_min' : ''}`;
}

/**
 * The statement that counts a UTXO list, reading up to `limit` entries of all its owners together. Parameters as
 * above, without after and before.
 */
export function utxoCountStatement(filters: Pick<UtxoListShape, 'byAsset' | 'byMinimum'>): CompiledStatement {
  const name = `utxos_count${filters.byAsset ? '_asset' : ''}${filters.byMinimum ? '_min' : ''}`;
  return statement(name, () => {
    const request = { direction: 'forward', limit: null, after: null, before: null } as const;
    // By amount, because then a minimum is a range of the index.
    const shape: UtxoListShape = { ...filters, sortBy: 'amount', sortOrder: 'desc', request };
    return `
      SELECT count(DISTINCT found.id)::int AS count, count(*)::int AS read
      FROM (SELECT entry.id FROM ${ownersText} CROSS JOIN LATERAL (${entriesText(shape, String)}) entry
            LIMIT :limit::bigint) found`;
  });
}

function listText(shape: UtxoListShape): string {
  const { readingOrder } = keyset(
    ['page.key', 'page.tie', 'page.id'],
    shape.sortOrder,
    shape.request,
    String,
  );
  return `${pageText(shape)}
    SELECT row.id, row.network, row.text, row.unknown
    FROM page CROSS JOIN LATERAL (
      SELECT ${utxoColumns} FROM utxo u JOIN asset a ON a.id = u.asset_row_id WHERE u.id = page.id OFFSET 0) row
    ORDER BY ${readingOrder}`;
}

/** SQL of the owners that a list names and the spent states that it shows. */
const ownersText = `
  (SELECT id FROM address WHERE network = :network::network AND address = ANY(:addresses::text[])) owner
  CROSS JOIN unnest(:states::boolean[]) AS state(spent)`;

/** A WITH clause that makes `page`: the sort keys and row ids of a page. */
function pageText(shape: UtxoListShape): string {
  const { sortBy, sortOrder, request } = shape;
  const position = (cursor: string) =>
    `(SELECT ${baseColumns[sortBy]}, u.tie, u.id FROM utxo u WHERE u.id = :${cursor}::bigint)`;
  const { readingOrder } = keyset(['key', 'tie', 'id'], sortOrder, request, position);
  return `
    WITH page AS MATERIALIZED (
      SELECT DISTINCT entry.key, entry.tie, entry.id
      FROM ${ownersText} CROSS JOIN LATERAL (${entriesText(shape, position)}) entry
      ORDER BY ${readingOrder} LIMIT :limit::bigint)`;
}

/**
 * SQL of the sort keys and row ids of one owner's outputs in one spent state, up to the limit, over `owner` and
 * `state`.
 *
 * @param position the SQL of a cursor's own values, by cursor
 */
export function entriesText(
  { sortBy, sortOrder, request, byAsset, byMinimum }: UtxoListShape,
  position: (cursor: 'after' | 'before') => string,
): string {
  const inner = keyset(['o.' + columns[sortBy], 'o.tie', 'o.utxo_row_id'], sortOrder, request, position);
  const outer = keyset(['key', 'tie', 'id'], sortOrder, request, position);
  const range =
    `o.address_id = owner.id AND o.spent = state.spent AND ` +
    (byAsset
      ? // The indexes by asset hold the X-chain alone; the literal lets the planner prove it.
        `o.chain = 'x' AND o.asset_row_id = (SELECT id FROM asset WHERE network = :network::network AND asset_id = :assetId)`
      : `o.chain = :chain::primary_chain`);
  const entry = `SELECT o.${columns[sortBy]} AS key, o.tie, o.utxo_row_id AS id FROM utxo_owner o WHERE ${range}`;
  const minimum = byMinimum ? ' AND o.amount >= :minimum::numeric' : '';
  const byKey = `${entry}${minimum}${inner.conditions} ORDER BY ${inner.readingOrder} LIMIT :limit::bigint`;
  return byMinimum && sortBy === 'timestamp'
    ? `WITH large AS MATERIALIZED (${entry}${minimum} ORDER BY o.amount DESC LIMIT ${FEW})
         SELECT key, tie, id FROM (
           (SELECT key, tie, id FROM large WHERE (SELECT count(*) FROM large) < ${FEW}${outer.conditions}
            ORDER BY ${outer.readingOrder} LIMIT :limit::bigint)
           UNION ALL
           (SELECT * FROM (${byKey}) many WHERE (SELECT count(*) FROM large) >= ${FEW})) either`
    : byKey;
}
