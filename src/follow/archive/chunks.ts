import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { FollowError } from '../errors.js';

/** A file of consecutive blocks. */
export interface Chunk {
  readonly path: string;
  /** Heights of its first and its last block. */
  readonly first: number;
  readonly last: number;
  /** Whether something of it was wrong: it is not read any more. */
  isRefused: boolean;
}

/** Those of mainnet are some ten thousands. */
const MOST_CHUNKS = 200_000;
const FILE = 'blocks.jsonl.gz';

/**
 * The files of an archive that the dumpers of SQD write, by height:
 * `0000000000/0000000000-0000000549-1a2b3c4d` has the blocks 0 to 549 in `blocks.jsonl.gz`. Other names are
 * of files that are being written.
 *
 * @throws FollowError for a folder that cannot be read, or has no such files
 */
export async function chunksIn(folder: string): Promise<Chunk[]> {
  const found: Chunk[] = [];
  try {
    for await (const top of await opendir(folder)) {
      if (!/^\d{10,15}$/.test(top.name)) continue;
      for await (const { name } of await opendir(join(folder, top.name))) {
        const [, first, last] = /^(\d{10,15})-(\d{10,15})-[\da-z]+$/i.exec(name) ?? [];
        if (first === undefined || Number(first) > Number(last)) continue;
        const path = join(folder, top.name, name, FILE);
        found.push({ path, first: Number(first), last: Number(last), isRefused: false });
        if (found.length > MOST_CHUNKS)
          throw new FollowError(`--archive: ${folder} has more than ${MOST_CHUNKS} files of blocks`);
      }
    }
  } catch (error) {
    if (error instanceof FollowError) throw error;
    throw new FollowError(`--archive: ${folder} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (found.length === 0)
    throw new FollowError(
      `--archive: ${folder} has no file such as 0000000000/0000000000-0000000549-1a2b3c4d/${FILE}, as the dumper of SQD writes them`,
    );
  return found.sort((a, b) => a.first - b.first);
}

/** The file that should have a block; null for none. @param chunks by height */
export function chunkAt(chunks: readonly Chunk[], height: number): Chunk | null {
  let [low, high] = [0, chunks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chunks[middle]!.first <= height) low = middle + 1;
    else high = middle;
  }
  const chunk = chunks[low - 1];
  return chunk && chunk.last >= height ? chunk : null;
}

/** How many heights the files should have. */
export const heightsIn = (chunks: readonly Chunk[]): number =>
  chunks.reduce((sum, { first, last }) => sum + last - first + 1, 0);
