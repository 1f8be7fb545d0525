import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** A source of numbers that is the same on every machine and in every run. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number, both bounds included. */
  int(min: number, max: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/**
 * xoshiro128** (Blackman and Vigna, public domain), seeded by the SHA-256 of a text. Each part of the sample
 * has a seed of its own, so that adding to one part leaves the others as they were.
 */
export function seededRandom(seed: string): Random {
  const state = new Uint32Array(sha256(utf8ToBytes(seed)).slice(0, 16).buffer);
  const next = () => {
    const [a = 0, b = 0, c = 0, d = 0] = state;
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const mixed = c ^ a;
    const turned = d ^ b;
    state[1] = b ^ mixed;
    state[0] = a ^ turned;
    state[2] = mixed ^ (b << 9);
    state[3] = rotateLeft(turned, 11);
    return result / 2 ** 32;
  };
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]) => {
      const item = items[int(0, items.length - 1)];
      if (item === undefined) throw new Error('Nothing to pick from.');
      return item;
    },
  };
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
