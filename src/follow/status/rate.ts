/** Milliseconds over which a rate is taken. */
const OVER_MS = 5 * 60_000;
const MOST_SAMPLES = 600;

/** How fast a height rises, over the last five minutes. */
export class Rate {
  private readonly samples: { at: number; height: bigint }[] = [];

  /** @param at milliseconds, of any clock that only rises */
  note(height: bigint, at: number): void {
    this.samples.push({ at, height });
    while (this.samples.length > MOST_SAMPLES || (this.samples[0]?.at ?? at) < at - OVER_MS)
      this.samples.shift();
  }

  /** Blocks a second; 0 before two samples. */
  get perSecond(): number {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.at === first.at) return 0;
    return (Number(last.height - first.height) * 1000) / (last.at - first.at);
  }

  /** Seconds until so many blocks more are stored; null when nothing moves. */
  secondsFor(blocks: bigint): number | null {
    const { perSecond } = this;
    return perSecond > 0 ? Number(blocks) / perSecond : null;
  }
}
