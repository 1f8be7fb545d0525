import { defineFind } from '../../lists/find.js';
import type { Keys, ListDeclaration, ValueOf } from '../../lists/list.js';
import { eitherList } from '../../lists/either.js';
import { defineList } from '../../lists/read.js';
import { cut } from '../../lists/sql.js';
import type { Network } from '../../avalanche/networks.js';
import { ownersOf } from '../address/query.js';
import type { AssetUtxoQuery, UtxoNarrowing, UtxoQuery } from './arguments.js';
import { utxoRows, type UtxoNode } from './fields.js';
import { boundMoment, bounds, momentFilters, momentValues, wasUnspent } from './query.js';

/**
 * How many outputs of at least the minimum amount are looked up by amount before the list is read by time
 * instead. With fewer they are sorted; with more, reading by time soon fills a page. Without this a minimum
 * that nothing reaches would read an address's whole history.
 */
export const FEW = 1000;
/** How many outputs the pages of one statement check together to find those that were unspent at a time. */
export const LOOKED_AT = 1000;

const sortColumns = {
  timestamp: { entry: 'o.time', base: (alias: string) => `coalesce(${alias}.block_timestamp, 0)` },
  amount: { entry: 'o.amount', base: (alias: string) => `${alias}.amount` },
};

/**
 * Outputs of addresses on a chain: the page's keys from the owner table's indexes, the first rows for each
 * address and spent state, merged if there are several; then the rows. Each output once. Cursors are row ids.
 */
export const declaration = {
  name: 'utxos',
  values: {
    network: 'network',
    blockchainId: 'primary_chain',
    addresses: 'text[]',
    assetId: 'text',
    minUtxoAmount: 'numeric',
    states: 'boolean[]',
  },
  parent: ['addresses'],
  bind: boundValues,
  ranges: (value, filters) =>
    filters.includes('several')
      ? {
          parts: [
            {
              each: `${ownersOf(value)} CROSS JOIN unnest(${value('states')}) AS state(spent)`,
              where: 'o.address_id = owner.id AND o.spent = state.spent',
            },
          ],
          overlap: true,
        }
      : {
          parts: [{ where: `o.address_id = (SELECT id FROM ${ownersOf(value)}) AND NOT o.spent` }],
          overlap: false,
        },
  from: 'utxo_owner o',
  where: (value, filters) =>
    // The indexes by asset hash cover only the X-chain; the literal lets the planner prove it.
    `o.chain = ${filters.includes('assetId') ? `'x'` : value('blockchainId')}`,
  filters: {
    // An index range for each: merging takes PostgreSQL a tenth of the time of a page of one range.
    several: { in: 'ranges', isOn: Boolean },
    addresses: { as: 'addresses' },
    includeSpent: { as: 'states' },
    assetId: { sql: (value) => `o.asset_row_id = ${assetRowId(value)}` },
    minUtxoAmount: {
      sql: (value) => `o.amount >= ${value('minUtxoAmount')}`,
      isOn: (least) => least !== '0',
    },
  },
  order: ({ sortBy, sortOrder }: Pick<UtxoQuery, 'sortBy' | 'sortOrder'>) => ({
    name: sortBy,
    direction: sortOrder,
    columns: [sortColumns[sortBy].entry, 'o.tie', 'o.utxo_row_id'],
    position: (alias) => [sortColumns[sortBy].base(alias), `${alias}.tie`, `${alias}.id`],
    moves: [0],
  }),
  cursor: { table: 'utxo' },
  keys: keysText,
  columns: utxoRows.columns,
  toNode: utxoRows.toNode,
  lookup: { from: utxoRows.from, on: 'u.id = page.k3' },
  counted: sortedByAmount,
} satisfies ListDeclaration<UtxoQuery, UtxoNode, UtxoNarrowing>;

export function assetRowId(value: ValueOf): string {
  return `(SELECT id FROM asset WHERE network = ${value('network')} AND asset_id = ${value('assetId')})`;
}

