import { boolean, digits, id, is, list, object, unknownRestorer, whole } from '../../fields/field.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
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

/** The fields of the newest thing that happened to outputs of addresses, over `transaction t`, `utxo u`. */
export const activityFields = {
  timestamp: { sql: 't.block_timestamp', ...is(whole, 'When its block was made, Unix seconds') },
  blockNumber: {
    sql: 't.block_number',
    ...is(digits, 'Number of its block', 'where unknown, as on the X-chain before it had blocks'),
    unknown: 0,
  },
  txHash: { sql: 't.tx_hash', ...is(id, 'Hash of the transaction that created or consumed an output, CB58') },
  utxoId: {
    sql: 'u.utxo_id',
    ...is(
      id,
      'Id of that output: of several of the transaction the last created one, or else the last consumed one',
    ),
  },
  isConsumed: {
    sql: 'u.is_consumed',
    ...is(boolean, 'Whether the transaction consumed it; else it created it'),
  },
} satisfies Fields;

export type ActivityNode = NodeOf<typeof activityFields> & {
  network: Network;
  chain: PrimaryChain;
  /** Its JSON. */
  text: string;
};

export const restoreUnknown = unknownRestorer(activityFields);
