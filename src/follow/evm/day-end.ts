import { DAY_SECONDS, dayOf } from '../../avalanche/seconds.js';
import { firstSince } from './block-times.js';
import type { ProvedHead } from './proved-head.js';

/** A block and its time, Unix seconds. */
export type Timed = Pick<ProvedHead, 'height' | 'time'>;

/** A day as rows have it. @param day counted from 1970 (UTC) */
export const dateOf = (day: number) => new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10);

/** Finds the last blocks of days (UTC). */
export class DayEnds {
  /** The last one that was found of a day that is over. */
  private known: { readonly day: number; readonly height: bigint } | null = null;
  /** The newest block, when it was asked for last. */
  private newest: Timed | null = null;

  /** @param timeOf the time of a block, Unix seconds */
  constructor(private readonly timeOf: (height: bigint, signal: AbortSignal) => Promise<number>) {}

  /**
   * The height of the last block of a block's day; the head while the day is not over.
   *
   * @param block one of the day
   * @param head the newest height
   * @throws what `timeOf` throws
   */
  async after({ height, time }: Timed, head: bigint, signal: AbortSignal): Promise<bigint> {
    const day = dayOf(time);
    if (this.known?.day === day) return this.known.height;
    if (height >= head) return height;
    if (this.newest?.height !== head) this.newest = { height: head, time: await this.timeOf(head, signal) };
    if (dayOf(this.newest.time) === day) return head;
    const timeOf = (each: bigint) => this.timeOf(each, signal);
    const within = (await firstSince(timeOf, (day + 1) * DAY_SECONDS, height + 1n, head)) - 1n;
    this.known = { day, height: within };
    return within;
  }

  forget(): void {
    this.known = null;
    this.newest = null;
  }
}
