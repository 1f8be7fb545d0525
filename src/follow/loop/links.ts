import { WrongBlock } from '../errors.js';
import { streamOf, type Block, type Pipeline } from '../pipeline.js';
import type { Watermark } from '../watermark.js';

type StreamPosition = Pick<Watermark, 'name' | 'next' | 'lastId'>;

/**
 * Checks that blocks follow each other and the last one that is stored. The first block of a pipeline that
 * begins in the middle of its chain may have any parent.
 *
 * @throws WrongBlock
 */
export function checkLinks({ name, next, lastId }: StreamPosition, blocks: readonly Block[]): void {
  let [height, parent] = [next, lastId];
  let before: Block | null = null;
  for (const block of blocks) {
    if (block.height !== height)
      throw new WrongBlock(
        block,
        `${block.source} gave block ${block.height} of ${name} instead of ${height}`,
      );
    if (parent !== null && block.parent !== parent)
      throw new WrongBlock(
        block,
        `${block.source} has a block ${height} of ${name} (${block.id}) whose parent is ${block.parent}, ` +
          `but our block ${height - 1n} is ${parent}`,
        before,
      );
    [height, parent, before] = [height + 1n, block.id, block];
  }
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
