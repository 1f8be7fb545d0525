import { formatAddress } from '../../avalanche/address.js';
import type { Network } from '../../avalanche/networks.js';
import { addresses, boolean, fieldsText, id, is, object, small, text, whole } from '../../fields/field.js';
import type { Details, Fields, NodeOf } from '../../fields/field.js';
import { nodeWith } from '../../fields/node.js';
import type { NodeSource } from '../../lists/list.js';
import { spendingOwner, type StoredOwner } from '../../state/owner.js';
import { l1ValidatorTable, stakingTable } from '../../state/staking.js';
import { detailObjects, type DetailObjects } from '../transaction/details.js';

const { validationId, validationIdHex, nodeId, subnetId, weight, remainingBalance, balanceChange } =
  detailObjects.L1ValidatorDetails.fields;

export const notFollowed =
  'where its P-chain is not followed from before Etna on, or its computed state is not that of a node (docs/following.md)';

const staking = stakingTable.as('c');
const validator = l1ValidatorTable.as('f');

/** SQL of the state of a network's L1 validators, `c`, where it is known. @param network SQL of it */
export const l1StateOf = (network: string) =>
  `${staking.network} = ${network} AND ${staking.knowsL1Validators} AND ${staking.difference} IS NULL`;

const isState = `${validator.network} = ${staking.network} AND ${validator.validationId} = e.validation_id COLLATE "default"`;

/**
 * SQL of the present state of `l1_validator e`, as `present`, whose columns are null where it is not known.
 * One that was removed has end_fee 0.
 */
const presentState = `LEFT JOIN LATERAL (
    SELECT coalesce(${validator.endFee}, 0) AS end_fee, ${staking.accrued} AS accrued, ${staking.price} AS price,
      ${staking.chainTime} AS chain_time, ${validator.nodeId} AS node_id, ${validator.subnetId} AS subnet_id,
      ${validator.weight} AS weight, ${validator.owner} AS owner
    FROM ${staking.from} LEFT JOIN ${validator.from} ON ${isState}
    WHERE ${l1StateOf('e.network')}
    ) present ON true`;

/** SQL of whether the state has `l1_validator e`; why not EXISTS: `src/resources/subnet/fields.ts`. */
export const isPresent = `coalesce((
  SELECT true FROM ${staking.from} JOIN ${validator.from} ON ${isState} AND ${validator.weight} > 0
  WHERE ${l1StateOf('e.network')} LIMIT 1), false)`;

const balance =
  'CASE WHEN present.end_fee > 0 THEN present.end_fee - present.accrued ELSE present.end_fee END';

/** SQL of the last values that `transaction t` has of a validator. @param validation SQL of its id */
const changeOf = (validation: string) => `(
  SELECT item.value AS change
  FROM jsonb_array_elements(t.details->'l1ValidatorDetails') WITH ORDINALITY AS item(value, ordinal)
  WHERE item.value->>'validationId' = ${validation} ORDER BY item.ordinal DESC LIMIT 1) newest`;

/**
 * SQL of FROM: what one transaction did to `l1_validator e`, as `newest.change`.
 *
 * @param end which of its transactions: DESC for the newest, ASC for the oldest
 */
const changeAt = (end: 'ASC' | 'DESC') => `FROM (
        SELECT l.transaction_id FROM l1_validator_transaction l WHERE l.l1_validator_row_id = e.id
        ORDER BY l.time ${end}, l.tie ${end}, l.transaction_id ${end} LIMIT 1) named
      JOIN transaction t ON t.id = named.transaction_id
      CROSS JOIN LATERAL ${changeOf('e.validation_id')}`;

/**
 * The fields of an L1 validator, over `l1_validator e`, the values of the newest transaction,
 * `newest.change`, and its state, `present`. Where a P-chain is not followed from its beginning, the state
 * has some that no stored transaction changed.
 */
