import { stakingTable } from '../../state/staking.js';

const staking = stakingTable.as('c');

/** When a field of the present state of stakers is null. */
export const notFollowed =
  'where its P-chain is not followed from genesis on, or its computed state is not that of a node (docs/following.md)';

/** SQL of whether the state of stakers of a row's network is known. @param alias of the row */
export const follows = (alias: string): string => `EXISTS (
  SELECT 1 FROM ${staking.from}
  WHERE ${staking.network} = ${alias}.network AND ${staking.knowsStakers} AND ${staking.difference} IS NULL)`;
