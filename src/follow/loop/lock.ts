import type { Network } from '../../avalanche/networks.js';
import type { Connection } from '../../storage/session.js';
import type { PipelineName } from '../pipeline.js';

// The class of the advisory locks of pipelines; any number that nothing else uses.
const PIPELINE_LOCK = 1_836_020_420;

/** What one follower works on at a time: a pipeline, or a part of it that is read by itself. */
export interface LockedWork {
  readonly network: Network;
  readonly name: PipelineName;
  /** Which part, for example `range 4096`; the pipeline itself when absent. */
  readonly part?: string;
}

const keyOf = ({ network, name, part }: LockedWork) =>
  part === undefined ? `${network} ${name}` : `${network} ${name} ${part}`;

/**
 * Takes a lock for as long as the session's connection lives, or until it is given back. The rows are written
 * on the same connection, so that whoever has lost the lock cannot write either.
 *
 * @returns whether it was free, or this session's already
 */
export async function takeLock(session: Connection, work: LockedWork): Promise<boolean> {
  // Those with the same hash would only stand by for each other.
  const { rows } = await session.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_lock(${PIPELINE_LOCK}, hashtext($1)) AS taken`,
    [keyOf(work)],
  );
  return rows[0]?.taken === true;
}

/** Gives a lock back. Call it as often as it was taken. */
export async function giveLock(session: Connection, work: LockedWork): Promise<void> {
  await session.query(`SELECT pg_advisory_unlock(${PIPELINE_LOCK}, hashtext($1))`, [keyOf(work)]);
}
