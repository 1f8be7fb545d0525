import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NodeError } from '../../../src/follow/node/error.js';
import { EitherWindow } from '../../../src/follow/shared/either-window.js';
import { SharedWindow, sharedBounds } from '../../../src/follow/shared/window.js';

const never = new AbortController().signal;
const bounds = { ...sharedBounds, mostWaitMs: 20 };

interface Item {
  readonly height: bigint;
  readonly size: number;
}

/** A chain that counts how often each block was read. */
function countedChain(head: bigint, more: { fail?: (from: bigint) => boolean; size?: number } = {}) {
  const reads: bigint[] = [];
  const readSpan = async (from: bigint, count: number, signal: AbortSignal): Promise<Item[]> => {
    await sleep(1, undefined, { signal });
    if (more.fail?.(from)) throw new NodeError('wait', 'wrong', 'it failed', null);
    const end = from + BigInt(count);
    const items: Item[] = [];
    for (let height = from; height < end && height <= head; height += 1n) {
      reads.push(height);
      items.push({ height, size: more.size ?? 100 });
    }
    if (items.length === 0) throw new NodeError('elsewhere', 'not-found', 'it is not there', null);
    return items;
  };
  return { readSpan, timesOf: (height: bigint) => reads.filter((each) => each === height).length };
}

const heights = (items: readonly Item[]) => items.map(({ height }) => height);
const rangeOf = (from: bigint, count: number) =>
  Array.from({ length: count }, (_, index) => from + BigInt(index));

/** Reads upward or downward in steps. */
async function walk(
  window: SharedWindow<Item>,
  reader: object,
  from: bigint,
  to: bigint,
  { step = 10n, pauseMs = 0 } = {},
): Promise<void> {
  const isUp = to > from;
  for (let next = from; isUp ? next < to : next > to; next += isUp ? step : -step) {
    const low = isUp ? next : next - step;
    expect(heights(await window.read(reader, low, Number(step), never))).toEqual(rangeOf(low, Number(step)));
    if (pauseMs > 0) await sleep(pauseMs);
  }
}

test.each(['upward', 'downward'])('readers at the same place read each block once, %s', async (way) => {
  const { readSpan, timesOf } = countedChain(1000n);
  const window = new SharedWindow<Item>(readSpan, bounds);
  const [from, to] = way === 'upward' ? [0n, 600n] : [600n, 0n];
  await Promise.all([{}, {}, {}].map((reader) => walk(window, reader, from, to)));
  for (let height = 100n; height < 500n; height += 1n) expect(timesOf(height)).toBe(1);
  expect(window.figures).toEqual({ blocks: 0, bytes: 0 });
});

test('what is kept is bounded, one that does not go on is left behind, and catches up', async () => {
  const { readSpan, timesOf } = countedChain(3000n, { size: 1000 });
  const window = new SharedWindow<Item>(readSpan, { ...bounds, bytes: 50_000 });
  const [fast, slow] = [{}, {}];
  await Promise.all([walk(window, fast, 0n, 100n), walk(window, slow, 0n, 100n)]);
  await walk(window, fast, 100n, 1000n);
  expect(window.figures.bytes).toBeLessThanOrEqual(60_000);
  await walk(window, slow, 100n, 1000n);
  expect(timesOf(500n)).toBe(2);
  await Promise.all([walk(window, fast, 1000n, 1500n), walk(window, slow, 1000n, 1500n)]);
  for (let height = 1100n; height < 1500n; height += 1n) expect(timesOf(height)).toBe(1);
});

test('one that is a little slower is waited for', async () => {
  const { readSpan, timesOf } = countedChain(3000n, { size: 1000 });
  const window = new SharedWindow<Item>(readSpan, { ...bounds, mostWaitMs: 60_000, bytes: 50_000 });
  const readers = [{}, {}];
  await Promise.all([
    walk(window, readers[0]!, 0n, 600n),
    walk(window, readers[1]!, 0n, 600n, { pauseMs: 5 }),
  ]);
  for (let height = 100n; height < 600n; height += 1n) expect(timesOf(height)).toBe(1);
});

test('one that still has blocks to write waits for a slow one, as long as it takes', async () => {
  const readTwice = async (isIdle: boolean) => {
    const { readSpan, timesOf } = countedChain(3000n, { size: 1000 });
    const window = new SharedWindow<Item>(readSpan, { ...bounds, bytes: 50_000 });
    const [fast, slow] = [{}, {}];
    await Promise.all([walk(window, fast, 0n, 100n), walk(window, slow, 0n, 100n)]);
    window.setIdle(fast, isIdle);
    await Promise.all([walk(window, fast, 100n, 300n), walk(window, slow, 100n, 300n, { pauseMs: 30 })]);
    return rangeOf(100n, 200).filter((height) => timesOf(height) > 1);
  };
  expect(await readTwice(false)).toEqual([]);
  expect(await readTwice(true)).not.toEqual([]);
});

