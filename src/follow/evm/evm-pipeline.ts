import type { EvmBlock } from '../node/evm-apis.js';
import { Failed } from '../node/failed.js';
import { inOrder } from '../node/in-order.js';
import { proved } from '../node/proof.js';
import type { Block } from '../pipeline.js';
import { EvmStreamPipeline, type EvmDeps } from './evm-stream-pipeline.js';
import type { ProvedBlock } from './proved-block.js';
import type { BlockHead } from './proved-head.js';

/** What the pipelines of an EVM chain have in common that read each block with its transactions. */
export abstract class EvmPipeline<
  B extends Block,
  H extends BlockHead,
  P extends EvmDeps = EvmDeps,
> extends EvmStreamPipeline<B, P> {
  /**
   * A block waits, whole, for its traces or receipts, which are asked for one by one, 32 at a time. Of 4,096
   * such blocks most survive the young generation of the memory: copying them took a tenth of the time.
   */
  readonly mostAhead = 512;

  /** What a block says in addition to what is proved of it. */
  protected abstract readHead(block: EvmBlock, head: BlockHead): H;
  /** Why a block is wrong although its header is proved, or null. */
  protected faultOf(head: H): string | null {
    void head;
    return null;
  }

  /** The block with everything else that the pipeline reads from it. */
  protected abstract complete(head: H, block: ProvedBlock, signal: AbortSignal): Promise<B>;

  async fetch(from: bigint, count: number, signal: AbortSignal): Promise<B[]> {
    const blocks = await this.deps.blocks.blocksFor(this, from, count, signal);
    return inOrder(
      blocks.length,
      async (index, closed) => {
        const { head, block } = await this.checked(blocks[index]!, closed);
        return this.complete(head, block, closed);
      },
      signal,
    );
  }

  /** A block that others read too may be wrong for this pipeline alone: then it asks for it by itself. */
  private async checked(
    block: ProvedBlock,
    signal: AbortSignal,
  ): Promise<{ readonly head: H; readonly block: ProvedBlock }> {
    const { height } = block.head;
    const read = (given: EvmBlock, head: BlockHead) =>
      proved(
        `block ${height}`,
        () => this.readHead(given, head),
        (each) => this.faultOf(each),
      );
    try {
      return { head: read(block.block, block.head), block };
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      const again = await this.deps.blocks.blockAlone(height, read, signal);
      return { head: again.said, block: again.read };
    }
  }
}
