import { WrongBlock } from '../errors.js';
import { streamOf, type Block, type Pipeline } from '../pipeline.js';
import type { Watermark } from '../watermark.js';

type StreamPosition = Pick<Watermark, 'name' | 'next' | 'lastId'>;

/** Blocks of a batch as far as they follow each other. */
interface Linked<B extends Block> {
  readonly blocks: readonly B[];
  /** The block after them that proves the last one, if it is there. */
  readonly next: B | undefined;
  /** Why there are no more of them; null where these are all. */
  readonly wrong: WrongBlock | null;
}

/**
 * The blocks of a batch that follow each other and the last one that is stored. Of two that do not, either
 * may be the wrong one: only what is before both is among them, as far as a batch may end there.
 *
 * @param next the block after the batch, if it is there
 */
export function linkedOf<B extends Block>(
  position: StreamPosition,
  blocks: readonly B[],
  next: B | undefined,
): Linked<B> {
  const all = next ? [...blocks, next] : blocks;
  const { wrong, index } = firstWrong(position, all);
  if (!wrong) return { blocks, next, wrong };
  const before = all.slice(0, Math.max(0, index - 1));
  const end = before.findLastIndex(({ mayEndBatch }) => mayEndBatch) + 1;
  // The one after them proves nothing: it may be the wrong one.
  return { blocks: all.slice(0, end), next: undefined, wrong };
}

/**
 * The first block that does not follow the one before it. The first block of a pipeline that begins in the
 * middle of its chain may have any parent.
 */
function firstWrong(
  { name, next, lastId }: StreamPosition,
  blocks: readonly Block[],
): { readonly wrong: WrongBlock | null; readonly index: number } {
  let [height, parent] = [next, lastId];
  let before: Block | null = null;
  for (const [index, block] of blocks.entries()) {
    if (block.height !== height) {
      const text = `${block.source} gave block ${block.height} of ${name} instead of ${height}`;
      return { wrong: new WrongBlock(block, text), index };
    }
    if (parent !== null && block.parent !== parent) {
      const text =
        `${block.source} has a block ${height} of ${name} (${block.id}) whose parent is ${block.parent}, ` +
        `but our block ${height - 1n} is ${parent}`;
      return { wrong: new WrongBlock(block, text, before), index };
    }
    [height, parent, before] = [height + 1n, block.id, block];
  }
  return { wrong: null, index: blocks.length };
}

/** Checks that a block is the last one that is stored. @throws WrongBlock */
export function checkSame({ name, lastId }: StreamPosition, block: Block): void {
  if (block.id !== lastId)
    throw new WrongBlock(
      block,
      `${block.source} has another block ${block.height} of ${name} (${block.id}) than this database (${lastId}). If this node is right, --again ${streamOf(name)} writes it again`,
    );
}

/**
 * Compares the last of these blocks with those that other nodes have, unless the next one proves it.
 *
 * @param next the block after them, if it is there: it proves the last one if it comes from another node
 * @throws NodeError where they contradict it
 */
export async function checkLast(
  pipeline: Pick<Pipeline, 'compare'>,
  blocks: readonly Block[],
  next: Block | undefined,
  signal: AbortSignal,
): Promise<void> {
  const last = blocks.at(-1);
  if (last && (!next || next.source === last.source)) await pipeline.compare?.(last, signal);
}
