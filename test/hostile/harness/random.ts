/**
 * A stream of choices that is the same for the same seed and index, so that one input can be made again
 * alone.
 */
export class Random {
  #state: number;

  constructor(seed: number, index = 0) {
    // Neighbouring indexes have to begin far apart: both are mixed before the first number is drawn.
    this.#state = mix(mix(seed | 0) ^ Math.imul(index + 1, 0x9e3779b1));
  }

  /** 0 inclusive to 1 exclusive. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    return (mix(this.#state) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends inclusive. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('there is nothing to pick from');
    return list[this.whole(0, list.length - 1)] as T;
  }

  /** One of several, the larger its weight the more often. */
  weighted<T>(list: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.next() * list.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of list) {
      left -= weight;
      if (left < 0) return value;
    }
    return (list.at(-1) as readonly [number, T])[1];
  }

  /** Some of a list, in its order. */
  some<T>(list: readonly T[], probability: number): T[] {
    return list.filter(() => this.chance(probability));
  }

  /** A text of these characters. */
  text(characters: string, length: number): string {
    return Array.from({ length }, () => characters[this.whole(0, characters.length - 1)]).join('');
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.whole(0, 255)));
  }
}

function mix(number: number): number {
  let x = number | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
