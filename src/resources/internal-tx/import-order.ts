import type { FrameChange } from './import-merge.js';

/** Frames of larger transactions are not moved: each move compares all frames between two. */
const MOST_MOVED = 10_000;

/**
 * The frames of a transaction without a known position, in the order of replies. The rows of a file give the
 * order of their frames. The lists of several addresses, which are separate files, share some frames, so that
 * together they give the order of all that matters: two frames that no list has both of may come in either
 * order.
 */
export class FrameOrder {
  /** The frames whose order the rows of this file have given. */
  private readonly said = new Set<FrameChange>();

  /** @param frames in the stored order */
  constructor(private readonly frames: FrameChange[]) {}

  /** Adds a frame, right after another one or, without, at the end. */
  add(frame: FrameChange, after: FrameChange | undefined): void {
    this.said.add(frame);
    if (after === undefined || this.frames.at(-1) === after) this.frames.push(frame);
    else this.frames.splice(this.frames.indexOf(after) + 1, 0, frame);
  }

  remove(frame: FrameChange): void {
    this.frames.splice(this.frames.indexOf(frame), 1);
  }

  /**
   * Moves a frame after another one, the last one whose order is known. With it move those behind it that
   * share a list with it, or with one that moves: their order may be known.
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
