import type { Network } from '../avalanche/networks.js';
import type { Config } from '../config.js';
import type { Storage } from '../storage/open.js';
import type { Archives } from './archive/archives.js';
import { readGenesis } from './network/genesis-source.js';
import { adoptIdentity, type Contents } from './network/identity.js';
import { provedFacts, readForkTimes, readNodeFacts } from './network/node-facts.js';
import { checkFacts } from './primary/proved-chains.js';
import { unlessFailed } from './node/error.js';
import type { Nodes } from './node/nodes.js';
import { streamNames, type StreamName } from '../config/follow-settings.js';
import { BalancesPipeline } from './evm/balances.js';
import { atomicCredits } from './evm/block-credits.js';
import { ChainReader } from './evm/chain-reader.js';
import { InternalsPipeline } from './evm/internals.js';
import { MessagesPipeline } from './evm/messages.js';
import { NftsPipeline } from './evm/nfts.js';
import { leftOutOf } from './evm/offered.js';
import { noteLeftOut } from './status/left-out.js';
import type { Pipeline, PipelineName } from './pipeline.js';
import { primaryPipelines, type PrimaryDeps } from './primary/primary.js';
import type { Connection } from '../storage/session.js';

/** What is followed: the network that the nodes belong to, and its pipelines. */
export interface Followed {
  readonly network: Network;
  /** Of the C-chain. */
  readonly cEvmChainId: bigint;
  readonly pipelines: readonly Pipeline[];
}

export interface FollowDeps extends Omit<PrimaryDeps, 'blocks'> {
  readonly nodes: Nodes;
  readonly storage: Storage;
  /** None when absent. */
  readonly archives?: Archives;
  /** Reads what the database holds. */
  readonly contents: (connection: Connection) => Promise<Contents>;
  /** Contracts of tokens of the C-chain in addition to FOLLOW_TOKENS, as `ownersOf` of its balances. */
  readonly ownersOf?: readonly string[];
}

/**
 * Learns which network the nodes belong to, refuses one that the database is not for, and makes its
 * pipelines.
 *
 * @throws FollowError; NodeError
 */
export async function openPipelines(
  deps: FollowDeps,
  settings: Pick<
    Config,
    'FOLLOW_AS' | 'FOLLOW_GENESIS' | 'FOLLOW_ONLY' | 'FOLLOW_TELEPORTERS' | 'FOLLOW_TOKENS'
  >,
  signal: AbortSignal,
): Promise<Followed> {
  const { storage, contents, log, archives } = deps;
  const said = await readNodeFacts(deps.nodes, signal);
  const forks = await readForkTimes(deps.nodes, signal);
  const fee = await deps.nodes.platform.validatorFeeConfig({ signal });
  const source = settings.FOLLOW_GENESIS;
  // Before anything is written: a wrong file is refused at once.
  const genesis = source === undefined ? null : await readGenesis(source, said.genesis, signal);
  if (genesis === null) await checkFacts(said, deps.nodes, signal);
  const facts = genesis === null ? said : provedFacts(said, genesis);
  const network = await adoptIdentity(facts, { as: settings.FOLLOW_AS, storage, contents });
  const { cEvmChainId, cChainId: blockchainId } = facts;
  const nodes = archives?.over(deps.nodes, cEvmChainId) ?? deps.nodes;
  const chain = { network, evmChainId: cEvmChainId, headerOf: 'c-chain' as const, blockchainId };
  const blocks = new ChainReader({ nodes, chain, log });
  const evmDeps = { nodes, chain, platform: nodes.platform, log, blocks };
  const made = {
    ...primaryPipelines(nodes, { network, ...facts, ...forks, fee }, genesis, { ...deps, blocks }),
    internals: new InternalsPipeline(evmDeps),
    nfts: new NftsPipeline(evmDeps),
    messages: new MessagesPipeline({ ...evmDeps, teleporters: settings.FOLLOW_TELEPORTERS }),
    balances: new BalancesPipeline({
      ...evmDeps,
      credits: atomicCredits(nodes, forks),
      tokens: settings.FOLLOW_TOKENS,
      ownersOf: deps.ownersOf,
    }),
  };
  const only = settings.FOLLOW_ONLY;
  const leftOut =
    only.length > 0 ? new Map<StreamName, string>() : await notOffered(nodes, settings.FOLLOW_TOKENS, signal);
  for (const note of new Set(leftOut.values())) log.warn(note);
  const named = (stream: StreamName) => made[stream].name;
  const decided: readonly StreamName[] = only.length > 0 ? only : streamNames;
  const notes = new Map<PipelineName, string>([...leftOut].map(([stream, note]) => [named(stream), note]));
  await noteLeftOut(storage.prisma, network, decided.map(named), notes);
  const streams = streamNames.filter((name) => decided.includes(name) && !leftOut.has(name));
  return { network, cEvmChainId, pipelines: streams.map((name) => made[name]) };
}

/**
 * The streams that would wait for ever because no node has what they need, with the reason for people. For an
 * operator who named no streams.
 */
async function notOffered(
  nodes: Nodes,
  tokens: readonly string[],
  signal: AbortSignal,
): Promise<Map<StreamName, string>> {
  const missing = new Map<StreamName, string>(await leftOutOf(nodes, 'the C-chain', tokens, { signal }));
  if (!(await keepsIndex(nodes, signal)))
    for (const stream of ['x-dag', 'x-vertices'] as const) missing.set(stream, noIndex);
  return missing;
}

/** The reason for both streams of the index. */
const noIndex =
  'no node keeps an index: the X-chain from before it had blocks is left out, and its outputs appear when they are spent; ' +
  'moraine follow ADDRESS --only x-dag,x-vertices fills it from one with --index-enabled';

/** Most nodes keep none. What cannot be asked now may be kept: then its streams wait, and say why. */
const keepsIndex = ({ index }: Pick<Nodes, 'index'>, signal: AbortSignal): Promise<boolean> =>
  unlessFailed(
    index.lastAccepted('X/tx', { signal }).then(() => true),
    (error) => !error.isFromAll(new Set(['index-off'])),
  );
