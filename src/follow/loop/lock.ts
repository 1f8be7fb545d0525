import type { Network } from '../../avalanche/networks.js';
import type { Connection } from '../../storage/session.js';
import type { PipelineName } from '../pipeline.js';

// The class of the advisory locks of pipelines; any number that nothing else uses.
const PIPELINE_LOCK = 1_836_020_420;

/**
 * Takes the lock of a pipeline for as long as the session's connection lives. The rows are written on the
 * same connection, so that whoever has lost the lock cannot write either.
 *
 * @returns whether it was free, or this session's already
 */
export async function takeLock(session: Connection, network: Network, name: PipelineName): Promise<boolean> {
  // Pipelines with the same hash would only stand by for each other.
  const { rows } = await session.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_lock(${PIPELINE_LOCK}, hashtext($1)) AS taken`,
    [`${network} ${name}`],
  );
  return rows[0]?.taken === true;
}
