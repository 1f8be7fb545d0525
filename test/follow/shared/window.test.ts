import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { NodeError } from '../../../src/follow/node/error.js';
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
