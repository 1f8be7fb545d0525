import { networks, type Network } from '../avalanche/networks.js';
import type { Connection } from '../storage/session.js';
import { pipelineNames } from '../config/follow-settings.js';
import type { PipelineName } from './pipeline.js';

// The class of the advisory locks of pipelines; any number that nothing else uses.
const PIPELINE_LOCK = 1_836_020_420;

/**
 * Takes the lock of a pipeline for as long as the session's connection lives. The rows are written on the same connection, so
 * that whoever has lost the lock cannot write either.
 *
 * @returns whether it was free, or this session's already
 */
export async function takeLock(session: Connection, network: Network, name: PipelineName): Promise<boolean> {
  const number = networks.indexOf(network) * pipelineNames.length + pipelineNames.indexOf(name);
  const { rows } = await session.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_lock(${PIPELINE_LOCK}, ${number}) AS taken`,
  );
  return rows[0]?.taken === true;
}
