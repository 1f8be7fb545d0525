/** Lets so many pieces of work run at a time; others wait their turn. */
export class Gate {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(places: number) {
    this.free = places;
  }

  /**
   * Runs `work` when there is a place.
   *
   * @param deadline milliseconds since 1970 after which waiting is given up
   * @param tooLate makes what is thrown then
   */
  async pass<T>(deadline: number, tooLate: () => Error, work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.turn(deadline, tooLate);
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }

  private turn(deadline: number, tooLate: () => Error): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(
        () => {
          this.waiting.splice(this.waiting.indexOf(enter), 1);
          reject(tooLate());
        },
        Math.max(0, deadline - Date.now()),
      );
      this.waiting.push(enter);
    });
  }
}
