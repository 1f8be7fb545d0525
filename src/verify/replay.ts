import type { Logger } from 'pino';
import { publicIdentities } from '../avalanche/identity.js';
import type { Network } from '../avalanche/networks.js';
import { bounded, type Bounds } from './bounded.js';
import { follow, type Beginnings } from '../follow/follow.js';
import { unlessFailed } from '../follow/node/error.js';
import type { Nodes } from '../follow/node/nodes.js';
import { openPipelines, type FollowDeps } from '../follow/open-pipelines.js';
import { streamOf, type Pipeline, type PipelineName } from '../follow/pipeline.js';
import type { WatchState } from '../follow/staking/machine.js';
import type { PipelineView } from '../follow/status/view.js';
import type { FollowNetwork } from '../generated/prisma/client.js';
import { pause } from '../follow/pauses.js';
import type { Storage } from '../storage/storage.js';

/** The blocks of a chain that a database has. */
export interface Stretch extends Bounds {
  readonly name: PipelineName;
}

export interface ReplayDeps {
  readonly nodes: Nodes;
  /** Where the rows are made. */
  readonly storage: Storage;
  /** Reads what a database has. */
  readonly contents: FollowDeps['contents'];
  /** The network that is stored. */
  readonly identity: FollowNetwork;
  readonly genesis: string | undefined;
  /** Contracts of tokens of the C-chain that were named one by one. */
  readonly tokens: readonly string[];
  /** Others whose balances are stored. */
  readonly ownersOf: readonly string[];
  /** Contracts whose messages are followed, in lower case. */
  readonly teleporters: readonly string[];
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Is given the state of stakers after each block of the P-chain. */
  readonly watch?: WatchState;
  /** Shows how far it is; called once. */
  readonly show: (views: readonly PipelineView[]) => () => void;
}

/** Milliseconds without a new block after which chains are given up. */
const IDLE_MS = 120_000;
/** The same where each of them has failed: what a range needs of blocks before it no node says. */
const FAILED_MS = 10_000;
const LOOK_MS = 250;

/**
 * Follows the same blocks again.
 *
 * @returns the chains whose blocks were not all followed, with the reason
 * @throws FollowError, NodeError
 */
export async function replay(
  stretches: readonly Stretch[],
  deps: ReplayDeps,
): Promise<ReadonlyMap<PipelineName, string>> {
  const { nodes, storage, log, signal, identity } = deps;
  const settings = {
    FOLLOW_AS: aliasOf(identity),
    FOLLOW_GENESIS: deps.genesis,
    FOLLOW_TOKENS: [...deps.tokens],
    FOLLOW_TELEPORTERS: [...deps.teleporters],
    FOLLOW_ONLY: [...new Set(stretches.map(({ name }) => streamOf(name)))],
  };
  const opened = await openPipelines(
    { nodes, storage, contents: deps.contents, log, watch: deps.watch, ownersOf: deps.ownersOf },
    settings,
    signal,
  );
  const from: Beginnings = Object.fromEntries(stretches.map(({ name, first }) => [streamOf(name), first]));
  const whole = await Promise.all(stretches.map((one) => withDecision(one, opened.pipelines, signal)));
  const pipelines = opened.pipelines.flatMap((pipeline): Pipeline[] => {
    const wanted = whole.find(({ name }) => name === pipeline.name);
    return wanted ? [bounded(pipeline, wanted)] : [];
  });
  const ending = new AbortController();
  const running = follow({
    storage,
    network: opened.network,
    pipelines,
    nodes,
    from,
    once: true,
    log,
    signal: AbortSignal.any([signal, ending.signal]),
  });
  const hide = deps.show(running.views);
  const waited = endWhenIdle(running.views, ending, signal);
  const stopped = await running.ended;
  ending.abort();
  await waited;
  hide();
  signal.throwIfAborted();
  return new Map(whole.flatMap((one) => problemOf(one, running.views, stopped)));
}

/** One block more where the last one is a proposal: its decision belongs to it. */
async function withDecision(
  stretch: Stretch,
  pipelines: readonly Pipeline[],
  signal: AbortSignal,
): Promise<Stretch> {
  const { name, first, next } = stretch;
  const pipeline = pipelines.find((one) => one.name === name);
  if (!pipeline || next === first) return stretch;
  // Where it cannot be asked for, following it says why.
  const [last] = await unlessFailed(pipeline.fetch(next - 1n, 1, signal), () => []);
  return last?.mayEndBatch === false ? { name, first, next: next + 1n } : stretch;
}

/** Under which name a network of one's own was followed. */
function aliasOf({ network, networkId }: FollowNetwork): Network | undefined {
  return BigInt(publicIdentities[network].networkId) === networkId ? undefined : network;
}

/** Gives up when nothing moves: otherwise a node with missing data would be waited for without end. */
async function endWhenIdle(
  views: readonly PipelineView[],
  ending: AbortController,
  signal: AbortSignal,
): Promise<void> {
  let [target, since, working] = ['', performance.now(), performance.now()];
  while (!ending.signal.aborted && !signal.aborted) {
    const now = views.map(({ next }) => String(next)).join();
    if (now !== target) [target, since] = [now, performance.now()];
    if (views.some(({ state }) => state === 'following' || state === 'standby')) working = performance.now();
    const isIdle = performance.now() - since > IDLE_MS || performance.now() - working > FAILED_MS;
    if (isIdle) ending.abort(new Error('nothing moves'));
    await pause(LOOK_MS, AbortSignal.any([signal, ending.signal]));
  }
}

function problemOf(
  { name, next }: Stretch,
  views: readonly PipelineView[],
  stopped: readonly { readonly name: PipelineName; readonly why: Error }[],
): [PipelineName, string][] {
  const view = views.find((one) => one.name === name);
  if (view?.next === next) return [];
  const why =
    stopped.find((one) => one.name === name)?.why.message ??
    view?.note ??
    `the node has ${name} up to block ${view?.head ?? '?'}, and ${next - 1n} is stored`;
  return [[name, why]];
}
