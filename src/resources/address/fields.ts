import type { PrimaryChain } from '../../avalanche/networks.js';
import { digits, fieldsText, id, is, object, whole } from '../../fields/field.js';
import type { Details, Fields, NodeOf } from '../../fields/field.js';
import { assetAmountFields, assetNode, IN_UNITS, type AssetNode } from '../asset/fields.js';
import { blockchainIdSql } from '../primary-chain/fields.js';

/** The source of an Address: itself, stored or not. */
export const addressSource = {
  keys: { network: 'o.network', address: 'o.address' },
  id: "o.network::text || ':' || o.address",
};
/** SQL of the ids of the chains whose UTXO lists have an output of the address `o`, spent or not. */
export const chainsSql = `(
  SELECT coalesce(json_agg(${blockchainIdSql('o.network', 'c.chain')} ORDER BY c.chain), '[]')::text
  FROM unnest(enum_range(NULL::primary_chain)) c(chain)
  WHERE EXISTS (
    SELECT 1 FROM address_balance b
    WHERE b.address_id = (SELECT id FROM address WHERE network = o.network AND address = o.address)
      AND b.chain = c.chain))`;

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

/** The fields of a sum of unspent outputs of one asset, over sums `s` and `asset a`. */
export const heldFields = {
  ...assetAmountFields('s.amount'),
  amount: { sql: 's.amount', ...is(digits, `Sum of the outputs, ${IN_UNITS}`) },
  utxoCount: { sql: 's.outputs', ...is(whole, 'Number of the outputs') },
  sharedWithChainId: {
    sql: `CASE WHEN s.shared_with IS NOT NULL THEN ${blockchainIdSql('a.network', 's.shared_with')} END`,
    ...is(id, 'Blockchain id of the other chain of the atomic memory', 'of outputs that are not in it'),
  },
} satisfies Fields;

/** Which way outputs go that are in atomic memory, as a chain sees it. */
export const directions = ['incoming', 'outgoing'] as const;
type Direction = (typeof directions)[number];

/** A sum of unspent outputs as it was read. */
export interface HeldRow {
  kind: HeldKind;
  direction: Direction | null;
  /** JSON of the fields. */
  text: string;
}
export type HeldNode = NodeOf<typeof heldFields> & { direction: Direction | null };

/** What can be done with unspent outputs that a chain lists, for people. */
export const heldKinds = {
  unlockedUnstaked: 'that can be spent',
  lockedPlatform: 'that cannot be spent at all before their platformLocktime',
  lockedStakeable: 'that can be staked, but not spent before their stakeableLocktime',
  unlockedStaked: 'in an active stake, that can be spent when it ends',
  lockedStaked: 'in an active stake, with a lock that does not end before the stake does',
  pendingStaked: 'in a stake that waits for its start',
  atomicMemoryUnlocked:
    'that were exported from this chain or to it and not imported yet, and that can be spent then',
  atomicMemoryLocked: 'that were exported from this chain or to it and not imported yet, with a lock',
} as const;
export type HeldKind = keyof typeof heldKinds;

const atomic = {
  atomicMemoryUnlocked: 'atomicMemoryUnlocked',
  atomicMemoryLocked: 'atomicMemoryLocked',
} as const;

/** The kinds that REST has of each chain, by its names for them. */
export const publishedKinds: Readonly<Record<PrimaryChain, Readonly<Record<string, HeldKind>>>> = {
  p: {
    unlockedUnstaked: 'unlockedUnstaked',
    unlockedStaked: 'unlockedStaked',
    lockedPlatform: 'lockedPlatform',
    lockedStakeable: 'lockedStakeable',
    lockedStaked: 'lockedStaked',
    pendingStaked: 'pendingStaked',
    ...atomic,
  },
  x: { locked: 'lockedPlatform', unlocked: 'unlockedUnstaked', ...atomic },
  c: atomic,
};

/** Sums of unspent outputs on a chain, as resolvers see them. */
export interface ChainBalancesNode {
  chain: PrimaryChain;
  rows: readonly HeldRow[];
}
