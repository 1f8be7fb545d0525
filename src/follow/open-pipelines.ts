import type { Network } from '../avalanche/networks.js';
import type { Config } from '../config.js';
import type { Storage } from '../storage/storage.js';
import type { Nodes } from './node/nodes.js';
import type { Pipeline } from './pipeline.js';

/** What is followed: the network that the nodes belong to, and its pipelines. */
export interface Followed {
  readonly network: Network;
  readonly pipelines: readonly Pipeline[];
}

/** Learns which network the nodes belong to, refuses one that the database is not for, and makes its pipelines. */
export function openPipelines(
  _nodes: Nodes,
  _storage: Storage,
  _settings: Pick<Config, 'FOLLOW_AS' | 'FOLLOW_GENESIS' | 'FOLLOW_ONLY'>,
  _signal: AbortSignal,
): Promise<Followed> {
  return Promise.reject(new Error('not written yet'));
}
