import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { keyset, keysetName } from '../../paging/keyset.js';
import { pageValues, rowsByPage, type NestedPage } from '../../paging/nested-page.js';
import type { PageRequest } from '../../paging/page-request.js';
import { jsonText } from '../../storage/json-text.js';
import type { Storage } from '../../storage/open.js';
import { bind, statement, type CompiledStatement } from '../../storage/statement.js';
import type { BalanceRow } from './row.js';

/** What an address has of each asset: on one chain, or where chain is null on all of its network. */
export interface BalanceQuery {
  network: Network;
  address: string;
  chain: PrimaryChain | null;
}

/** A page of such a list, by assetId in code-unit order. Cursors are row ids of assets. */
export type BalancePage = BalanceQuery & NestedPage;

const assetId = 'a.asset_id COLLATE "C"';

const balanceText = jsonText([
  {
    name: 'asset',
    form: 'json',
    sql: jsonText([
      { name: 'network', form: 'plain', sql: 'a.network' },
      { name: 'assetId', form: 'plain', sql: 'a.asset_id' },
      { name: 'name', form: 'text', sql: 'a.name' },
      { name: 'symbol', form: 'text', sql: 'a.symbol' },
      { name: 'denomination', form: 'number', sql: 'a.denomination' },
      { name: 'type', form: 'plain', sql: 'a.type' },
    ]),
  },
  { name: 'unspent', form: 'plain', sql: 'b.unspent' },
  { name: 'received', form: 'plain', sql: 'b.received' },
]);

const parents = `unnest(:networks::network[], :addresses::text[], :chains::primary_chain[]`;

// A row counts where its chain's list has outputs; over all chains, for the outputs that were created on it.
const sumOf = (column: string) =>
  `sum(CASE WHEN parent.chain IS NULL THEN b.created_${column} ELSE b.${column} END)`;

const balances = `
  SELECT b.asset_row_id, ${sumOf('unspent')} AS unspent, ${sumOf('received')} AS received
  FROM address owner JOIN address_balance b ON b.address_id = owner.id
  WHERE owner.network = parent.network AND owner.address = parent.address
    AND (parent.chain IS NULL OR b.chain = parent.chain)
  GROUP BY b.asset_row_id HAVING ${sumOf('outputs')} > 0`;

// Costs what the addresses ever had of assets, whatever the number of their outputs.
function balanceListStatement(request: PageRequest<unknown>): CompiledStatement {
  return statement(`balances_${keysetName('asc', request)}`, () => {
    const { conditions, readingOrder } = keyset(
      [assetId],
      'asc',
      request,
      (cursor) => `(${cursor}_cursor.asset_id)`,
    );
    return `
      SELECT parent.ordinal::int AS ordinal, balance.id, balance.text
      FROM ${parents}, :afters::integer[], :befores::integer[])
        WITH ORDINALITY AS parent(network, address, chain, after, before, ordinal)
      LEFT JOIN asset after_cursor ON after_cursor.id = parent.after
      LEFT JOIN asset before_cursor ON before_cursor.id = parent.before
      CROSS JOIN LATERAL (
        SELECT a.id::text AS id, ${assetId} AS key, ${balanceText} AS text
        FROM (${balances}) b
        JOIN asset a ON a.id = b.asset_row_id
        WHERE true${conditions}
        ORDER BY ${readingOrder} LIMIT :limit::bigint) balance
      ORDER BY parent.ordinal, balance.key`;
  });
}

/** Up to limit + 1 balances of each of several addresses, in list order, in one statement. */
export async function listBalances(
  storage: Storage,
  pages: readonly [BalancePage, ...BalancePage[]],
): Promise<BalanceRow[][]> {
  const list = balanceListStatement(pages[0].request);
  const rows = await storage.read<BalanceRow & { ordinal: number }>(
    list,
    bind(list, {
      ...parentValues(pages),
      ...pageValues(pages),
    }),
  );
  return rowsByPage(rows, pages.length);
}

/** How many assets each of several addresses has ever had, each counted up to `most`. */
export async function countBalances(
  storage: Storage,
  queries: readonly BalanceQuery[],
  most: number,
): Promise<number[]> {
  const count = statement(
    'balances_count',
    () => `
      SELECT (SELECT count(*)::int FROM (
        SELECT 1 FROM (${balances}) b LIMIT :most::bigint) found) AS count
      FROM ${parents}) WITH ORDINALITY AS parent(network, address, chain, ordinal)
      ORDER BY parent.ordinal`,
  );
  const rows = await storage.read<{ count: number }>(count, bind(count, { ...parentValues(queries), most }));
  return rows.map((row) => row.count);
}

function parentValues(queries: readonly BalanceQuery[]) {
  return {
    networks: queries.map((query) => query.network),
    addresses: queries.map((query) => query.address),
    chains: queries.map((query) => query.chain),
  };
}

/** Whether an asset of this row id exists. */
export async function assetExists(storage: Storage, id: string): Promise<boolean> {
  const exists = statement('asset_exists', () => 'SELECT 1 FROM asset WHERE id = :id::bigint');
  return storage.holds(exists, bind(exists, { id }));
}
