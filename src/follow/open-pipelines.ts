import type { Logger } from 'pino';
import type { Network } from '../avalanche/networks.js';
import type { Config } from '../config.js';
import type { Storage } from '../storage/open.js';
import { readGenesis } from './genesis-source.js';
import { adoptIdentity, type Contents } from './identity.js';
import { readForkTimes, readNodeFacts } from './node-facts.js';
import { NodeError } from './node/error.js';
import type { Nodes } from './node/nodes.js';
import { pipelineNames } from '../config/follow-settings.js';
import type { Pipeline, PipelineName } from './pipeline.js';
import { primaryPipelines } from './primary/primary.js';
import type { Connection } from '../storage/session.js';

/** What is followed: the network that the nodes belong to, and its pipelines. */
export interface Followed {
  readonly network: Network;
  readonly pipelines: readonly Pipeline[];
}

export interface FollowPlace {
  readonly nodes: Nodes;
  readonly storage: Storage;
  /** Reads what the database holds. */
  readonly contents: (connection: Connection) => Promise<Contents>;
  readonly log: Logger;
}

/**
 * Learns which network the nodes belong to, refuses one that the database is not for, and makes its pipelines.
 *
 * @throws FollowError; NodeError
 */
export async function openPipelines(
  { nodes, storage, contents, log }: FollowPlace,
  settings: Pick<Config, 'FOLLOW_AS' | 'FOLLOW_GENESIS' | 'FOLLOW_ONLY'>,
  signal: AbortSignal,
): Promise<Followed> {
  const facts = await readNodeFacts(nodes, signal);
  const forks = await readForkTimes(nodes, signal);
  const fee = await nodes.platform.validatorFeeConfig({ signal });
  const source = settings.FOLLOW_GENESIS;
  // Before anything is written: a wrong file is refused at once.
  const genesis = source === undefined ? null : await readGenesis(source, facts.genesis, signal);
  const network = await adoptIdentity(facts, { as: settings.FOLLOW_AS, storage, contents });
  const made = primaryPipelines(nodes, { network, ...facts, ...forks, fee }, genesis, { storage, log });
  const wanted = settings.FOLLOW_ONLY.length > 0 ? settings.FOLLOW_ONLY : await offered(nodes, log, signal);
  const names = pipelineNames.filter((name) => wanted.includes(name));
  return { network, pipelines: names.map((name) => made[name]) };
}

/** What a node has without a wish of the operator's: most keep no index, and `x-dag` would wait for one for ever. */
async function offered(nodes: Nodes, log: Logger, signal: AbortSignal): Promise<readonly PipelineName[]> {
  try {
    await nodes.index.lastAccepted('X/tx', { signal });
    return pipelineNames;
  } catch (error) {
    if (!(error instanceof NodeError) || error.reason !== 'index-off') throw error;
    log.warn(
      'no node keeps an index: outputs of the X-chain that were made before it had blocks appear when they are spent',
    );
    return pipelineNames.filter((name) => name !== 'x-dag');
  }
}
