import { boolean, digits, is, list, object } from '../../fields/field.js';
import type { Details, Fields, NodeOf } from '../../fields/field.js';
import { assetNode, IN_UNITS, type AssetNode } from '../asset/fields.js';

const unknownInputs = "where the transaction's inputs are not indexed";

/** The fields of a transaction's effect on an asset, over sums `e`, `asset a` and what is `known`. */
export const assetEffectFields = {
  asset: {
    ...assetNode,
    ...is(object<AssetNode>('Asset'), 'The asset'),
  },
  received: {
    sql: 'e.received',
    ...is(
      digits,
      `Sum of the emitted outputs that the addresses own, change and stakes included, ${IN_UNITS}`,
    ),
  },
  sent: {
    sql: 'CASE WHEN known.inputs THEN e.sent END',
    ...is(digits, `Sum of the consumed outputs that the addresses owned, ${IN_UNITS}`, unknownInputs),
  },
  fee: {
    sql: 'CASE WHEN known.burn THEN e.fee END',
    ...is(
      digits,
      "Amount that the transaction burned (its amountBurned), whoever paid it, in the asset's smallest unit",
      'where neither its inputs nor the burned amount is known',
    ),
  },
} satisfies Fields;

export type AssetEffectNode = NodeOf<typeof assetEffectFields>;

/** The effect of a transaction on addresses. */
export const effectFields = {
  signedAlone: is(
    boolean,
    'Whether only these addresses can have signed the transaction, and so paid its fee: no consumed output has another owner. False for a transaction that consumes nothing',
    unknownInputs,
  ),
  assets: is(
    list<AssetEffectNode>('AssetEffect'),
    'The effect on each asset that the addresses received or sent, or that the transaction burned; by assetId',
  ),
} satisfies Details;

export type EffectNode = NodeOf<typeof effectFields>;
