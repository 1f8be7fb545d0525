import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { createReadStream, type ReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { IngestError } from './errors.js';

/** One line of a file. */
export interface ImportLine {
  /** From 1. */
  number: number;
  /** Without its end; null when it cannot be read, see `problem`. */
  text: string | null;
  problem: string | null;
  bytes: number;
}

// The lines of a chunk are read in one turn of the event loop; meanwhile the batch before gets no answers and
// PostgreSQL has nothing to do. So a chunk is a few milliseconds.
const CHUNK_BYTES = 64 * 1024;
const MIB = 1024 * 1024;

/** Bytes of a line: a transaction of so many outputs and inputs, of a kilobyte each, has half of it. */
const LONGEST_LINE = 16 * MIB;
/** Blank lines, one after the other. */
const MOST_BLANK_LINES = 1_000_000;
/**
 * How many times its size a compressed file may unpack to, beyond a first part: JSON reaches 10 to 50, gzip
 * itself 1,032.
 */
const MOST_UNPACKED_TIMES = 400;
const UNPACKED_ANYWAY = 64 * MIB;
const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = '\ufeff';
/** How gzip begins (RFC 1952, section 2.3.1). */
const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * The bytes of a file, unpacked when they are gzip's, whatever its name. One chunk at a time is in memory.
 *
 * @param onRead called with the number of bytes of the file, as it is stored, that have been read
 * @throws IngestError when the file cannot be read further, or its gzip data is damaged, cut off or absurdly
 *   large
 */
export async function* readChunks(path: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  let source: Readable = file;
  try {
    if (await isPacked(file, path)) source = unpack(file);
    let bytes = 0;
    for await (const chunk of source as AsyncIterable<Buffer>) {
      onRead(file.bytesRead);
      bytes += chunk.length;
      if (bytes > UNPACKED_ANYWAY && bytes > MOST_UNPACKED_TIMES * file.bytesRead)
        throw new RangeError(`it unpacks to more than ${MOST_UNPACKED_TIMES} times its size`);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof IngestError) throw error;
    throw new IngestError(`cannot be read further: ${(error as Error).message}`, { cause: error });
  } finally {
    file.destroy();
    source.destroy();
  }
}

// Reads the first bytes and puts them back: a pipe cannot be opened twice, and may send them one by one. An
// empty file that should be compressed was cut off.
async function isPacked(file: ReadStream, path: string): Promise<boolean> {
  let first = Buffer.alloc(0);
  while (first.length < GZIP.length) {
    await once(file, 'readable');
    const more = file.read() as Buffer | null;
    if (more === null) break;
    first = Buffer.concat([first, more]);
  }
  if (first.length === 0) return path.endsWith('.gz');
  file.unshift(first);
  return first.subarray(0, GZIP.length).equals(GZIP);
}

function unpack(file: ReadStream): Readable {
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES });
  // pipe() does not pass errors on.
  file.on('error', (error) => unpacked.destroy(error));
  return file.pipe(unpacked);
}

/**
 * Splits bytes into lines, one list for each chunk, even an empty one. Memory is bounded by one chunk and one
 * line. Blank lines are counted and left out.
 *
 * @throws IngestError after so many blank lines that the file cannot be a file of rows
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  longest = LONGEST_LINE,
): AsyncGenerator<ImportLine[]> {
  let pieces: Buffer[] = [];
  let length = 0;
  let number = 0;
  let blank = 0;

  function end(last: Buffer): ImportLine | null {
    number += 1;
    const bytes = length + last.length;
    const parts = [...pieces, last];
    pieces = [];
    length = 0;
    if (bytes > longest) return { number, text: null, problem: `is longer than ${longest} bytes`, bytes: 0 };
    const whole = parts.length === 1 ? last : Buffer.concat(parts);
    if (!isUtf8(whole)) return { number, text: null, problem: 'is not UTF-8', bytes };
    const text = whole.toString('utf8');
    const bare = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    if (bare.trim() === '') return skip();
    blank = 0;
    return { number, text: bare, problem: null, bytes };
  }

  function skip(): null {
    blank += 1;
    if (blank > MOST_BLANK_LINES)
      throw new IngestError(`cannot be read further: line ${number} follows ${MOST_BLANK_LINES} blank lines`);
    return null;
  }

  /** A line without any byte; there may be millions. */
  function endEmpty(): null {
    number += 1;
    return skip();
  }

  for await (const chunk of chunks) {
    const lines: ImportLine[] = [];
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      const line = at === start && length === 0 ? endEmpty() : end(chunk.subarray(start, at));
      if (line) lines.push(line);
      start = at + 1;
    }
    const rest = chunk.subarray(start);
    length += rest.length;
    // The end of a line that is too long is counted, not kept.
    if (length > longest) pieces = [];
    else if (rest.length > 0) pieces.push(rest);
    yield lines;
  }
  const last = length > 0 ? end(Buffer.alloc(0)) : null;
  if (last) yield [last];
}