// Not a literal that begins with a spread: for each page Node 20 would give it a hidden class of its own, 10
// µs.
export function boundValues(query: Omit<UtxoQuery, 'asOf'>) {
  const { addresses, minUtxoAmount, includeSpent } = query;
  return Object.assign({}, query, {
    // The empty address means every output of the network: see the model Address.
    addresses: addresses ?? [''],
    minUtxoAmount: minUtxoAmount.toString(),
    states: includeSpent ? [false, true] : [false],
    several: (addresses?.length ?? 1) > 1 || includeSpent,
  });
}

/** How a list is counted: then a minimum is a range of the index. */
function sortedByAmount<Query extends Pick<UtxoQuery, 'sortBy' | 'sortOrder'>>(query: Query): Query {
  return Object.assign({}, query, { sortBy: 'amount', sortOrder: 'desc' });
}

function keysText(keys: Keys): string {
  const { order, filters, keyset, entries } = keys;
  if (!filters.includes('minUtxoAmount') || order.name === 'amount') return cut(keys);
  const found = keyset(['k1', 'k2', 'k3']);
  return `WITH large AS MATERIALIZED (${entries} ORDER BY o.amount DESC LIMIT ${FEW})
    SELECT k1, k2, k3 FROM (
      (SELECT k1, k2, k3 FROM large WHERE (SELECT count(*) FROM large) < ${FEW}${found.conditions}
       ORDER BY ${found.readingOrder} LIMIT :limit::bigint)
      UNION ALL
      (SELECT * FROM (${cut(keys)}) many WHERE (SELECT count(*) FROM large) >= ${FEW})) either`;
}

const presentUtxoList = defineList<UtxoQuery, UtxoNode, UtxoNarrowing>(declaration);

/**
 * Outputs that were unspent at a time. The keys of outputs that were created by then, spent since or not, are
 * checked in order: no index has the time of spending together with the time of creation, which sorts the
 * list.
 */
const pastUtxoList = defineList<UtxoQuery, UtxoNode, UtxoNarrowing>({
  ...declaration,
  name: 'utxos_as_of',
  values: { ...declaration.values, ...momentValues },
  bind: (query) =>
    Object.assign(boundValues(Object.assign({}, query, { includeSpent: true })), boundMoment(query)),
  where: (value, filters, request) =>
    [declaration.where(value, filters), ...bounds(value, filters, request)].join(' AND '),
  filters: {
    several: declaration.filters.several,
    addresses: { as: 'addresses' },
    // Refused together with a time: outputs that were spent since are checked anyway.
    includeSpent: { as: 'states' },
    assetId: declaration.filters.assetId,
    minUtxoAmount: { in: 'sift', isOn: declaration.filters.minUtxoAmount.isOn },
    ...momentFilters,
  },
  sift: { sql: wasUnspent, most: LOOKED_AT },
  keys: cut,
});

/** The outputs of a chain, or of addresses on it. */
export const utxoList = eitherList<UtxoQuery, UtxoNode>('utxos', utxoRows, ({ asOf }) =>
  asOf ? pastUtxoList : presentUtxoList,
);

/** The outputs of assets on the X-chain, the only chain that lists them by asset. */
export const assetUtxoList = defineList<AssetUtxoQuery, UtxoNode, UtxoNarrowing>({
  ...declaration,
  name: 'utxos_of_asset',
  parent: ['network', 'assetId'],
  bind: (query) => boundValues(Object.assign({}, query, { blockchainId: 'x' as const })),
  counted: sortedByAmount,
});

export interface UtxoKey {
  network: Network;
  utxoId: string;
}

export const findUtxos = defineFind<UtxoKey, UtxoNode>('utxos_by_key', utxoRows, {
  network: ['network', 'u.network'],
  utxoId: ['text', 'u.utxo_id'],
});
