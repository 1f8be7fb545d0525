import { digits, fieldsText, is, object, whole } from '../../fields/field.js';
import type { Details, Fields, NodeOf } from '../../fields/field.js';
import { assetNode, IN_UNITS, type AssetNode } from '../asset/fields.js';

/** The source of an Address: itself, stored or not. */
export const addressSource = {
  keys: { network: 'o.network', address: 'o.address' },
  id: "o.network::text || ':' || o.address",
};
export const findAddress = { as: 'o', types: { network: 'network', address: 'text' } };

/** The fields of a balance's parts that can and cannot be spent. */
export const balancePartsFields = {
  total: is(digits, `Sum of the five parts, ${IN_UNITS}; each output counts in exactly one of them`),
  spendable: is(
    digits,
    `Sum of the outputs that can be spent: on the chain that created them, not staked and not locked, ${IN_UNITS}`,
  ),
  lockedPlatform: is(
    digits,
    `Sum of the outputs that cannot be spent at all before their platformLocktime, ${IN_UNITS}`,
  ),
  lockedStakeable: is(
    digits,
    `Sum of the outputs that can be staked, but not spent before their stakeableLocktime, ${IN_UNITS}`,
  ),
  staked: is(digits, `Sum of the outputs in an active stake, whatever their locks, ${IN_UNITS}`),
  inFlight: is(
    digits,
    `Sum of the outputs that were exported to another chain and not imported there, whatever their locks, ${IN_UNITS}`,
  ),
  nextUnlockTimestamp: is(
    whole,
    'When the next output in lockedPlatform or lockedStakeable becomes spendable, Unix seconds',
    'where nothing is locked',
  ),
} satisfies Details;

export type BalancePartsNode = NodeOf<typeof balancePartsFields>;

/**
 * SQL of the same as JSON, over sums `s` whose columns have these names, after `signatures`; null if nothing
 * is unspent.
 */
const partsText = (signatures: Signatures) =>
  fieldsText(
    Object.fromEntries(
      Object.entries(balancePartsFields).map(([name, field]) => {
        const sum = `s."${signatures} ${name}"`;
        return [name, { ...field, sql: 'absent' in field ? sum : `coalesce(${sum}, 0)` }];
      }),
    ),
  );

/** What is needed to spend outputs. */
export type Signatures = 'one' | 'several';

/** The fields of an address's balance of an asset, over its sums `b` and `s` and `asset a`. */
export const balanceFields = {
  asset: {
    ...assetNode,
    ...is(object<AssetNode>('Asset'), 'The asset'),
  },
  unspent: {
    sql: 'b.unspent',
    ...is(digits, `Sum of the unspent outputs, staked ones included, ${IN_UNITS}`),
  },
  received: {
    sql: 'b.received',
    ...is(digits, `Sum of all outputs, spent or not, ${IN_UNITS}`),
  },
  singleSignature: {
    sql: partsText('one'),
    ...is(
      object<BalancePartsNode>('BalanceParts'),
      'The part of `unspent` that one signature can spend, so that the address can spend it alone, split by what can be done with it',
    ),
  },
  multiSignature: {
    sql: partsText('several'),
    ...is(
      object<BalancePartsNode>('BalanceParts'),
      'The part of `unspent` that needs several signatures, split by what can be done with it. An output needs several signatures if its threshold is above 1, or if its threshold is unknown and it has several owners',
    ),
  },
} satisfies Fields;

export type BalanceNode = NodeOf<typeof balanceFields>;
