/** Numbers that look random and follow from a seed (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** 0 ≤ n < 1 */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(part: number): boolean {
    return this.next() < part;
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** Some of the items, at least one. */
  some<T>(items: readonly T[], most: number): T[] {
    return Array.from({ length: 1 + this.below(most) }, () => this.one(items));
  }
}
