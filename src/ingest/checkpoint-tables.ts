import * as following from '../state/following.js';
import * as staking from '../state/staking.js';

/** The form of moraine.checkpoints.ndjson; an import refuses a newer one. */
export const CHECKPOINT_FORMAT = 1;

/** A file of this name, with its ending, has the checkpoints of an export. */
export const CHECKPOINT_FILE = 'moraine.checkpoints';

/**
 * The tables that a follower alone fills, as they are, in the order in which they are written: how far its
 * streams are, and what it knows in addition to the rows of the API. An import fills every other table from
 * these rows, or computes it.
 */
export const checkpointTables = [
  following.pipelineTable.name,
  following.rangeTable.name,
  following.gapTable.name,
  staking.stakingTable.name,
  staking.stakerTable.name,
  staking.supplyTable.name,
  staking.l1ValidatorTable.name,
  staking.subnetFeeTable.name,
  staking.paidFeeTable.name,
  staking.feeDayTable.name,
  'follow_token',
  'follow_token_id',
  'follow_token_count',
  'icm_waiting',
] as const;

export type CheckpointTable = (typeof checkpointTables)[number];
