import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bytesInWords, costInWords, rowBytes } from '../../src/follow/status/cost.js';
import { pastInWords, pastOf } from '../../src/follow/status/past-status.js';

test('the bytes of rows are those of docs/sizing.md: heap, toast and indexes', () => {
  const page = readFileSync(new URL('../../docs/sizing.md', import.meta.url), 'utf8');
  const measured = Object.keys(rowBytes).map((table) => {
    const row = page.split('\n').find((line) => line.startsWith(`| ${table} `))!;
    const [, , , heap, toast, indexes] = row.split('|').map((cell) => Number(cell.replaceAll(',', '')));
    return [table, heap! + toast! + indexes!];
  });
  expect(Object.fromEntries(measured)).toEqual(rowBytes);
});

test('what blocks cost is said in days and bytes, as far as it is known', () => {
  const year = { blocks: 26_000_000n, perSecond: 10.03, rows: { internal_tx: 25 } };
  expect(costInWords(year)).toBe('26,000,000 blocks, about 30 days at 10 blocks/s, about 596 GB');
  expect(costInWords({ ...year, perSecond: null })).toBe('26,000,000 blocks, about 596 GB');
  expect(costInWords({ ...year, perSecond: 0.3, rows: null })).toBe(
    '26,000,000 blocks, about 1,003 days at 0.30 blocks/s',
  );
  expect(costInWords({ blocks: 1n, perSecond: 2, rows: {} })).toBe(
    '1 block, about 1 s at 2.0 blocks/s, about 0 bytes',
  );
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1500, '1.5 KB'],
  [2_540_000_000_000, '2.5 TB'],
])('%d bytes are %s', (bytes, words) => expect(bytesInWords(bytes)).toBe(words));

const stream = {
  pastGoal: 1000n,
  firstHeight: 5000n,
  nextHeight: 5100n,
  counters: { internal_tx: 300 },
  pastBlocksPerHour: 36_000n,
};
const range = (first: bigint, next: bigint, note: string | null = null) => ({
  firstHeight: first,
  nextHeight: next,
  endHeight: first + 100n,
  note,
  counters: { internal_tx: 100 },
});

test('what is left of the past are the blocks down to the goal, without those of ranges', () => {
  const past = pastOf(stream, [range(4800n, 4850n, 'it is away'), range(4900n, 4950n), range(200n, 250n)])!;
  expect(past).toMatchObject({ goal: 1000n, left: 3900n, perSecond: 10, rows: { internal_tx: 2.5 } });
  expect(past.ranges.map(({ first }) => first)).toEqual([4900n, 4800n]);
  expect(pastInWords(past)).toBe(
    'of the past down to block 1,000 are missing 3,900 blocks, about 7 min at 10 blocks/s, about 8.9 MB; ' +
      '2 ranges are read, the newest has 50 of 100 blocks from 4,900 on; that from 4,800 on waits: it is away',
  );
});

test('nothing is left where nothing of the past is wanted, or all of it is stored', () => {
  expect(pastOf({ ...stream, pastGoal: null }, [])).toBeNull();
  expect(pastOf({ ...stream, pastGoal: 5000n }, [])).toBeNull();
});
