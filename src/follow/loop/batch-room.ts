/** When a batch is full: whichever comes first. */
export interface BatchRoom {
  readonly blocks: number;
  readonly bytes: number;
}

/**
 * Rows and bytes of blocks that make a good batch, and its most blocks. Larger ones are not faster, and what
 * lives as long as they do costs the garbage collector more.
 */
const BATCH_ROWS = 1000;
const BATCH_BYTES = 8 * 1024 * 1024;
const BATCH_BLOCKS = 1000;

/** What a batch may take. @param rowsPerBlock of the blocks before, about */
export function roomFor(rowsPerBlock: number): BatchRoom {
  const blocks = Math.min(BATCH_BLOCKS, Math.ceil(BATCH_ROWS / Math.max(1, rowsPerBlock)));
  return { blocks, bytes: BATCH_BYTES };
}
