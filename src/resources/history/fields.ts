import {
  boolean,
  digits,
  is,
  list,
  object,
  type Details,
  type Fields,
  type NodeOf,
} from '../../fields/field.js';
import { assetNode } from '../asset/fields.js';
import type { AssetNode } from '../asset/row.js';

const unknownInputs = "where the transaction's inputs are not held";

/** The fields of what a transaction did with an asset, over its sums `e`, `asset a` and what is `known` of it. */
export const assetEffectFields = {
  asset: {
    ...assetNode,
    ...is(object<AssetNode>('Asset'), 'The asset'),
  },
  received: {
    sql: 'e.received',
    ...is(
      digits,
      "Sum of the emitted outputs that the addresses own, change and stakes included, in the asset's smallest unit",
    ),
  },
  sent: {
    sql: 'CASE WHEN known.inputs THEN e.sent END',
    ...is(digits, "Sum of the consumed outputs that they owned, in the asset's smallest unit", unknownInputs),
  },
  fee: {
    sql: 'CASE WHEN known.burn THEN e.fee END',
    ...is(
      digits,
      "What the transaction burned, whoever paid it, in the asset's smallest unit: amountBurned",
      'where neither its inputs nor what it burned are held',
    ),
  },
} satisfies Fields;

export type AssetEffectNode = NodeOf<typeof assetEffectFields>;

/** What a transaction did to addresses. */
export const effectFields = {
  signedAlone: is(
    boolean,
    'Whether these addresses alone can have signed it, so that they paid the fee: every consumed output has no other owner. False for a transaction that consumes nothing',
    unknownInputs,
  ),
  assets: is(
    list<AssetEffectNode>('AssetEffect'),
    'What it did with each asset that the addresses received or sent, or that it burned; by assetId',
  ),
} satisfies Details;

export type EffectNode = NodeOf<typeof effectFields>;
