import { stat } from 'node:fs/promises';
import { readChunks, splitLines, type ImportLine } from '../../ingest/lines.js';
import type { Chunk } from './chunks.js';

/** Bytes of a block with its receipts and traces: as much as a node may answer. */
const LONGEST_LINE = 64 * 1024 ** 2;

/** Reads the lines of a chunk, one after the other: gzip has no way to a later one. */
export class ChunkLines {
  /** Height of the block that the next line has. */
  next: number;
  private lines: ImportLine[] = [];
  private at = 0;
  private readonly parts: AsyncGenerator<ImportLine[]>;

  constructor(readonly chunk: Chunk) {
    this.next = chunk.first;
    this.parts = partsOf(chunk.path);
  }

  /** The next line. @throws Error that says what is wrong with the file, for people */
  async read(): Promise<string> {
    while (this.at === this.lines.length) {
      const part = await this.parts.next();
      if (part.done)
        throw new Error(`it ends before block ${this.next}, and its name says ${this.chunk.last}`);
      this.lines = part.value;
      this.at = 0;
    }
    const line = this.lines[this.at]!;
    this.at += 1;
    this.next += 1;
    if (line.text === null) throw new Error(`line ${line.number} ${line.problem}`);
    return line.text;
  }

  async close(): Promise<void> {
    await this.parts.return(undefined);
  }
}

async function* partsOf(path: string): AsyncGenerator<ImportLine[]> {
  // Another kind of file may wait for ever.
  if (!(await stat(path)).isFile()) throw new Error('it is no file');
  yield* splitLines(
    readChunks(path, () => undefined),
    LONGEST_LINE,
  );
}
