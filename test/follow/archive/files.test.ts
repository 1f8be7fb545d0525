import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChunkReader } from '../../../src/follow/archive/chunk-reader.js';
import { chunkAt, chunksIn, heightsIn } from '../../../src/follow/archive/chunks.js';
import { LineMemory } from '../../../src/follow/archive/line-memory.js';
import { temporaryFolder } from '../../harness/embedded.js';

const padded = (height: number) => String(height).padStart(10, '0');
const lineOf = (height: number) => `{"number":${height}}`.padEnd(20_000, ' ');

describe('files of an archive', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  const write = (top: number, first: number, last: number, lines = last - first + 1) => {
    const path = join(folder.path, padded(top), `${padded(first)}-${padded(last)}-0a1b2c3d`);
    mkdirSync(path, { recursive: true });
    const text = Array.from({ length: lines }, (_, index) => `${lineOf(first + index)}\n`).join('');
    writeFileSync(join(path, 'blocks.jsonl.gz'), gzipSync(text));
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    write(10, 10, 209);
    write(10, 210, 409);
    write(500, 500, 699);
    write(500, 700, 799, 50);
    mkdirSync(join(folder.path, padded(10), 'temp-0000000410-0000000500-0a1b2c3d'));
    mkdirSync(join(folder.path, 'elsewhere'));
  });
  afterAll(() => folder.drop());

  test('are found by height, in folders of any number, and what is being written is left alone', async () => {
    const chunks = await chunksIn(folder.path);
    expect(chunks.map(({ first, last }) => [first, last])).toEqual([
      [10, 209],
      [210, 409],
      [500, 699],
      [700, 799],
    ]);
    expect(heightsIn(chunks)).toBe(700);
    expect(
      [9, 10, 209, 210, 409, 410, 499, 500, 799, 800].map((height) => chunkAt(chunks, height)?.first),
    ).toEqual([undefined, 10, 10, 210, 210, undefined, undefined, 500, 700, undefined]);
  });

  test('give each block to whoever asks, in any order', async () => {
    const height = fc.oneof(fc.integer({ min: 10, max: 409 }), fc.integer({ min: 500, max: 749 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(height, fc.integer({ min: 1, max: 40 })), { maxLength: 12 }),
        async (asked) => {
          const refused: string[] = [];
          const reader = new ChunkReader(await chunksIn(folder.path), (_, reason) => refused.push(reason));
          await Promise.all(
            asked.map(([from, count]) =>
              reader.inTurn(async () => {
                for (let each = from; each < from + count; each += 1) {
                  const isThere = (each <= 409 || each >= 500) && each < 750 && refused.length === 0;
                  if (isThere) expect(await reader.read(each)).toBe(lineOf(each));
                  else if (each > 409 && each < 500) expect(await reader.read(each)).toBeNull();
                  // The last file ends before the last block of its name.
                  else await reader.read(each);
                }
              }),
            ),
          );
          expect(refused.every((reason) => reason.startsWith('it ends before block 750'))).toBe(true);
          reader.close();
        },
      ),
      { numRuns: 20 },
    );
  });

  test('keep the newest lines up to so many bytes', () => {
    const memory = new LineMemory(50);
    for (const height of [1, 2, 3]) memory.set(height, 'x'.repeat(20));
    expect([1, 2, 3].map((height) => memory.get(height)?.length)).toEqual([undefined, 20, 20]);
    memory.set(4, 'x'.repeat(60));
    expect([2, 3, 4].map((height) => memory.get(height)?.length)).toEqual([undefined, undefined, 60]);
    memory.delete(4);
    memory.set(5, 'x'.repeat(50));
    expect(memory.get(5)).toHaveLength(50);
  });
});
