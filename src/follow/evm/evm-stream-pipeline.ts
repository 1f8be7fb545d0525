import type { Logger } from 'pino';
import type { Answer, EachOptions } from '../node/apis.js';
import type { EvmNodes } from '../node/nodes.js';
import { NodePipeline } from '../node-pipeline.js';
import type { Block, DigestContext, KindRows, Pipeline } from '../pipeline.js';
import { firstSince } from './block-times.js';
import type { ChainReader } from './chain-reader.js';
import { chainRowsOf, type ChainDeps } from './chain.js';
import { headReader, idsOfEach } from './proved-head.js';

export interface EvmDeps extends ChainDeps {
  readonly nodes: EvmNodes;
  /** Shared by the streams of the chain. */
  readonly blocks: ChainReader;
  readonly log: Logger;
}

/** Bytes that a block takes in memory without what a pipeline reads of it, about. */
export const BLOCK_BYTES = 1000;

/** What the pipelines of an EVM chain have in common: where they begin, and the chain's row. */
export abstract class EvmStreamPipeline<B extends Block, P extends EvmDeps = EvmDeps> extends NodePipeline<
  B,
  P
> {
  protected readonly source = this.deps.nodes.evm;
  private knowsChain = false;

  abstract another(): Pipeline<B>;
  abstract beginning(head: bigint, signal: AbortSignal): Promise<bigint | 'now'>;

  protected idsAt(height: bigint, options: EachOptions): Promise<Answer<string>[]> {
    return idsOfEach(this.source, this.deps.chain.headerOf, height, options);
  }

  firstSince(time: number, head: bigint, signal: AbortSignal): Promise<bigint> {
    return firstSince((height) => this.timeOf(height, signal), time, 0n, head + 1n);
  }

  /** The time of a block whose header has its hash, Unix seconds. @throws NodeError */
  protected async timeOf(height: bigint, signal: AbortSignal): Promise<number> {
    const read = headReader(this.deps.chain.headerOf);
    return (await this.source.block(height, { signal, read })).value.time;
  }

  /** The chain's row, until it is stored. */
  protected async chainRows({ reader, signal }: DigestContext): Promise<readonly KindRows[]> {
    return this.knowsChain ? [] : chainRowsOf(this.deps, reader, signal);
  }

  /** To be called when a batch that has the chain's row is written. */
  protected noteChain(): void {
    this.knowsChain = true;
  }

  endAt(height: bigint): void {
    this.deps.blocks.endAt(this, height);
  }

  setIdle(isIdle: boolean): void {
    this.deps.blocks.setIdle(this, isIdle);
  }

  // Nothing but the chain is remembered, and a batch that was not committed may have had its row.
  override forget(): void {
    this.knowsChain = false;
    this.deps.blocks.leave(this);
  }

  override setAside(source: string, reason: string): boolean {
    this.deps.blocks.clear();
    return super.setAside(source, reason);
  }
}
