import type { Network } from '../../avalanche/networks.js';
import { fieldsText } from '../../fields/field.js';
import { nodeOfJson } from '../../fields/node.js';
import { defineFind } from '../../lists/find.js';
import type { ValueOf } from '../../lists/list.js';
import { sortedBy } from '../../lists/order.js';
import { defineList } from '../../lists/read.js';
import type { Reader } from '../../storage/reader.js';
import type { AssetHolderQuery } from './arguments.js';
import { assetDetailRows, assetRows, type AssetDetails, type AssetNode } from './fields.js';
import { holderFields, type HolderNode } from './holders.js';

/** The assets of a network by id, in code-unit order. Cursors are row ids. */
export const assetList = defineList<{ network: Network }, AssetNode, never>({
  name: 'assets',
  values: { network: 'network' },
  where: (value) => `a.network = ${value('network')}`,
  order: {
    name: '',
    direction: 'asc',
    columns: ['a.asset_id COLLATE "C"'],
    position: (alias) => [`${alias}.asset_id`],
  },
  cursor: { table: 'asset' },
  ...assetRows,
  exists: assetExists,
});

/** Whether an asset of this row id exists. */
export function assetExists(storage: Reader, id: string): Promise<boolean> {
  const where = { id: Number(id) };
  return storage.holds(({ asset }) => asset.findUnique({ where, select: { id: true } }));
}

export interface AssetKey {
  network: Network;
  assetId: string;
}

export const findAssets = defineFind<AssetKey, AssetNode>('assets_by_key', assetRows, {
  network: ['network', 'a.network'],
  assetId: ['text', 'a.asset_id'],
});

export const findAssetDetails = defineFind<AssetKey, AssetDetails>('asset_details', assetDetailRows, {
  network: ['network', 'a.network'],
  assetId: ['text', 'a.asset_id'],
});

/** The sums of an asset on a chain that are not 0: the index address_balance_holder_idx has only these. */
const unspentOf = (alias: string, value: ValueOf, unspent = `${alias}.unspent`) => `${alias}.asset_row_id = (
    SELECT id FROM asset WHERE network = ${value('network')} AND asset_id = ${value('assetId')})
  AND ${alias}.chain = ${value('blockchainId')} AND ${unspent} > 0`;

/**
 * The holders of an asset on a chain, the richest first. Cursors are row ids of addresses: an address that
 * holds nothing any more is not in the list.
 */
export const holderList = defineList<AssetHolderQuery, HolderNode, never>({
  name: 'asset_holders',
  values: { network: 'network', assetId: 'text', blockchainId: 'primary_chain' },
  parent: ['network', 'assetId'],
  from: 'address_balance b',
  where: (value) => unspentOf('b', value),
  order: sortedBy('b', 'desc', ['unspent', 'address_id'], { moves: [0] }),
  cursor: {
    table: 'address_balance',
    // Found by the primary key: `+ 0` keeps PostgreSQL from reading that index of all holders for this one.
    at: (alias, id, value) =>
      `${alias}.address_id = ${id} AND ${unspentOf(alias, value, `${alias}.unspent + 0`)}`,
  },
  columns: { id: 'o.id', text: fieldsText(holderFields) },
  toNode: nodeOfJson,
  lookup: { from: 'address o', on: 'o.id = page.k2' },
});
