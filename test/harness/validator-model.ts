import fc from 'fast-check';
import { newestFirst, nodeIds, nodesOf, plainTx, platformTx, type PlatformTx } from './platform-model.js';

/** The types of the transactions in each list of a validator. */
export const ofTypes = {
  stakingPeriods: ['AddValidatorTx', 'AddSubnetValidatorTx', 'AddPermissionlessValidatorTx'],
  delegations: ['AddDelegatorTx', 'AddPermissionlessDelegatorTx'],
  rewards: ['RewardValidatorTx'],
};
export const lists = Object.keys(ofTypes) as (keyof typeof ofTypes)[];

/** Transactions of which about half are of these types. */
export const platformTxsOf = (...txTypes: string[]) =>
  fc.array(
    fc
      .tuple(platformTx, fc.option(fc.constantFrom(...txTypes)))
      .map(([each, txType]) => ({ ...each, txType: txType ?? each.txType })),
    { maxLength: 25 },
  );

/** Those that name the node, newest first. */
export const referencing = (all: readonly PlatformTx[], nodeId: string) =>
  newestFirst(all).filter((each) => nodesOf(each, all).includes(nodeId));

/** A transaction for each node, so that each exists. */
export const everyNode = nodeIds.map((nodeId) => ({ ...plainTx, name: `of ${nodeId}`, nodeId }));