test('readers that ask for many ranges ahead read each block once, although a slow one holds them up', async () => {
  const { readSpan, timesOf } = countedChain(3000n, { size: 1000 });
  const window = new SharedWindow<Item>(readSpan, { ...bounds, mostWaitMs: 60_000, bytes: 50_000 });
  const [slow, ...fast] = [{}, {}, {}];
  const all = [slow, ...fast];
  // Where each goes on is known from its second range on.
  await Promise.all(all.map((reader) => walk(window, reader, 0n, 100n)));
  const ahead = async (reader: object) => {
    const starts = Array.from({ length: 50 }, (_, index) => BigInt(100 + index * 10));
    const ranges = starts.map((from) => window.read(reader, from, 10, never));
    for (const [index, range] of ranges.entries())
      expect(heights(await range)).toEqual(rangeOf(starts[index]!, 10));
  };
  await Promise.all([...fast.map(ahead), walk(window, slow, 100n, 600n, { pauseMs: 2 })]);
  for (let height = 100n; height < 600n; height += 1n) expect(timesOf(height)).toBe(1);
  expect(window.figures).toEqual({ blocks: 0, bytes: 0 });
});

/** Reads upward next to others; gives the heights at which it should read otherwise. */
async function walkBeside(window: SharedWindow<Item>, to: bigint, except: Set<object>): Promise<bigint[]> {
  const [reader, alone] = [{}, [] as bigint[]];
  except.add(reader);
  for (let next = 0n; next < to; next += 10n) {
    const found = await window.readBeside(reader, next, 10, never, except);
    if (found) expect(heights(found)).toEqual(rangeOf(next, 10));
    else alone.push(next);
    // As long as it takes otherwise.
    await sleep(1);
  }
  return alone;
}

test('one that can read otherwise goes with the others, also where they are slower', async () => {
  const { readSpan, timesOf } = countedChain(3000n, { size: 1000 });
  const window = new SharedWindow<Item>(readSpan, { ...bounds, mostWaitMs: 60_000, bytes: 50_000 });
  const others = [walk(window, {}, 0n, 600n, { pauseMs: 2 }), walk(window, {}, 0n, 600n, { pauseMs: 3 })];
  const alone = await walkBeside(window, 600n, new Set());
  await Promise.all(others);
  // Where the others go is known from their second range on.
  expect(alone.filter((height) => height >= 50n)).toEqual([]);
  for (let height = 100n; height < 600n; height += 1n) expect(timesOf(height)).toBe(1);
});

test('it reads otherwise where none of the others is near, and where they do not come in time', async () => {
  const { readSpan, timesOf } = countedChain(3000n, { size: 1000 });
  const window = new SharedWindow<Item>(readSpan, { ...bounds, bytes: 50_000 });
  const except = new Set<object>();
  const both = await Promise.all([walkBeside(window, 100n, except), walkBeside(window, 100n, except)]);
  expect(both.map((alone) => alone.length)).toEqual([10, 10]);
  expect(timesOf(50n)).toBe(0);
  // One that stops at 100.
  const [, alone] = await Promise.all([walk(window, {}, 0n, 100n), walkBeside(window, 600n, except)]);
  expect(alone).toContain(400n);
  expect(window.figures.blocks).toBeLessThanOrEqual(60);
});

test('what fails or is given up for one reader is read again for the others', async () => {
  let failures = 1;
  const { readSpan, timesOf } = countedChain(100n, { fail: (from) => from === 10n && failures-- > 0 });
  const window = new SharedWindow<Item>(readSpan, bounds);
  const [one, other] = [{}, {}];
  await expect(window.read(one, 10n, 10, never)).rejects.toThrow('it failed');
  expect(heights(await window.read(other, 10n, 10, never))).toEqual(rangeOf(10n, 10));
  const closing = new AbortController();
  const given = window.read(one, 20n, 10, closing.signal);
  const joined = window.read(other, 20n, 10, never);
  closing.abort(new Error('it is closed'));
  await expect(given).rejects.toThrow('it is closed');
  expect(heights(await joined)).toEqual(rangeOf(20n, 10));
  expect(timesOf(25n)).toBe(1);
});

