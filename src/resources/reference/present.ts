import { presentPriorities, priorities } from '../../avalanche/chain/staker-order.js';
import { stakerTable, stakingTable } from '../../state/staking.js';

const staking = stakingTable.as('c');
const staker = stakerTable.as('f');

/** SQL of whether staker `f` stakes; else it waits for its start. */
export const isStaking = `${staker.priority} >= ${priorities.permissioned}`;

/** SQL of whether it delegates, or waits to: the condition of the index of delegations. */
export const isDelegation = `${staker.priority} IN (${presentPriorities.delegators.join(', ')})`;

/** When a field of the present state of stakers is null. */
export const notFollowed =
  'where its P-chain is not followed from genesis on, or its computed state is not that of a node (docs/following.md)';

/** SQL of whether the state of stakers of a network is known. @param network SQL of it */
export const followsNetwork = (network: string): string => `EXISTS (
  SELECT 1 FROM ${staking.from}
  WHERE ${staking.network} = ${network} AND ${staking.knowsStakers} AND ${staking.difference} IS NULL)`;

/** The same of a row's network. @param alias of the row */
export const follows = (alias: string): string => followsNetwork(`${alias}.network`);

/** SQL of whether staker `f` is one of a subnet, whose state is known. @param network SQL of both */
export const isOfSubnet = (network: string, subnetId: string): string =>
  `${staker.network} = ${network} AND ${staker.subnetId} = ${subnetId} COLLATE "default" AND ${followsNetwork(network)}`;

/*
 * SQL of which stakes, over their `transaction t`: the conditions of indexes, which PostgreSQL recognises by
 * these texts. A validator that begins again by itself has no period in its transaction, which names the
 * newest of what ended one.
 */
const renews = "t.tx_type = 'AddAutoRenewedValidatorTx'";

/** Whether it is, or was, a stake: a proposal that was refused has no period. */
export const isStake = `(t.details ? 'endTimestamp' OR ${renews})`;

/** Whether no transaction has ended it. A permissioned staker leaves without one. */
export const isOpen = `(t.details ? 'endTimestamp' AND NOT t.details ? 'rewardTxHash' OR ${renews})`;

/** FROM item of the transaction that made a staker. OFFSET 0: a join might read all transactions. */
export const withTransaction = `CROSS JOIN LATERAL (
    SELECT * FROM transaction named WHERE named.network = ${staker.network} AND named.chain = 'p'
      AND named.tx_hash = ${staker.txId} COLLATE "default" OFFSET 0) t`;

/** FROM of stakes that wait for their start, with their transactions. @param network SQL of theirs */
export const waitingFrom = (network: string) => `(
    SELECT * FROM ${staker.from}
    WHERE ${staker.network} = ${network} AND ${staker.priority} < ${priorities.permissioned} OFFSET 0) f
  ${withTransaction}`;

/** Before Durango a stake could wait so many seconds for its start. */
const LONGEST_WAIT = 14 * 86_400;

/**
 * SQL of a further condition for transactions of a type: those that may have begun a stake of now. Each
 * network has its own limit of how long a stake takes: the oldest one of now says before which time no other
 * began, but those that begin again by themselves.
 *
 * @param network SQL of it
 * @param time SQL of that of a transaction
 */
export const isRecent = (type: string, network: string, time: string): string =>
  type === 'AddAutoRenewedValidatorTx'
    ? ''
    : ` AND ${time} >= (SELECT min(${staker.startTime}) - ${LONGEST_WAIT} FROM ${staker.from} WHERE ${staker.network} = ${network})`;
