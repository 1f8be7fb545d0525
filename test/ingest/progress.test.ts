import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showProgress } from '../../src/ingest/progress.js';

const ROWS = 100;
const BYTES = 4000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** What work of 100 rows of 40 bytes shows that takes as many milliseconds for each. */
function shownOf(milliseconds: number, { isTTY, done }: { isTTY: boolean; done?: string }): string {
  const output = Object.assign(new PassThrough(), { isTTY, columns: 120, fd: 2 });
  const progress = showProgress(output as unknown as NodeJS.WriteStream, BYTES, done);
  for (let row = 1; row <= ROWS; row += 1) {
    vi.advanceTimersByTime(milliseconds);
    progress.advance(row * (BYTES / ROWS), row);
    if (row === ROWS / 2) progress.print('line 50 is not as it should be');
  }
  progress.stop();
  return String(output.read() ?? '');
}

test('where it goes to a file or a pipe, an import shows a plain line each five seconds', () => {
  // 23 s: after 22, 44, 66 and 88 rows.
  expect(shownOf(230, { isTTY: false })).toBe(
    [
      '22 % read, 22 rows, 4 rows/s',
      '44 % read, 44 rows, 4 rows/s',
      'line 50 is not as it should be',
      '66 % read, 66 rows, 4 rows/s',
      '88 % read, 88 rows, 4 rows/s',
      '',
    ].join('\n'),
  );
});

test('an export says what it has written', () => {
  expect(shownOf(100, { isTTY: false, done: 'written' })).toContain('50 % written, 50 rows, 10 rows/s\n');
});

test('work that ends sooner shows none, but what is said to people', () => {
  expect(shownOf(40, { isTTY: false })).toBe('line 50 is not as it should be\n');
});

test('what an imported file says about its lines cannot control a terminal', () => {
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 120, fd: 2 });
  const progress = showProgress(output as unknown as NodeJS.WriteStream, BYTES);
  progress.print('a.ndjson:1: "\u009b2J\u202e" is unknown');
  progress.stop();
  expect(String(output.read())).toContain('a.ndjson:1: "\\u{9b}2J\\u{202e}" is unknown\n');
});

test('a terminal shows a bar instead, with its rate and what is left', () => {
  const shown = shownOf(230, { isTTY: true });
  expect(shown).toMatch(/ 0% \| 0 rows \| 0 rows\/s/);
  expect(shown).toContain('line 50 is not as it should be\n');
  expect(shown).not.toContain('% read');
});
