import type { Logger } from 'pino';
import type { Network } from '../avalanche/networks.js';
import type { Config } from '../config.js';
import type { Storage } from '../storage/open.js';
import { readGenesis } from './genesis-source.js';
import { adoptIdentity, type Contents } from './identity.js';
import { readForkTimes, readNodeFacts } from './node-facts.js';
import { NodeError } from './node/error.js';
import type { Nodes } from './node/nodes.js';
import { streamNames, type StreamName } from '../config/follow-settings.js';
import { BalancesPipeline } from './evm/balances.js';
import { atomicCredits } from './evm/block-credits.js';
import { InternalsPipeline } from './evm/internals.js';
import { LogsPipeline } from './evm/logs.js';
import { notOffered } from './evm/offered.js';
import type { Pipeline } from './pipeline.js';
import { primaryPipelines, type PrimaryPlace } from './primary/primary.js';
import type { Connection } from '../storage/session.js';

/** What is followed: the network that the nodes belong to, and its pipelines. */
export interface Followed {
  readonly network: Network;
  /** Of the C-chain. */
  readonly cEvmChainId: bigint;
  readonly pipelines: readonly Pipeline[];
}

export interface FollowPlace extends PrimaryPlace {
  readonly nodes: Nodes;
  readonly storage: Storage;
  /** Reads what the database holds. */
  readonly contents: (connection: Connection) => Promise<Contents>;
  /** Contracts of tokens of the C-chain next to FOLLOW_TOKENS, as `ownersOf` of its balances. */
  readonly ownersOf?: readonly string[];
}

/**
 * Learns which network the nodes belong to, refuses one that the database is not for, and makes its pipelines.
 *
 * @throws FollowError; NodeError
 */
export async function openPipelines(
  place: FollowPlace,
  settings: Pick<
    Config,
    'FOLLOW_AS' | 'FOLLOW_GENESIS' | 'FOLLOW_ONLY' | 'FOLLOW_TELEPORTERS' | 'FOLLOW_TOKENS'
  >,
  signal: AbortSignal,
): Promise<Followed> {
  const { nodes, storage, contents, log } = place;
  const facts = await readNodeFacts(nodes, signal);
  const forks = await readForkTimes(nodes, signal);
  const fee = await nodes.platform.validatorFeeConfig({ signal });
  const source = settings.FOLLOW_GENESIS;
  // Before anything is written: a wrong file is refused at once.
  const genesis = source === undefined ? null : await readGenesis(source, facts.genesis, signal);
  const network = await adoptIdentity(facts, { as: settings.FOLLOW_AS, storage, contents });
  const { cEvmChainId, cChainId: blockchainId } = facts;
  const chain = { network, evmChainId: cEvmChainId, headerOf: 'c-chain' as const, blockchainId };
  const parts = { nodes, chain, platform: nodes.platform };
  const made = {
    ...primaryPipelines(nodes, { network, ...facts, ...forks, fee }, genesis, place),
    internals: new InternalsPipeline(parts),
    logs: new LogsPipeline({ ...parts, teleporters: settings.FOLLOW_TELEPORTERS, log }),
    balances: new BalancesPipeline({
      ...parts,
      credits: atomicCredits(nodes, forks),
      tokens: settings.FOLLOW_TOKENS,
      ownersOf: place.ownersOf,
      log,
    }),
  };
  const wanted = settings.FOLLOW_ONLY.length > 0 ? settings.FOLLOW_ONLY : await offered(nodes, log, signal);
  const streams = streamNames.filter((name) => wanted.includes(name));
  return { network, cEvmChainId, pipelines: streams.map((name) => made[name]) };
}

/** What a node has without a wish of the operator's: a pipeline would wait for the rest for ever. */
async function offered(nodes: Nodes, log: Logger, signal: AbortSignal): Promise<readonly StreamName[]> {
  const lacking: StreamName[] = [];
  if (!(await keepsIndex(nodes, signal))) {
    lacking.push('x-dag', 'x-vertices');
    log.warn(
      'no node keeps an index: the X-chain from before it had blocks is not stored, and outputs from then appear when they are spent',
    );
  }
  for (const [name, why] of await notOffered(nodes, 'the C-chain', signal)) {
    lacking.push(name);
    log.warn(why);
  }
  return streamNames.filter((name) => !lacking.includes(name));
}

/** Most nodes keep none. */
async function keepsIndex({ index }: Nodes, signal: AbortSignal): Promise<boolean> {
  try {
    await index.lastAccepted('X/tx', { signal });
    return true;
  } catch (error) {
    if (error instanceof NodeError && error.reason === 'index-off') return false;
    throw error;
  }
}
