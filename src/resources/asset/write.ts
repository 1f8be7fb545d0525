import type { Batch } from '../../storage/session.js';
import { noteAllOutputs } from '../../storage/write-versions.js';
import { identityOf } from '../../avalanche/identity.js';
import { nativeAsset, type Network } from '../../avalanche/networks.js';
import { LONGEST_ASSET_NAME, LONGEST_ASSET_SYMBOL } from '../../rows/bounds.js';
import { asId, asMember, asObject, asTextOf, asWhole, wrong } from '../../rows/check.js';
import { asUint256 } from '../../rows/check-evm.js';
import { upsertRows } from '../../write/upsert.js';

/** An asset as an import row names it. */
export interface ImportAsset {
  assetId: string;
  name: string;
  symbol: string;
  denomination: string;
  type: 'secp256k1' | 'nft';
  /** Whether the row says more of it than the id. */
  described: boolean;
  /** The fields that the row does not have, for which it has the contract's empty values. */
  unsaid: readonly (keyof Described)[];
}

type Described = Pick<ImportAsset, (typeof described)[number]>;

/** An asset with an amount of it, in its smallest unit. */
export interface ImportAmount {
  asset: ImportAsset;
  amount: string;
}

const described = ['name', 'symbol', 'denomination', 'type'] as const;
const empty = { name: '', symbol: '', denomination: '0', type: 'secp256k1' } as const;

const asType = asMember(['secp256k1', 'nft']);
const describing = { name: asTextOf(LONGEST_ASSET_NAME), symbol: asTextOf(LONGEST_ASSET_SYMBOL) };
// A byte on the chain.
const asDenomination = asWhole(255n);

/** An asset of an import row; if only the id is known it gets the contract's empty values. */
export function asAsset(value: unknown, name: string): ImportAsset {
  const object = asObject(value, name);
  const text = (key: 'name' | 'symbol') => describing[key](object[key] ?? '', `${name}.${key}`);
  const asset = {
    assetId: asId(object.assetId, `${name}.assetId`),
    name: text('name'),
    symbol: text('symbol'),
    denomination: asDenomination(object.denomination ?? 0, `${name}.denomination`),
    type: asType(object.type ?? 'secp256k1', `${name}.type`),
  };
  // The values that replies print for an unknown description mean nothing when they are imported again.
  const isDescribed = described.some((field) => asset[field] !== empty[field]);
  const isSaid = (field: keyof Described) => isDescribed && (object[field] ?? '') !== '';
  const unsaid = described.filter((field) => !isSaid(field));
  return { described: isDescribed, unsaid, ...asset };
}

/** Merges two rows of an asset, or a row and the database: the newer one, and what only the older one has. */
function mergeAsset(older: Described & Partial<ImportAsset>, newer: ImportAsset): ImportAsset {
  if (newer.unsaid.length === 0) return newer;
  const kept = Object.fromEntries(newer.unsaid.map((field) => [field, older[field]])) as Partial<Described>;
  const unsaid = newer.unsaid.filter((field) => older.unsaid?.includes(field));
  return { ...newer, ...kept, unsaid, described: newer.described || (older.described ?? false) };
}

/** The AssetAmount of an import row. */
export function asAssetAmount(value: unknown, name: string): ImportAmount {
  const asset = asAsset(value, name);
  return { asset, amount: asUint256(asObject(value, name).amount, `${name}.amount`) };
}

/** The asset and amount of a UTXO: the object `asset`, or `assetId` and `amount`, which must not disagree. */
export function asUtxoAmount(assetAmount: unknown, assetId: unknown, amount: unknown): ImportAmount {
  if (assetAmount === undefined || assetAmount === null) return asAssetAmount({ assetId, amount }, 'asset');
  const asset = asAsset(assetAmount, 'asset');
  const read = asUint256(asObject(assetAmount, 'asset').amount ?? amount, 'asset.amount');
  if ((assetId ?? asset.assetId) !== asset.assetId)
    throw wrong('assetId', assetId, `the asset's, ${asset.assetId}`);
  if ((amount ?? read) !== read) throw wrong('amount', amount, `the asset's, ${read}`);
  return { asset, amount: read };
}

const table = {
  name: 'asset',
  columns: {
    network: 'network',
    asset_id: 'text',
    name: 'text',
    symbol: 'text',
    denomination: 'smallint',
    type: 'asset_type',
  },
  key: ['network', 'asset_id'],
} as const;

const asAvax = (network: Network, asset: ImportAsset): ImportAsset =>
  asset.assetId === identityOf(network).nativeAssetId ? { ...asset, ...native } : asset;

/**
 * Stores assets: new ones, and new values of known ones; of several rows of one asset the last one with a
 * value counts. AVAX is known without being described.
 *
 * @returns those that were stored before, by asset id, and those that were written
 */
export async function mergeAssets(
  client: Batch,
  network: Network,
  assets: Iterable<ImportAsset>,
): Promise<{ known: Map<string, StoredAsset>; written: ImportAsset[] }> {
  const wanted = new Map<string, ImportAsset>();
  for (const asset of assets) {
    const earlier = wanted.get(asset.assetId);
    if (!earlier) wanted.set(asset.assetId, asset);
    else if (asset.described) wanted.set(asset.assetId, mergeAsset(earlier, asset));
  }
  const known = await findAssets(client, network, [...wanted.keys()]);
  const written = [...wanted.values()]
    .map((asset) => {
      const stored = known.get(asset.assetId);
      return asAvax(network, stored ? mergeAsset(stored, asset) : asset);
    })
    .filter((asset) => {
      const stored = known.get(asset.assetId);
      return !stored || !described.every((field) => stored[field] === asset[field]);
    });
  const rows = written.map((asset) => [network, asset.assetId, ...described.map((field) => asset[field])]);
  // Nearly every batch names only known assets, and staging costs eight statements.
  if (rows.length > 0) await upsertRows(client, table, rows);
  // Outputs are shown with the names of their assets.
  if (written.some(({ assetId }) => known.has(assetId))) await noteAllOutputs(client, network);
  return { known, written };
}

/** Stores assets as mergeAssets does. @returns row ids by asset id */
export async function writeAssets(
  client: Batch,
  network: Network,
  assets: Iterable<ImportAsset>,
): Promise<Map<string, string>> {
  const { known, written } = await mergeAssets(client, network, assets);
  const missing = written.map(({ assetId }) => assetId).filter((id) => !known.has(id));
  const stored = [...known.values(), ...(await findAssets(client, network, missing)).values()];
  return new Map(stored.map(({ id, assetId }) => [assetId, id]));
}

const native = {
  ...nativeAsset,
  denomination: String(nativeAsset.denomination),
  described: true,
  unsaid: [],
};

type StoredAsset = Pick<ImportAsset, 'assetId'> & Described & { id: string };

async function findAssets(client: Batch, network: Network, ids: string[]): Promise<Map<string, StoredAsset>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<StoredAsset>(
    `SELECT id::text, asset_id AS "assetId", name, symbol, denomination::text, type::text
     FROM asset WHERE network = $1 AND asset_id = ANY($2)`,
    [network, ids],
  );
  return new Map(rows.map((row) => [row.assetId, row]));
}
