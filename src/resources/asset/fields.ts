import { outputTypes } from '../../avalanche/codec/outputs.js';
import { nativeAsset, nativeAssetIds, type Network } from '../../avalanche/networks.js';
import {
  choice,
  digits,
  fieldsText,
  id,
  is,
  ofMembers,
  shownFields,
  small,
  storedFields,
  text,
} from '../../fields/field.js';
import type { Fields, NodeOf } from '../../fields/field.js';
import { objectSchema } from '../../fields/object-schema.js';
import type { JsonSchemas } from '../../fields/json-schema.js';
import { nodeOfJson } from '../../fields/node.js';
import type { NodeSource } from '../../lists/list.js';

/** The fields of an asset in the order of its JSON, over `asset a`. */
export const assetFields = {
  assetId: { sql: 'a.asset_id', ...is(id, 'Id of the asset, 32 bytes in CB58') },
  name: {
    sql: 'a.name',
    ...is(text, 'Full name, for example Avalanche; empty until a row that was imported or followed gives it'),
  },
  symbol: {
    sql: 'a.symbol',
    ...is(text, 'Short name, for example AVAX; empty until a row that was imported or followed gives it'),
  },
  denomination: {
    sql: 'a.denomination',
    ...is(
      small,
      'Number of decimals of the asset, 0 to 32: one coin is 10^denomination of its smallest unit. 9 for AVAX, 0 while unknown',
    ),
  },
  type: {
    sql: 'a.type',
    ...is(choice('AssetType', ['secp256k1', 'nft']), 'Whether the asset is fungible'),
  },
} satisfies Fields;

export const assetCaps = ['fixed', 'variable'] as const;
export type AssetCap = (typeof assetCaps)[number];

const minting = [outputTypes.mint, outputTypes.nftMint, outputTypes.propertyMint].join(', ');

/** What is read of an asset only if it is selected. */
export const assetDetails = {
  cap: {
    sql: `CASE WHEN (
      SELECT true FROM transaction c JOIN transaction_output o ON o.transaction_id = c.id
      JOIN utxo u ON u.id = o.utxo_row_id
      WHERE c.network = a.network AND c.chain = 'x' AND c.tx_hash = a.asset_id AND u.asset_row_id = a.id
        AND length(u.utxo_bytes) > 73 AND get_byte(u.utxo_bytes, 73) IN (${minting})
      LIMIT 1) THEN 'variable' ELSE 'fixed' END`,
    ...is(
      choice('AssetCap', assetCaps),
      'Whether more of it can be minted: variable where an output that its creation made has that right, as far as the bytes of outputs are known',
    ),
  },
} satisfies Fields;
export type AssetDetails = NodeOf<typeof assetDetails>;

export const assetDetailRows = {
  from: 'asset a',
  columns: { text: fieldsText(assetDetails) },
  toNode: nodeOfJson,
} satisfies NodeSource<AssetDetails>;

export type AssetNode = NodeOf<typeof assetFields> & { network: Network };

/** SQL of an AssetNode. */
export const assetNode = ofMembers([
  { name: 'network', form: 'plain', sql: 'a.network' },
  ...storedFields(assetFields),
]);

export const assetKeys = { network: 'a.network', assetId: 'a.asset_id' };

export const assetRows = {
  from: 'asset a',
  columns: { id: 'a.id::text', text: assetNode.sql },
  toNode: nodeOfJson,
} satisfies NodeSource<AssetNode>;

/** The fields of an amount of an asset. @param sql of the amount */
export const assetAmountFields = (sql: string) =>
  ({
    ...assetFields,
    amount: { sql, ...is(digits, "Amount in the asset's smallest unit") },
  }) satisfies Fields;

export type AssetAmountNode = NodeOf<ReturnType<typeof assetAmountFields>>;

/** An amount with the network in which its asset is found. */
export type PlacedAmount = AssetAmountNode & { network: Network };

/** Adds the network to amounts. */
export function setNetworkOf(amounts: readonly AssetAmountNode[], network: Network): void {
  for (const amount of amounts) (amount as PlacedAmount).network = network;
}

/** How outputs are summed, in descriptions: see utxo/amount.ts. */
export const IN_UNITS = "in the asset's smallest unit, an NFT as 1";

/** SQL of the AssetAmount of a row: `a` is its asset. */
export const assetAmount = (amount: string) => ofMembers(shownFields(assetAmountFields(amount)));

export const ASSET_AMOUNT = 'An amount of one asset, with what is known of the asset.';

export const assetSchemas: JsonSchemas = { AssetAmount: objectSchema(ASSET_AMOUNT, assetAmountFields('')) };

/** AVAX in examples, as in the sample. */
export const avaxExample = { assetId: nativeAssetIds.fuji, ...nativeAsset };
