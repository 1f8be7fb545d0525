import type { HeadChain } from './status.js';

/** Milliseconds after which a height is believed that only half of the endpoints have. */
const LONE_MS = 60_000;
/** Blocks that an endpoint may be behind another one because heads are asked one after the other. */
export const HEAD_SLACK = 3n;

/** The height that is believed. */
export interface BelievedHead {
  readonly height: bigint;
  /** Whether no endpoint may have a much higher one. */
  readonly isSettled: boolean;
}

/**
 * Which of the heads that endpoints name is believed: the highest one that more than half of them have, so
 * that no block is stored because one of them says so. Where only half of them have a higher one, as one of
 * two, the others may have stopped: it is believed after a minute in which they did not get there.
 */
export class BelievedHeads {
  /** Since when only half of the endpoints have more, and what the others had last. */
  private readonly lone = new Map<HeadChain, { readonly height: bigint; readonly since: number }>();

  constructor(private readonly loneMs = LONE_MS) {}

  /** @param heads one for each endpoint that answered; at least one */
  of(chain: HeadChain, heads: readonly bigint[]): BelievedHead {
    const sorted = [...heads].sort((one, other) => (one > other ? -1 : 1));
    const most = sorted[Math.floor(heads.length / 2)]!;
    const half = sorted[Math.ceil(heads.length / 2) - 1]!;
    const known = this.lone.get(chain);
    if (half === most) {
      this.lone.delete(chain);
      return { height: most, isSettled: true };
    }
    const isClose = half - most <= HEAD_SLACK;
    // One that follows closely has not stopped.
    const follows = known !== undefined && isClose && most > known.height;
    const since = known && !follows ? known.since : performance.now();
    this.lone.set(chain, { height: most, since });
    const isBelieved = performance.now() - since >= this.loneMs;
    return { height: isBelieved ? half : most, isSettled: isBelieved || isClose };
  }
}
