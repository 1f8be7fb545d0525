import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKey, hashKey, keyProblem } from '../../src/access/key.js';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a new key is mrn_ and 36 letters and digits, passes its own check, and is never the same twice', () => {
  const keys = Array.from({ length: 2000 }, createKey);
  for (const key of keys) {
    expect(key).toMatch(/^mrn_[0-9A-Za-z]{36}$/);
    expect(keyProblem(key)).toBeUndefined();
  }
  expect(new Set(keys).size).toBe(keys.length);
});

test('the digits of keys are evenly drawn', () => {
  const counts = new Map<string, number>();
  for (let index = 0; index < 4000; index += 1) {
    for (const digit of createKey().slice(4, 34)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  }
  // 120,000 draws, 1,935 of each expected, standard deviation 44: eight of them on either side.
  for (const digit of digits) expect(Math.abs((counts.get(digit) ?? 0) - 1935)).toBeLessThan(352);
});

test('one changed character is found out', () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 39 }), fc.integer({ min: 1, max: 61 }), (position, shift) => {
      const key = createKey();
      const other = digits.charAt((digits.indexOf(key.charAt(position)) + shift) % 62);
      expect(keyProblem(key.slice(0, position) + other + key.slice(position + 1))).toBe('checksum');
    }),
  );
});

test('a text of another shape is malformed', () => {
  for (const text of [
    '',
    'mrn_',
    'abc',
    `${createKey()}x`,
    createKey().slice(0, -1),
    createKey().toUpperCase(),
  ])
    expect(keyProblem(text)).toBe('malformed');
  expect(keyProblem(`${createKey().slice(0, -1)}é`)).toBe('malformed');
});

test('a known key keeps its checksum and hash across versions', () => {
  const key = 'mrn_0123456789abcdefghijABCDEFGHIJ1Q8R88';
  expect(keyProblem(key)).toBeUndefined();
  expect(hashKey(key).toString('hex')).toBe(
    '0f149a1dbfbfaaaf6372794dfd89c1654d6a43422c4cf40a0b5d0c08a0e62def',
  );
});
