/** Bounds of what a pipeline reads ahead. */
export interface WindowBounds {
  /** Blocks read or being read at the beginning. */
  readonly blocks: number;
  readonly leastBlocks: number;
  readonly mostBlocks: number;
  /** Of the blocks that were read, and estimated for those that are being read. */
  readonly mostBytes: number;
  /** Blocks of one request. */
  readonly stride: number;
}

export const windowBounds: WindowBounds = {
  blocks: 256,
  leastBlocks: 64,
  mostBlocks: 4096,
  mostBytes: 16 * 1024 * 1024,
  stride: 32,
};

/** What one of several ranges of the past may read ahead: there may be eight of each of four streams. */
export const rangeBounds: WindowBounds = {
  blocks: 128,
  leastBlocks: 64,
  mostBlocks: 512,
  mostBytes: 4 * 1024 * 1024,
  stride: 32,
};
