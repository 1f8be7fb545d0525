import type { Logger } from 'pino';
import type { Answer, EachOptions } from '../node/apis.js';
import type { EvmBlock } from '../node/evm-apis.js';
import { inOrder } from '../node/in-order.js';
import type { EvmNodes } from '../node/nodes.js';
import { NodePipeline } from '../node-pipeline.js';
import type { Block, DigestContext, KindRows, Pipeline } from '../pipeline.js';
import { proved } from '../node/proof.js';
import { firstSince } from './block-times.js';
import { chainRowsOf, type ChainDeps } from './chain.js';
import { headFault, headReader, idsOfEach, type ProvedHead } from './proved-head.js';

export interface EvmDeps extends ChainDeps {
  readonly nodes: EvmNodes;
  readonly log: Logger;
}

/** Bytes that a block takes in memory without what a pipeline reads of it, about. */
export const BLOCK_BYTES = 1000;

/** What the pipelines of an EVM chain have in common: blocks with proved headers, and the chain's row. */
export abstract class EvmPipeline<
  B extends Block,
  H extends ProvedHead,
  P extends EvmDeps = EvmDeps,
> extends NodePipeline<B, P> {
  protected readonly source = this.deps.nodes.evm;
  private knowsChain = false;

  abstract another(): Pipeline<B>;
  abstract beginning(head: bigint, signal: AbortSignal): Promise<bigint | 'now'>;
  /** What a block's answer says. Its hash is compared by the caller. */
  protected abstract readHead(block: EvmBlock): H;
  /** Why a block is wrong although its header is proved, or null. */
  protected faultOf(head: H): string | null {
    void head;
    return null;
  }

  /**
   * The block with everything else that the pipeline reads from it. @param source the endpoint that gave the
   * header
   */
  protected abstract complete(head: H, source: string, signal: AbortSignal): Promise<B>;

  async fetch(from: bigint, count: number, signal: AbortSignal): Promise<B[]> {
    const read = (block: EvmBlock, height: bigint) =>
      proved(
        `block ${height}`,
        () => this.readHead(block),
        (head) => headFault(block, height, head, this.deps.chain.headerOf) ?? this.faultOf(head),
      );
    const blocks = await this.source.wholeBlocks(from, count, { signal, read });
    return inOrder(
      blocks.length,
      (index, closed) => {
        const { value, endpoint } = blocks[index]!;
        return this.complete(value, endpoint, closed);
      },
      signal,
    );
  }

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

  // Nothing but the chain is remembered, and a batch that was not committed may have had its row.
  override forget(): void {
    this.knowsChain = false;
  }
}