test('who asks for a block again gets another answer, and so do the others after it was found to be wrong', async () => {
  const { readSpan, timesOf } = countedChain(100n);
  const window = new SharedWindow<Item>(readSpan, bounds);
  const [one, other] = [{}, {}];
  await Promise.all([walk(window, one, 0n, 40n), walk(window, other, 0n, 40n)]);
  await window.read(one, 40n, 10, never);
  await window.read(one, 40n, 10, never);
  expect(timesOf(45n)).toBe(2);
  window.clear();
  await window.read(other, 40n, 10, never);
  expect(timesOf(45n)).toBe(3);
});

test('at the end of the chain there are fewer, and each asks for what is not there', async () => {
  const { readSpan } = countedChain(25n);
  const window = new SharedWindow<Item>(readSpan, bounds);
  const [one, other] = [{}, {}];
  const [found, same] = await Promise.all([
    window.read(one, 20n, 10, never),
    window.read(other, 20n, 10, never),
  ]);
  expect([heights(found), heights(same)]).toEqual([rangeOf(20n, 6), rangeOf(20n, 6)]);
  await expect(window.read(one, 26n, 10, never)).rejects.toThrow('it is not there');
});

/** Reads heads as far as a height, with what others read where they are at the same place. */
async function walkHeads(window: EitherWindow<Item, Item>, reader: object, from: bigint, to: bigint) {
  for (let next = from; next < to; next += 10n)
    expect(heights(await window.headsFor(reader, next, 10, never))).toEqual(rangeOf(next, 10));
}

test('one that read heads alone and goes on with others is not waited for among heads', async () => {
  const [whole, alone] = [countedChain(3000n), countedChain(3000n)];
  const patient = { ...sharedBounds, mostWaitMs: 3_600_000 };
  const window = new EitherWindow<Item, Item>(whole.readSpan, alone.readSpan, patient);
  const first = {};
  await walkHeads(window, first, 0n, 100n);
  const others = (async () => {
    for (let next = 100n; next < 800n; next += 10n) await window.wholeFor(whole, next, 10, never);
  })();
  await Promise.all([others, walkHeads(window, first, 100n, 800n)]);
  expect(alone.timesOf(500n)).toBe(0);
  // It would be kept for the first one from 100 on, and there is no room for so much.
  await walkHeads(window, {}, 0n, 700n);
  expect(alone.timesOf(50n)).toBe(2);
});

test('one that failed while it wrote, and begins again, waits for a stopped one no longer than others do', async () => {
  const { readSpan } = countedChain(100n);
  const window = new EitherWindow<Item, Item>(readSpan, readSpan, { ...bounds, blocks: 20 });
  const [stopped, failed] = [{}, {}];
  for (const from of [0n, 10n]) await window.wholeFor(stopped, from, 10, never);
  for (const from of [0n, 10n, 20n, 30n]) await window.wholeFor(failed, from, 10, never);
  window.setIdle(failed, false);
  window.leave(failed);
  const read = window.wholeFor(failed, 40n, 10, AbortSignal.timeout(10_000));
  expect(heights(await read)).toEqual(rangeOf(40n, 10));
});

test('however fast each is, whatever it reads and how far ahead, all get there, and none waits for ever', async () => {
  const reader = fc.record({
    ofHeads: fc.boolean(),
    start: fc.integer({ min: 0, max: 12 }),
    ahead: fc.integer({ min: 1, max: 12 }),
    pauseMs: fc.integer({ min: 0, max: 2 }),
    isIdle: fc.boolean(),
  });
  const all = fc.asyncProperty(fc.array(reader, { minLength: 2, maxLength: 5 }), async (readers) => {
    const [whole, alone] = [countedChain(3000n), countedChain(3000n)];
    const patient = { blocks: 40, bytes: 5000, mostWaitMs: 3_600_000 };
    const window = new EitherWindow<Item, Item>(whole.readSpan, alone.readSpan, patient);
    await Promise.all(
      readers.map(async (each) => {
        window.setIdle(each, each.isIdle);
        const asked: Promise<readonly Item[]>[] = [];
        const ask = (index: number) =>
          each.ofHeads
            ? window.headsFor(each, BigInt(index * 10), 10, never)
            : window.wholeFor(each, BigInt(index * 10), 10, never);
        let next = each.start;
        for (let index = each.start; index < 30; index += 1) {
          while (next < Math.min(30, index + each.ahead)) asked.push(ask(next++));
          expect(heights((await asked.shift())!)).toEqual(rangeOf(BigInt(index * 10), 10));
          await sleep(each.pauseMs);
        }
        window.leave(each);
      }),
    );
  });
  await fc.assert(all, { numRuns: 30, timeout: 5000 });
});
