import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Session } from '../storage/session.js';

export interface WriteOptions {
  path: string;
  /** Whether only the operator may read the file. */
  secret: boolean;
  packed: boolean;
  signal: AbortSignal;
  /** Called with the number of rows of the file that have been read. */
  onRows: (rows: number) => void;
}

const NEWLINE = 0x0a;

/**
 * Writes the rows of a file, one JSON text a line, as the database sends them: a chunk at a time, no faster
 * than the disk takes them.
 *
 * @returns how many rows
 * @throws what pg and the file system throw; an AbortError when the signal stopped it
 */
export async function writeFile(
  session: Session,
  select: string,
  { path, secret, packed, signal, onRows }: WriteOptions,
): Promise<number> {
  // CSV whose quote and delimiter never occur in JSON text, which escapes them: so each line is the text
  // itself.
  const source = session.copyOut(select, `FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02'`);
  let rows = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) rows += 1;
      onRows(rows);
      done(null, chunk);
    },
  });
  const file = createWriteStream(path, { flags: 'wx', mode: secret ? 0o600 : 0o666 });
  const stages = packed ? [count, createGzip({ level: 3, chunkSize: 64 * 1024 }), file] : [count, file];
  await pipeline([source, ...stages], { signal });
  return rows;
}
