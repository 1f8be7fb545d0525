import { Presets, SingleBar } from 'cli-progress';
import { printable } from '../errors.js';

/** Shows how far an import or export is. */
export interface Progress {
  /** @param bytes of the total so far: bytes read, or rows of an export @param rows so far */
  advance: (bytes: number, rows: number) => void;
  /** Prints a line for people without disturbing the progress. */
  print: (line: string) => void;
  stop: () => void;
}

const PLAIN_LINE_MS = 5000;

/**
 * A bar with rate and remaining time on a terminal; elsewhere a plain line every few seconds.
 *
 * @param total of the first number that `advance` gets
 * @param done what has happened to that part of it, for a plain line
 */
export function showProgress(output: NodeJS.WriteStream, total: number, done = 'read'): Progress {
  return output.isTTY ? bar(output, total) : plainLines(output, total, done);
}

function bar(output: NodeJS.WriteStream, total: number): Progress {
  const rate = rateFromNow();
  const shown = new SingleBar(
    {
      stream: output,
      format: '{bar} {percentage}% | {rows} rows | {rate} rows/s | {eta_formatted} left',
      hideCursor: true,
      clearOnComplete: true,
      etaBuffer: 50,
    },
    Presets.shades_classic,
  );
  shown.start(total, 0, { rows: 0, rate: 0 });
  return {
    advance: (bytes, rows) => shown.update(bytes, { rows, rate: rate(rows) }),
    // The bar draws itself again below the line.
    print: (line) => output.write(`\r\u001b[K${printable(line)}\n`),
    stop: () => shown.stop(),
  };
}

function plainLines(output: NodeJS.WriteStream, total: number, done: string): Progress {
  const rate = rateFromNow();
  let last = performance.now();
  const print = (line: string) => output.write(`${line}\n`);
  return {
    advance: (bytes, rows) => {
      if (performance.now() - last < PLAIN_LINE_MS) return;
      last = performance.now();
      const percent = total === 0 ? 100 : Math.floor((100 * bytes) / total);
      print(`${percent} % ${done}, ${rows} rows, ${rate(rows)} rows/s`);
    },
    print,
    stop: () => undefined,
  };
}

function rateFromNow(): (rows: number) => number {
  const start = performance.now();
  return (rows) => Math.round((rows * 1000) / Math.max(1, performance.now() - start));
}

/** How fast an import or export was, and how much memory it used, in a line for people. */
export function throughput(rows: number, seconds: number): string {
  const rate = Math.round(rows / Math.max(seconds, 0.001)).toLocaleString('en');
  // maxRSS is in kibibytes on every platform.
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  return `${seconds.toFixed(1)} s, ${rate} rows/s, peak memory ${peak} MiB`;
}
