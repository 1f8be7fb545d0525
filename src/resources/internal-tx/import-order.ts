import type { FrameChange } from './import-merge.js';

/** Frames beyond which a transaction's are not moved among each other: each move looks at all between two. */
const MOST_MOVED = 10_000;

/**
 * The frames of a transaction of which no row has said the position, in the order in which replies print them. Rows of a
 * file say it of their frames; addresses' lists, which are files of their own, share some of them, and so the lists together
 * say the order of all that matters: two frames that no list has both of may come either way.
 */
export class FrameOrder {
  /** Those that rows of this file have said the order of. */
  private readonly said = new Set<FrameChange>();

  /** @param frames in the order that is stored */
  constructor(private readonly frames: FrameChange[]) {}

  /** A new frame, right after another one or, without, at the end. */
  add(frame: FrameChange, after: FrameChange | undefined): void {
    this.said.add(frame);
    if (after === undefined || this.frames.at(-1) === after) this.frames.push(frame);
    else this.frames.splice(this.frames.indexOf(after) + 1, 0, frame);
  }

  remove(frame: FrameChange): void {
    this.frames.splice(this.frames.indexOf(frame), 1);
  }

  /**
   * Makes a frame come after another one, the last of which that was said. With it go those behind it that are in a list with
   * it, or with one that goes: their order may be known.
   */
  follow(frame: FrameChange, after: FrameChange | undefined): void {
    this.said.add(frame);
    if (after === undefined || this.frames.length > MOST_MOVED) return;
    const [from, to] = [this.frames.indexOf(frame), this.frames.indexOf(after)];
    if (from > to) return;
    const addresses = new Set(addressesOf(frame));
    const moved = [frame];
    const left: FrameChange[] = [];
    for (const each of this.frames.slice(from + 1, to)) {
      if (this.said.has(each) || !addressesOf(each).some((address) => addresses.has(address))) {
        left.push(each);
        continue;
      }
      moved.push(each);
      for (const address of addressesOf(each)) addresses.add(address);
    }
    this.frames.splice(from, to - from + 1, ...left, after, ...moved);
  }

  /** Gives each frame its position: how many come after it. */
  number(): void {
    for (const [index, { now }] of this.frames.entries()) now.position = this.frames.length - 1 - index;
  }
}

const addressesOf = ({ now: { record } }: FrameChange) => [record.from.address, record.to.address];
