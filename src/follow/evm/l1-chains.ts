import type { Logger } from 'pino';
import type { Network } from '../../avalanche/networks.js';
import { evmStreams, type EvmStream } from '../../config/follow-settings.js';
import type { Archives } from '../archive/archives.js';
import { FollowError } from '../errors.js';
import { parseRpcAddress } from '../node/address.js';
import { NodeError, unlessFailed } from '../node/error.js';
import { openEvm, type EvmNodes, type NodeOptions, type Nodes } from '../node/nodes.js';
import type { EndpointStatus } from '../node/status.js';
import { GrowingPauses } from '../pauses.js';
import type { Pipeline } from '../pipeline.js';
import type { WaitingNotes } from '../status/waiting.js';
import { BalancesPipeline } from './balances.js';
import { withdrawalCredits } from './block-credits.js';
import { ChainReader } from './chain-reader.js';
import { InternalsPipeline } from './internals.js';
import { MessagesPipeline } from './messages.js';
import { NftsPipeline } from './nfts.js';
import { leftOutOf } from './offered.js';

export interface L1ChainsDeps {
  /** The addresses of `--l1`: RPC of any EVM chains; those of one chain share its requests. */
  readonly urls: readonly string[];
  readonly network: Network;
  /** Of the C-chain, which is followed from its own nodes. */
  readonly cEvmChainId: bigint;
  readonly platform: Nodes['platform'];
  /** The streams that the operator named; none: all that a chain's endpoints offer. */
  readonly only: readonly string[];
  /** Contracts whose tokens are followed, and whose messages, in lower case. */
  readonly tokens: readonly string[];
  readonly teleporters: readonly string[];
  readonly options: NodeOptions;
  readonly waiting: WaitingNotes;
  /** None when absent. */
  readonly archives?: Archives;
}

/** Most milliseconds in which an endpoint answers at the start, or is asked again later. */
const FIRST_MS = 5000;

/** Finds out which EVM chains endpoints have, and makes their pipelines. */
export class L1Chains {
  private readonly pools = new Map<bigint, EvmNodes>();
  private waiting: readonly string[];
  /** Addresses that were logged as waited for. */
  private readonly said = new Set<string>();
  private readonly log: Logger;

  constructor(private readonly deps: L1ChainsDeps) {
    this.waiting = deps.urls;
    this.log = deps.options.log;
  }

  /**
   * The pipelines of the chains whose endpoints answer at once; the others are asked again by `wait`.
   *
   * @throws FollowError for an endpoint of the C-chain
   */
  async open(signal: AbortSignal): Promise<Pipeline[]> {
    const { found, refused } = await this.ask(signal);
    const [first] = refused;
    if (first !== undefined) throw new FollowError(first);
    return found;
  }

  /**
   * Asks those that have not answered, with growing pauses, and starts what is found. Ends with the last, or
   * with the signal.
   */
  async wait(start: (pipelines: readonly Pipeline[]) => void, signal: AbortSignal): Promise<void> {
    for (const pauses = new GrowingPauses(); this.waiting.length > 0;) {
      await pauses.wait(signal);
      if (signal.aborted) return;
      const { found, refused } = await this.ask(signal).catch((error: unknown) => {
        if (signal.aborted) return { found: [], refused: [] };
        throw error;
      });
      for (const text of refused) this.log.error(text);
      if (found.length > 0) start(found);
    }
  }

  endpoints(): EndpointStatus[] {
    return [...this.pools.values()].flatMap((pool) => pool.endpoints());
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
  }

  /** One round. What is refused is not asked again. */
  private async ask(signal: AbortSignal): Promise<{ found: Pipeline[]; refused: string[] }> {
    const answers = await Promise.all(this.waiting.map((url) => this.chainIdOf(url, signal)));
    const refused: string[] = [];
    const byChain = new Map<bigint, string[]>();
    for (const { url, evmChainId } of answers) {
      if (evmChainId === null) continue;
      const { name } = parseRpcAddress(url);
      if (evmChainId === this.deps.cEvmChainId)
        refused.push(
          `--l1 ${name}: it is the C-chain (EVM chain id ${evmChainId}), which is followed from its node; leave this address out`,
        );
      else if (this.pools.has(evmChainId))
        this.log.warn(
          `${name} has chain ${evmChainId}, which is followed already: the address is used from the next start on`,
        );
      else byChain.set(evmChainId, [...(byChain.get(evmChainId) ?? []), url]);
    }
    this.waiting = answers.flatMap(({ url, evmChainId }) => (evmChainId === null ? [url] : []));
    const found: Pipeline[] = [];
    for (const [evmChainId, urls] of byChain) found.push(...(await this.openChain(evmChainId, urls, signal)));
    return { found, refused };
  }

  private async chainIdOf(
    url: string,
    signal: AbortSignal,
  ): Promise<{ url: string; evmChainId: bigint | null }> {
    const { options } = this.deps;
    const nodes = openEvm([url], null, options);
    const patienceMs = Math.min(FIRST_MS, options.patienceMs ?? FIRST_MS);
    const { name } = parseRpcAddress(url);
    const { waiting, network } = this.deps;
    try {
      const evmChainId = await nodes.evm.chainId({ signal, patienceMs });
      await waiting.met(name);
      return { url, evmChainId };
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      signal.throwIfAborted();
      await waiting.show(name, error.message, network, true);
      const text = `waiting for the EVM chain of ${name}: ${error.message}`;
      if (!this.said.has(url)) this.log.warn(text);
      this.said.add(url);
      return { url, evmChainId: null };
    } finally {
      await nodes.close();
    }
  }

  private async openChain(evmChainId: bigint, urls: string[], signal: AbortSignal): Promise<Pipeline[]> {
    const { network, platform, only, tokens, teleporters, options, waiting } = this.deps;
    const pool = openEvm(urls, evmChainId, options);
    this.pools.set(evmChainId, pool);
    const nodes = this.deps.archives?.over(pool, evmChainId) ?? pool;
    const chain = { network, evmChainId, headerOf: 'l1' as const, blockchainId: null };
    const leftOut =
      only.length > 0 ? new Map<EvmStream, string>() : await this.leftOut(nodes, evmChainId, signal);
    const decided = only.length > 0 ? evmStreams.filter((name) => only.includes(name)) : evmStreams;
    const named = (stream: EvmStream) => `${stream}:${evmChainId}` as const;
    const notes = new Map([...leftOut].map(([stream, note]) => [named(stream), note]));
    await waiting.noteLeftOut(network, decided.map(named), notes);
    const streams = decided.filter((name) => !leftOut.has(name));
    const blocks = new ChainReader({ nodes, chain, log: this.log });
    const deps = { nodes, chain, platform, blocks, log: this.log };
    const made = {
      internals: () => new InternalsPipeline(deps),
      nfts: () => new NftsPipeline(deps),
      messages: () => new MessagesPipeline({ ...deps, teleporters }),
      balances: () => new BalancesPipeline({ ...deps, credits: withdrawalCredits, tokens }),
    };
    return streams.map((name): Pipeline => made[name]());
  }

  /** If no endpoint answers: none. Each stream then waits and reports why. */
  private async leftOut(
    nodes: EvmNodes,
    evmChainId: bigint,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<EvmStream, string>> {
    const found = leftOutOf(nodes, `chain ${evmChainId}`, this.deps.tokens, { signal });
    const notes = await unlessFailed(found, () => new Map<EvmStream, string>());
    for (const text of notes.values()) this.log.warn(text);
    return notes;
  }
}
