import { Writable } from 'node:stream';
import { pino, type Logger } from 'pino';

/** A logger that keeps its lines. */
export interface CapturedLog {
  log: Logger;
  lines: { level: number; msg: string }[];
  /** All that was written, as it stands. */
  text: () => string;
}

/** A logger of every level whose lines a test can read. */
export function captureLog(): CapturedLog {
  const chunks: string[] = [];
  const lines: CapturedLog['lines'] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      lines.push(JSON.parse(chunk.toString()) as CapturedLog['lines'][number]);
      done();
    },
  });
  return { log: pino({ level: 'trace' }, stream), lines, text: () => chunks.join('') };
}
