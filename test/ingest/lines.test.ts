import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitLines, type ImportLine } from '../../src/ingest/lines.js';
import { parseLine } from '../../src/ingest/line-value.js';

/** The lines of bytes that arrive in pieces of these lengths. */
async function lines(
  bytes: Buffer,
  lengths: readonly number[] = [],
  longest?: number,
): Promise<ImportLine[]> {
  async function* pieces(): AsyncGenerator<Buffer> {
    let at = 0;
    for (const length of lengths) {
      await Promise.resolve();
      yield bytes.subarray(at, at + length);
      at += length;
    }
    if (at < bytes.length) yield bytes.subarray(at);
  }
  const all: ImportLine[] = [];
  for await (const some of splitLines(pieces(), longest)) all.push(...some);
  return all;
}

test('property: lines are what splitting the whole text gives, however the bytes arrive', async () => {
  const text = fc.array(fc.constantFrom('a', 'é', '𝄞', '\n', '\n\n', '{"x":1}', ' ', '\r\n'), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(7), { maxLength: 30 }), async (parts, lengths) => {
      const whole = parts.join('');
      const expected = whole
        .split('\n')
        .map((line, index) => ({ number: index + 1, text: line }))
        .filter((line) => line.text.trim() !== '');
      const found = await lines(Buffer.from(whole), lengths);
      expect(found.map(({ number, text: line }) => ({ number, text: line }))).toEqual(expected);
    }),
  );
});

test('a byte order mark at the start of a file is not part of its first line', async () => {
  expect((await lines(Buffer.from('\ufeff{}\n{}'))).map(({ text }) => text)).toEqual(['{}', '{}']);
});

test('a line that is too long is reported and the next ones are read', async () => {
  const text = `{}\n${'x'.repeat(5000)}\n{"a":1}\n${'y'.repeat(101)}`;
  const found = await lines(
    Buffer.from(text),
    Array.from({ length: 80 }, () => 64),
    100,
  );
  expect(found.map(({ number, text: line, problem }) => [number, line ?? problem])).toEqual([
    [1, '{}'],
    [2, 'is longer than 100 bytes'],
    [3, '{"a":1}'],
    [4, 'is longer than 100 bytes'],
  ]);
});

test('a line that is not UTF-8 is reported', async () => {
  const found = await lines(
    Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n{}')]),
  );
  expect(found).toMatchObject([
    { number: 1, text: null, problem: 'is not UTF-8' },
    { number: 2, text: '{}' },
  ]);
});

test.each([
  ['{"a":', /^is not JSON: /],
  ['{"a":"\\u0000"}', 'contains the character U+0000, which cannot be stored'],
  ['{"\\u0000":1}', 'contains the character U+0000, which cannot be stored'],
  ['{"a":["\\uD834"]}', 'contains half of a surrogate pair, which is not a character'],
  [`${'['.repeat(65)}${']'.repeat(65)}`, 'is nested deeper than 64 levels'],
  [`${'['.repeat(200_000)}1234567890123456789${']'.repeat(200_000)}`, 'is nested deeper than 64 levels'],
])('the line %.30s is refused', (text, reason) => {
  expect(() => parseLine(text)).toThrow(reason);
});

test('escaped surrogate pairs and large numbers are read exactly', () => {
  expect(parseLine('{"a":"\\uD834\\uDD1E","n":18446744073709551615}')).toEqual({ a: '𝄞', n: 2n ** 64n - 1n });
});

test('of a key that is given twice the last value holds, whatever else the line has', () => {
  expect(parseLine('{"a":1,"a":2}')).toEqual({ a: 2 });
  expect(parseLine('{"a":1,"a":2,"n":18446744073709551615}')).toEqual({ a: 2, n: 2n ** 64n - 1n });
});
