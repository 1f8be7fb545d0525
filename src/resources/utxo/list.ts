import { defineFind } from '../../lists/find.js';
import type { Keys, ListDeclaration } from '../../lists/list.js';
import { eitherList } from '../../lists/either.js';
import { defineList } from '../../lists/read.js';
import { cut } from '../../lists/sql.js';
import { identityOf } from '../../avalanche/identity.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { ownersOf } from '../address/query.js';
import type { UtxoNarrowing, UtxoQuery } from './arguments.js';
import { utxoRows, type UtxoNode } from './fields.js';
import {
  assetRowId,
  boundMoment,
  bounds,
  boundValues,
  momentFilters,
  momentValues,
  wasUnspent,
} from './query.js';

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
    blockchainId: { as: 'blockchainId' },
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

/** How a list is counted: then a minimum is a range of the index. */
export function sortedByAmount<Query extends Pick<UtxoQuery, 'sortBy' | 'sortOrder'>>(query: Query): Query {
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
    blockchainId: declaration.filters.blockchainId,
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

/** The chains whose only asset is AVAX. */
const plainChains: readonly PrimaryChain[] = ['p', 'c'];

/**
 * Outputs of addresses on all chains, an exported one once: the first rows of each chain, merged. Only those
 * of the X-chain have an index by asset: the other chains are not read for another asset than AVAX.
 */
const everyChainUtxoList = defineList<UtxoQuery, UtxoNode, UtxoNarrowing>({
  ...declaration,
  name: 'utxos_of_chains',
  values: { ...declaration.values, chains: 'primary_chain[]' },
  bind: (query) =>
    Object.assign(boundValues(query), {
      chains: query.assetId === null || query.assetId === avaxOf(query.network) ? plainChains : [],
    }),
  ranges: (value, filters) => {
    const owners = `${ownersOf(value)} CROSS JOIN unnest(${value('states')}) AS state(spent)`;
    const owned = 'o.address_id = owner.id AND o.spent = state.spent';
    const ofAsset = filters.includes('assetId') ? ` AND o.asset_row_id = ${assetRowId(value)}` : '';
    return {
      parts: [
        {
          each: `${owners} CROSS JOIN unnest(${value('chains')}) AS part(chain)`,
          where: `${owned} AND o.chain = part.chain${ofAsset}`,
        },
        { each: owners, where: `${owned} AND o.chain = 'x'${ofAsset}` },
      ],
      overlap: true,
    };
  },
  where: () => '',
  filters: {
    blockchainId: 'never',
    addresses: { as: 'addresses' },
    includeSpent: { as: 'states' },
    assetId: { in: 'ranges' },
    minUtxoAmount: declaration.filters.minUtxoAmount,
  },
});

const avaxOf = (network: Network) => identityOf(network).nativeAssetId;

/** The outputs of a chain, or of addresses on it or on all chains. */
export const utxoList = eitherList<UtxoQuery, UtxoNode>('utxos', utxoRows, ({ asOf, blockchainId }) => {
  if (asOf) return pastUtxoList;
  return blockchainId === null ? everyChainUtxoList : presentUtxoList;
});

export interface UtxoKey {
  network: Network;
  utxoId: string;
}

export const findUtxos = defineFind<UtxoKey, UtxoNode>('utxos_by_key', utxoRows, {
  network: ['network', 'u.network'],
  utxoId: ['text', 'u.utxo_id'],
});
