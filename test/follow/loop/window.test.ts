import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Block } from '../../../src/follow/pipeline.js';
import { MissingBlocks } from '../../../src/follow/errors.js';
import { windowBounds } from '../../../src/follow/loop/window-bounds.js';
import { BlockWindow } from '../../../src/follow/loop/window.js';

const never = new AbortController().signal;

function blockAt(height: bigint, size = 100, mayEndBatch = true): Block {
  return { height, id: `id ${height}`, parent: '', size, time: null, mayEndBatch, source: 'node' };
}

const rangeOf = (from: bigint, count: number, make = blockAt) =>
  Array.from({ length: count }, (_, index) => make(from + BigInt(index)));

test('blocks come in order, each once, in batches that may end there, and no more are kept than bounds say', async () => {
  const chains = fc.record({
    sizes: fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 200 }),
    proposals: fc.array(fc.boolean(), { minLength: 1, maxLength: 200 }),
    stride: fc.integer({ min: 1, max: 20 }),
    mostBlocks: fc.integer({ min: 20, max: 60 }),
    room: fc.record({ blocks: fc.integer({ min: 1, max: 50 }), bytes: fc.integer({ min: 1, max: 50_000 }) }),
    slow: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(chains, async ({ sizes, proposals, stride, mostBlocks, room, slow }) => {
      const last = BigInt(sizes.length - 1);
      const make = (height: bigint) => {
        const index = Number(height);
        const isProposal = proposals[index % proposals.length] === true && height !== last;
        return blockAt(height, sizes[index], !isProposal);
      };
      const bounds = { ...windowBounds, blocks: 20, leastBlocks: 20, mostBlocks, stride, mostBytes: 100_000 };
      const fetch = async (from: bigint, count: number) => {
        if (slow) await sleep(0);
        return rangeOf(from, count, make);
      };
      const window = new BlockWindow<Block>(fetch, 0n, bounds);
      window.goal = last;
      const got: Block[] = [];
      while (got.length < sizes.length) {
        const batch = await window.take(room, never);
        expect(batch.at(-1)?.mayEndBatch).toBe(true);
        // Only blocks without which it could not end go beyond the room.
        const ends = batch.slice(0, -1).filter(({ mayEndBatch }) => mayEndBatch).length;
        if (ends > 0) expect(batch.length).toBeLessThanOrEqual(room.blocks);
        got.push(...batch);
        const { blocks, awaited } = window.figures;
        expect(blocks + awaited).toBeLessThanOrEqual(mostBlocks + stride);
      }
      expect(got).toEqual(rangeOf(0n, sizes.length, make));
      expect(await window.take(room, never)).toEqual([]);
      expect(window.figures).toEqual({ blocks: 0, bytes: 0, awaited: 0 });
    }),
    { numRuns: 200 },
  );
});

test('blocks of any size take no more than the bytes that they may', async () => {
  const mostBytes = 1_000_000;
  let held = 0;
  let most = 0;
  const fetch = async (from: bigint, count: number) => {
    await sleep(0);
    held += count * 10_000;
    most = Math.max(most, held);
    return rangeOf(from, count, (height) => blockAt(height, 10_000));
  };
  const window = new BlockWindow<Block>(fetch, 0n, { ...windowBounds, mostBytes });
  window.goal = 2999n;
  for (let got = 0; got < 3000;) {
    const blocks = await window.take({ blocks: 7, bytes: mostBytes }, never);
    got += blocks.length;
    held -= blocks.length * 10_000;
  }
  // The first ranges are asked for before a size is known.
  expect(most).toBeLessThanOrEqual(mostBytes + windowBounds.blocks * 10_000);
});

test('what is read ahead grows while the reader waits, and shrinks while it lies around', async () => {
  const sizes: number[] = [];
  const fetch = async (from: bigint, count: number) => {
    await sleep(1);
    return rangeOf(from, count);
  };
  const window = new BlockWindow<Block>(fetch, 0n);
  window.goal = 1_000_000n;
  for (let round = 0; round < 8; round += 1) {
    await window.take({ blocks: 10_000, bytes: 1e9 }, never);
    sizes.push(window.figures.blocks + window.figures.awaited);
  }
  const grown = sizes.at(-1)!;
  expect(grown).toBeGreaterThan(windowBounds.blocks);
  for (let round = 0; round < 300; round += 1) {
    await window.take({ blocks: 1, bytes: 1e9 }, never);
    await sleep(1);
  }
  expect(window.figures.blocks).toBeLessThan(grown);
  window.close();
});

test('an error comes after the blocks before it, but the last one, which nothing proves', async () => {
  const fetch = (from: bigint, count: number) =>
    from >= 64n ? Promise.reject(new Error('gone')) : Promise.resolve(rangeOf(from, count));
  const window = new BlockWindow<Block>(fetch, 0n);
  window.goal = 999n;
  let got = 0;
  const reading = async () => {
    for (;;) got += (await window.take({ blocks: 10, bytes: 1e9 }, never)).length;
  };
  await expect(reading()).rejects.toThrow('gone');
  expect(got).toBe(63);
});

test('blocks that a node does not give are an error, after those that it gave, but the last one', async () => {
  const window = new BlockWindow<Block>(
    (from, count) => Promise.resolve(rangeOf(from, Math.min(count, 5))),
    0n,
  );
  window.goal = 999n;
  expect(await window.take({ blocks: 100, bytes: 1e9 }, never)).toHaveLength(4);
  await expect(window.take({ blocks: 100, bytes: 1e9 }, never)).rejects.toThrow(MissingBlocks);
});

test('waiting ends with the signal', async () => {
  const control = new AbortController();
  const window = new BlockWindow<Block>(() => new Promise(() => undefined), 0n);
  window.goal = 9n;
  const taken = window.take({ blocks: 1, bytes: 1 }, control.signal);
  control.abort(new Error('stopped'));
  await expect(taken).rejects.toThrow('stopped');
});
