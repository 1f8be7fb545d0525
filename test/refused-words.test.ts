import { expect, test } from 'vitest';
import { findRefusedWords, isRefusedFile } from '../bin/refused-words.js';

test('a refused word is found in any case, with its line and what to write instead', () => {
  expect(findRefusedWords('An error says more.\nStrangers are Told less.')).toEqual([
    { line: 2, word: 'Told', instead: expect.stringContaining('shown') as string },
  ]);
});

test('words that a comment continues in its next line are found, in the order of the text', () => {
  const text = ['/**', ' * Rows that are', ' * held, and which the metrics tell', ' * of: dear ones.', ' */'];
  expect(findRefusedWords(text.join('\n')).map(({ line, word }) => [line, word])).toEqual([
    [2, 'are held'],
    [3, 'tell of'],
    [4, 'dear'],
  ]);
});

test.each(['untold', 'a toldProblem', 'a shareholder holds them', 'addresses that held an NFT', 'held-up'])(
  '%s is not refused',
  (text) => {
    expect(findRefusedWords(text)).toEqual([]);
  },
);

test.each([
  'src/follow/loop/loop-terms.ts',
  'explorer/parts/page.tsx',
  'test/harness/place.ts',
  'ops/places.css',
])('the file %s is refused by its name', (file) => {
  expect(isRefusedFile(file)).toBe(true);
});

test.each([
  'src/lists/parents.ts',
  'explorer/components/page.tsx',
  'src/stop-placeholder.ts',
  'bin/counterparts.ts',
])('the file %s is not refused', (file) => {
  expect(isRefusedFile(file)).toBe(false);
});
