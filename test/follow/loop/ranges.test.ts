import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inOrderOf, openRanges, rangeBlocks, type BegunRange } from '../../../src/follow/loop/range-plan.js';
import { shareOf } from '../../../src/follow/loop/range-lanes.js';

/** A range as a simulation has it. */
interface Simulated extends BegunRange {
  next: bigint;
}

/** A database with blocks of the past, and lanes that read it: each may die at any step. */
class World {
  first: bigint;
  readonly ranges: Simulated[] = [];
  /** Which range each lane has. */
  readonly held = new Map<number, Simulated>();
  /** How often each block was stored. */
  readonly stored = new Map<bigint, number>();

  constructor(
    readonly goal: bigint,
    end: bigint,
    readonly lanes: number,
  ) {
    this.first = end;
  }

  get open() {
    return openRanges({ first: this.goal, end: this.first }, this.ranges, this.lanes);
  }

  /** The lane takes the first range that no other one has. */
  take(lane: number): Simulated | undefined {
    const isHeld = (first: bigint) => [...this.held.values()].some((each) => each.first === first);
    const found = inOrderOf(lane, this.open).find(({ first }) => !isHeld(first));
    if (!found) return undefined;
    const known = this.ranges.find(({ first }) => first === found.first);
    expect(known !== undefined).toBe(found.isBegun);
    const range = known ?? { first: found.first, next: found.first, end: found.end };
    if (!known) {
      for (const other of this.ranges)
        expect(other.first >= range.end || other.end <= range.first).toBe(true);
      this.ranges.push(range);
    }
    this.held.set(lane, range);
    return range;
  }

  read(lane: number, blocks: bigint): void {
    const range = this.held.get(lane) ?? this.take(lane);
    if (!range) return;
    const to = range.next + blocks < range.end ? range.next + blocks : range.end;
    for (let height = range.next; height < to; height += 1n)
      this.stored.set(height, (this.stored.get(height) ?? 0) + 1);
    range.next = to;
    if (range.next === range.end) this.held.delete(lane);
  }

  join(): void {
    for (;;) {
      const index = this.ranges.findIndex(({ next, end }) => next === end && end === this.first);
      if (index < 0) return;
      this.first = this.ranges[index]!.first;
      this.ranges.splice(index, 1);
    }
  }
}

const worlds = fc.record({
  goal: fc.bigInt(0n, 3000n),
  blocks: fc.bigInt(0n, 4000n),
  lanes: fc.integer({ min: 1, max: 9 }),
  steps: fc.array(
    fc.record({ lane: fc.nat(8), blocks: fc.bigInt(0n, 300n), dies: fc.boolean(), joins: fc.boolean() }),
    { maxLength: 200 },
  ),
});

test('however many ranges are read, in whatever order, and whoever dies: each block is stored once', () => {
  fc.assert(
    fc.property(worlds, ({ goal, blocks, lanes, steps }) => {
      const world = new World(goal, goal + blocks, lanes);
      for (const { lane, blocks: read, dies, joins } of steps) {
        world.read(lane % lanes, read);
        if (dies) world.held.delete(lane % lanes);
        if (joins) world.join();
        // What is stored below a range that nobody reads is bounded.
        expect(world.ranges.length).toBeLessThanOrEqual(lanes * 4 + 8 * lanes);
      }
      for (let turn = 0; world.first > goal; turn += 1) {
        world.read(turn % lanes, 1000n);
        world.join();
        expect(turn).toBeLessThan(10_000);
      }
      expect(world.ranges).toEqual([]);
      expect(world.stored.size).toBe(Number(blocks));
      expect([...world.stored.values()].every((times) => times === 1)).toBe(true);
    }),
  );
});

test('one lane reads the newest range first, and begins none before it is whole', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 20_000n), fc.bigInt(0n, 500n), (blocks, read) => {
      const world = new World(0n, blocks, 1);
      while (world.first > 0n) {
        const range = world.take(0)!;
        expect(range.end).toBe(world.first);
        while (range.next < range.end) world.read(0, read + 1n);
        world.join();
      }
    }),
  );
});

test('no open range overlaps another one, each missing block near the top is in one, and none is below the goal', () => {
  const begun = fc.array(
    fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 5 }), fc.double({ min: 0, max: 1, noNaN: true })),
    {
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(begun, fc.integer({ min: 1, max: 8 }), fc.bigInt(0n, 500n), (given, lanes, goal) => {
      const end = 2000n;
      const ranges: BegunRange[] = [];
      for (const [at, size, part] of given) {
        const [first, last] = [BigInt(at * 32), BigInt((at + size) * 32)];
        const next = first + BigInt(Math.floor(part * size * 32));
        if (last <= end && ranges.every((each) => each.first >= last || each.end <= first))
          ranges.push({ first, next, end: last });
      }
      const open = openRanges({ first: goal, end }, ranges, lanes);
      const size = rangeBlocks(end - goal, lanes);
      const lowest = end - size * BigInt(lanes) * 4n;
      for (let height = goal; height < end; height += 1n) {
        const inOpen = open.filter(({ first, end: last }) => height >= first && height < last).length;
        const known = ranges.find(({ first, end: last }) => height >= first && height < last);
        const isWhole = known !== undefined && known.next === known.end;
        const isFar =
          height < lowest && !known && ranges.every((each) => each.end <= goal || each.first > height);
        expect([height, inOpen]).toEqual([height, isWhole || (isFar && inOpen === 0) ? 0 : 1]);
      }
      expect(open.map(({ first }) => first)).toEqual(
        open.map(({ first }) => first).sort((a, b) => Number(b - a)),
      );
      expect(open.every((each) => each.isBegun || each.first >= goal)).toBe(true);
    }),
  );
});

test('ranges have a power of two of blocks, from 32 to 4,096, and fewer where less is missing', () => {
  expect([0n, 100n, 1024n, 20_000n, 26_000_000n].map((missing) => rangeBlocks(missing, 8))).toEqual([
    32n,
    32n,
    32n,
    512n,
    4096n,
  ]);
});

test('streams of one chain cut their past alike, wherever each of them is', () => {
  const cutsOf = (end: bigint) =>
    new Set(openRanges({ first: 0n, end }, [], 2).map(({ first, lane }) => `${first} ${lane}`));
  const [one, other] = [cutsOf(1_000_000n), cutsOf(999_000n)];
  expect([...other].filter((cut) => one.has(cut)).length).toBeGreaterThan(4);
});

test('processes share all lanes, each lane has one of them', () => {
  const shares = [0, 1, 2].map((process) => shareOf(process, 3, 8));
  expect(shares.flatMap(({ own }) => own).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(shares.map(({ own }) => own.length)).toEqual([3, 3, 2]);
});
