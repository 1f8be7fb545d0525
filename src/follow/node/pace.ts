/** Calls at a time of an endpoint that has not answered yet. */
const FIRST = 4;

/**
 * How many calls an endpoint gets at a time: one more after as many good answers as are allowed at a time,
 * half as many when it has too much to do.
 */
export class Pace {
  private limit: number;
  private active = 0;
  private good = 0;
  /** The number of halvings: of calls that run at the same time, only the first failure halves it. */
  private era = 0;
  /** Called whenever a call ends, whoever started it: there may be room for one that waits. */
  freed: () => void = () => undefined;

  /** @param most calls at a time, at most */
  constructor(private readonly most: number) {
    this.limit = Math.min(FIRST, most);
  }

  get allowed(): number {
    return this.limit;
  }

  get running(): number {
    return this.active;
  }

  /** How many more may start; negative after a halving. */
  get room(): number {
    return this.limit - this.active;
  }

  /** A call starts. @returns called once at its end */
  start(): (end: 'good' | 'slow' | 'other') => void {
    this.active += 1;
    const { era } = this;
    // An endpoint that has little to do shows nothing about how much it could do.
    const full = this.active * 2 > this.limit;
    return (end) => {
      this.active -= 1;
      if (end === 'good' && full) this.grow();
      if (end === 'slow' && era === this.era) this.halve();
      this.freed();
    };
  }

  private grow(): void {
    this.good += 1;
    if (this.good < this.limit) return;
    this.limit = Math.min(this.most, this.limit + 1);
    this.good = 0;
  }

  private halve(): void {
    this.limit = Math.max(1, Math.floor(this.limit / 2));
    this.good = 0;
    this.era += 1;
  }
}
