import { Presets, SingleBar } from 'cli-progress';

/** Shows how far an import is. */
export interface Progress {
  /** @param bytes read so far, of all files @param rows read so far */
  advance: (bytes: number, rows: number) => void;
  /** A line for people, between the progress. */
  print: (line: string) => void;
  stop: () => void;
}

const PLAIN_LINE_MS = 5000;

/**
 * A bar with rate and remaining time on a terminal; elsewhere a plain line every few seconds.
 *
 * @param totalBytes of all files as they are stored
 */
export function showProgress(output: NodeJS.WriteStream, totalBytes: number): Progress {
  return output.isTTY ? bar(output, totalBytes) : plainLines(output, totalBytes);
}

function bar(output: NodeJS.WriteStream, totalBytes: number): Progress {
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
  shown.start(totalBytes, 0, { rows: 0, rate: 0 });
  return {
    advance: (bytes, rows) => shown.update(bytes, { rows, rate: rate(rows) }),
    // The bar draws itself again below the line.
    print: (line) => output.write(`\r\u001b[K${line}\n`),
    stop: () => shown.stop(),
  };
}

function plainLines(output: NodeJS.WriteStream, totalBytes: number): Progress {
  const rate = rateFromNow();
  let last = performance.now();
  const print = (line: string) => output.write(`${line}\n`);
  return {
    advance: (bytes, rows) => {
      if (performance.now() - last < PLAIN_LINE_MS) return;
      last = performance.now();
      const percent = totalBytes === 0 ? 100 : Math.floor((100 * bytes) / totalBytes);
      print(`${percent} % read, ${rows} rows, ${rate(rows)} rows/s`);
    },
    print,
    stop: () => undefined,
  };
}

function rateFromNow(): (rows: number) => number {
  const start = performance.now();
  return (rows) => Math.round((rows * 1000) / Math.max(1, performance.now() - start));
}