export const l1ValidatorFields = {
  validationId: { ...validationId, sql: 'e.validation_id' },
  validationIdHex: { ...validationIdHex, kind: text, sql: "newest.change->>'validationIdHex'" },
  // Imports accept any text.
  nodeId: { ...nodeId, kind: text, sql: "coalesce(newest.change->>'nodeId', present.node_id)" },
  subnetId: { ...subnetId, kind: text, sql: "coalesce(newest.change->>'subnetId', present.subnet_id)" },
  weight: {
    sql: "coalesce((newest.change->>'weight')::numeric, present.weight)",
    ...is(whole, 'Weight after its newest change; 0 means removed'),
  },
  remainingBalance: {
    sql: `coalesce((newest.change->>'remainingBalance')::numeric, ${balance})`,
    ...is(
      whole,
      'Balance after its newest change, nAVAX; fees for the time since then are not deducted. Of one that no indexed transaction changed, its balance now',
    ),
  },
  isActive: {
    sql: 'present.end_fee > 0',
    ...is(
      boolean,
      'Whether it validates after the newest stored block: it is not removed, and pays for each second',
      notFollowed,
    ),
  },
  balance: {
    sql: balance,
    ...is(
      whole,
      'Balance after the newest stored block, nAVAX: fees are deducted up to its time; 0 when it is not active',
      notFollowed,
    ),
  },
  runsDryAt: {
    sql: `CASE WHEN present.end_fee > 0
      THEN present.chain_time + div(present.end_fee - present.accrued, nullif(present.price, 0)) END`,
    ...is(
      whole,
      'When its balance does not pay the next second any longer, Unix seconds, if a second goes on to cost what it costs after the newest stored block and nothing is added. The price follows the number of active L1 validators of all subnets',
      'when it is not active, or not known',
    ),
  },
  // Only what registers it names its key.
  blsCredentials: {
    sql: `(SELECT (newest.change->'blsCredentials')::text ${changeAt('ASC')})`,
    ...is(
      object<DetailObjects['BlsCredentials']>('BlsCredentials'),
      'Its BLS key',
      'where the transaction that registered it is not indexed',
    ),
  },
} satisfies Fields;

/** All of them, as text. */
const l1ValidatorText = fieldsText({
  ...l1ValidatorFields,
  owner: { ...is(object('BalanceOwner'), '', ''), sql: 'present.owner::text' },
});

const ownerFields = {
  threshold: is(small, 'Number of them that must sign'),
  addresses: is(addresses, 'Owners, bech32'),
} satisfies Details;

/** Who gets what is left of a balance. */
export const balanceOwner = { description: 'Owners of what an L1 validator returns.', fields: ownerFields };
export type BalanceOwnerNode = NodeOf<typeof ownerFields>;

/** Null where the state is not known, and for one that was removed. */
export function balanceOwnerOf({ network, owner }: L1ValidatorNode): BalanceOwnerNode | null {
  if (!owner) return null;
  const { threshold, addresses } = spendingOwner(owner);
  return { threshold, addresses: addresses.map((each) => formatAddress(network, each)) };
}

/** The fields of a change, over `transaction t` and its values of the validator, `newest.change`. */
export const l1ValidatorChangeFields = {
  txHash: { sql: 't.tx_hash', ...is(id, 'Hash of the transaction, CB58') },
  blockTimestamp: { sql: 't.block_timestamp', ...is(whole, 'When its block was made, Unix seconds') },
  weight: { ...weight, sql: "(newest.change->>'weight')::numeric" },
  remainingBalance: { ...remainingBalance, sql: "(newest.change->>'remainingBalance')::numeric" },
  balanceChange: { ...balanceChange, sql: "(newest.change->>'balanceChange')::numeric" },
} satisfies Fields;

export type L1ValidatorNode = NodeOf<typeof l1ValidatorFields> & {
  /** Row id, a decimal text. */
  rowId: string;
  network: Network;
  owner?: StoredOwner | null;
};

export type L1ValidatorChangeNode = NodeOf<typeof l1ValidatorChangeFields> & { network: Network };

/** SQL of the values of the newest transaction of `l1_validator e`, in one row; no row without one. */
const newestChange = `(SELECT newest.change ${changeAt('DESC')}) newest`;

/** SQL of the L1 validators that transactions changed, with the values of the newest. */
export const newestChanges = `l1_validator e CROSS JOIN LATERAL ${newestChange}`;

/** SQL of L1 validators with what is known of them. @param from SQL of their rows, `e` */
export const withValues = (from: string) =>
  `${from} LEFT JOIN LATERAL ${newestChange} ON true ${presentState}`;

export const l1ValidatorRows = {
  from: withValues('l1_validator e'),
  columns: { id: 'e.id::text', network: 'e.network', text: l1ValidatorText },
  toNode: nodeWith('network'),
} satisfies NodeSource<L1ValidatorNode>;

/** The source of a change, for the keys of a page, which include the validation. */
export const l1ValidatorChangeRows = {
  from: `transaction t CROSS JOIN LATERAL ${changeOf('page.validation')}`,
  columns: { id: 't.id::text', network: 't.network', text: fieldsText(l1ValidatorChangeFields) },
  toNode: nodeWith('network'),
} satisfies NodeSource<L1ValidatorChangeNode>;

export const l1ValidatorKeys = { rowId: 'e.id', network: 'e.network', validationId: 'e.validation_id' };
