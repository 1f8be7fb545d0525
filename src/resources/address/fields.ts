import { digits, is, object, type Fields, type NodeOf } from '../../fields/field.js';
import { assetText } from '../asset/fields.js';
import type { AssetNode } from '../asset/row.js';

/** What an Address is read from: itself, known or not. */
export const addressSource = {
  keys: { network: 'o.network', address: 'o.address' },
  id: "o.network::text || ':' || o.address",
};
export const findAddress = { as: 'o', types: { network: 'network', address: 'text' } };

/** The fields of what an address has of an asset, over its sums `b` and `asset a`. */
export const balanceFields = {
  asset: {
    sql: assetText,
    ...is(object<AssetNode>('Asset'), 'The asset'),
  },
  unspent: {
    sql: 'b.unspent',
    ...is(digits, "Sum of the unspent outputs, staked ones included, in the asset's smallest unit"),
  },
  received: {
    sql: 'b.received',
    ...is(digits, "Sum of all outputs, spent or not, in the asset's smallest unit"),
  },
} satisfies Fields;

export type BalanceNode = NodeOf<typeof balanceFields>;
