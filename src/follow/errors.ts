import type { Block } from './pipeline.js';

/** A node cannot be followed into this database. The message is for people and says the way out. */
export class FollowError extends Error {}

/** A pipeline cannot continue before the operator acts. The message is for people. */
export class PipelineStopped extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PipelineStopped';
  }
}

/** A block cannot follow what is stored: its endpoint is on another chain, or broken. */
export class WrongBlock extends Error {
  /** @param before the block before it, where that one is not stored: it may be the wrong one of both */
  constructor(
    readonly block: Pick<Block, 'height' | 'id' | 'source'>,
    message: string,
    readonly before: Pick<Block, 'source'> | null = null,
  ) {
    super(message);
    this.name = 'WrongBlock';
  }
}

/** A node gave fewer blocks than it said it had. */
export class MissingBlocks extends Error {
  /** @param said what a node said instead, for people */
  constructor(
    readonly height: bigint,
    said?: string,
  ) {
    const why = said === undefined ? '' : `: ${said}`;
    super(`no node has given block ${height}, although one of them has a newer one${why}`);
    this.name = 'MissingBlocks';
  }
}

/** Another follower has moved the watermark: nothing of the batch was written. */
export class Outrun extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Outrun';
  }
}
