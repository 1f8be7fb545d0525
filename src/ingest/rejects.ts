import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { IngestError } from './errors.js';

const SHOWN_PER_FILE = 20;

/** Reports rejected lines: prints the first of each file, and writes all of them to a file if requested. */
export class Rejects {
  count = 0;
  private readonly handle: number | null;
  private current = '';
  private inCurrent = 0;

  /**
   * @param print prints one line
   * @param path a new or empty file that receives every rejected line's `file:line: reason`
   * @throws IngestError when the file cannot be written, or is not empty
   */
  constructor(
    private readonly print: (line: string) => void,
    path?: string,
  ) {
    this.handle = path === undefined ? null : open(path);
  }

  /** @param line from 1; null for the whole file */
  add(file: string, line: number | null, reason: string): void {
    if (file !== this.current) this.endFile();
    this.current = file;
    this.count += 1;
    this.inCurrent += 1;
    const text = `${file}:${line === null ? '' : `${line}:`} ${reason}`;
    if (this.inCurrent <= SHOWN_PER_FILE || line === null) this.print(text);
    if (this.handle !== null) writeSync(this.handle, `${text}\n`);
  }

  close(): void {
    this.endFile();
    if (this.handle !== null) closeSync(this.handle);
  }

  private endFile(): void {
    const more = this.inCurrent - SHOWN_PER_FILE;
    if (more > 0)
      this.print(`${this.current}: ${more} more rejected lines are not shown (--rejects FILE lists all)`);
    this.inCurrent = 0;
  }
}

// With `--rejects *.ndjson` the first file to import would be overwritten.
function open(path: string): number {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() && found.size > 0)
      throw new Error('it is not empty; name a new file, or remove this one first');
    return openSync(path, 'w');
  } catch (error) {
    throw new IngestError(`--rejects ${path} cannot be written: ${(error as Error).message}`);
  }
}
