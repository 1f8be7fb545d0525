import type { Logger } from 'pino';
import type { Genesis } from '../../avalanche/codec/types.js';
import { evmBlockHash } from '../../avalanche/codec/evm-header.js';
import { decodeXGenesis } from '../../avalanche/codec/genesis.js';
import { idOf } from '../../avalanche/codec/ids.js';
import type { Reader } from '../../storage/reader.js';
import type { ChainReader } from '../evm/chain-reader.js';
import { contradiction } from '../node/error.js';
import type { Nodes } from '../node/nodes.js';
import type { EvmStream, StreamName } from '../../config/follow-settings.js';
import type { Pipeline } from '../pipeline.js';
import { Assets } from './assets.js';
import { AwaitedStreams, type WaitBounds } from './awaited-streams.js';
import { CAtomicPipeline } from './c-atomic.js';
import { idOfChain, type PrimaryNetwork } from './network.js';
import { OutputMemory } from './output-memory.js';
import { Outputs } from './outputs.js';
import { PPipeline } from './p.js';
import { Producers } from './producers.js';
import { Proposers } from './proposers.js';
import { HeadCheck } from '../staking/head-check.js';
import type { WatchState } from '../staking/machine.js';
import { Seeding } from '../staking/seeding.js';
import { Staking } from '../staking/staking.js';
import { XDagPipeline } from './x-dag.js';
import { IndexAgreement } from './index-agreement.js';
import { XVerticesPipeline } from './x-vertices.js';
import { XPipeline, type XGenesis } from './x.js';

/** Bytes of outputs that are remembered for all pipelines together. */
const OUTPUT_MEMORY_BYTES = 16 * 1024 * 1024;

/** What the pipelines of the primary network are given to work with. */
export interface PrimaryDeps {
  readonly storage: Reader;
  readonly log: Logger;
  /** Of the C-chain, shared by its streams. */
  readonly blocks: ChainReader;
  /** Is given the state of stakers after each block of the P-chain. */
  readonly watch?: WatchState;
  /** How long streams wait for each other; the usual bounds when absent. */
  readonly waits?: WaitBounds;
}

/**
 * The pipelines of the primary network over one client of nodes.
 *
 * @param genesis of the file that the operator gave, checked against the node; null without one: then `p`
 *   cannot begin with block 0, and the time of X's genesis is not known
 */
export function primaryPipelines(
  nodes: Nodes,
  network: PrimaryNetwork,
  genesis: Genesis | null,
  { storage, log, blocks, watch, waits }: PrimaryDeps,
): Readonly<Record<Exclude<StreamName, EvmStream>, Pipeline>> {
  const assets = new Assets(nodes, network);
  const staking = new Staking(network, log, watch);
  const producers = new Producers(nodes, genesis);
  const memory = new OutputMemory(OUTPUT_MEMORY_BYTES);
  const others = new AwaitedStreams(network.network, waits);
  const outputs = new Outputs(network, memory, producers, others, {
    knowsGenesis: genesis !== null,
    differ: (text) => staking.differ(text),
  });
  const agreement = new IndexAgreement(network, storage);
  const deps = { nodes, network, assets, outputs, agreement };
  return {
    p: new PPipeline({
      ...deps,
      producers,
      proposers: new Proposers(nodes, 'P/block', idOfChain(network, 'p'), idOf),
      genesis,
      storage,
      staking,
      seeding: new Seeding(log),
      check: new HeadCheck({ network: { network: network.network }, nodes, prisma: storage.prisma, log }),
    }),
    x: new XPipeline({
      ...deps,
      proposers: new Proposers(nodes, 'X/block', idOfChain(network, 'x'), idOf),
      genesis: (signal) => xGenesis(network, producers, genesis, signal),
    }),
    'x-dag': new XDagPipeline(deps),
    'x-vertices': new XVerticesPipeline(deps),
    'c-atomic': new CAtomicPipeline({
      ...deps,
      blocks,
      proposers: new Proposers(nodes, 'C/block', idOfChain(network, 'c'), evmBlockHash),
    }),
  };
}

/** X's genesis is in the transaction that made the chain, which every node has; only its time is not. */
async function xGenesis(
  { xChainId }: PrimaryNetwork,
  producers: Producers,
  genesis: Genesis | null,
  signal: AbortSignal,
): Promise<XGenesis> {
  if (genesis)
    return { transactions: genesis.assets.map(({ transaction }) => transaction), time: genesis.time };
  const made = await producers.pTransaction(xChainId, signal);
  // Proved at the start.
  if (made.type !== 'CreateChainTx') throw contradiction(`${xChainId} did not make the X-chain`);
  return { transactions: decodeXGenesis(made.genesis).map(({ transaction }) => transaction), time: 0 };
}
