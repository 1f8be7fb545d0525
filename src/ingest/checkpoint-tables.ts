import { gapTable, pipelineTable, tokenCountTable, tokenIdTable, tokenTable } from '../state/following.js';
import {
  l1ValidatorTable,
  stakerTable,
  stakingTable,
  subnetFeeTable,
  supplyTable,
} from '../state/staking.js';

/** The form of moraine.checkpoints.ndjson; an import refuses a newer one. */
export const CHECKPOINT_FORMAT = 1;

/** A file of this name, with its ending, has the checkpoints of an export. */
export const CHECKPOINT_FILE = 'moraine.checkpoints';

/**
 * The tables that a follower alone fills, as they are, in the order in which they are written: how far its streams are, and what
 * it knows in addition to the rows of the API. An import gets every other table from these rows, or makes it anew.
 */
export const checkpointTables = [
  pipelineTable.name,
  gapTable.name,
  stakingTable.name,
  stakerTable.name,
  supplyTable.name,
  l1ValidatorTable.name,
  subnetFeeTable.name,
  tokenTable.name,
  tokenIdTable.name,
  tokenCountTable.name,
  'icm_waiting',
] as const;

export type CheckpointTable = (typeof checkpointTables)[number];
