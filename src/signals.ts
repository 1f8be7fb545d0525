import { constants } from 'node:os';
import { Stopped, type Stop } from './stop.js';

/** Milliseconds after the first signal until which the end may be orderly. */
const AT_ONCE_MS = 8800;
/** Milliseconds after that until which the process may end by itself, whatever hangs. */
const EXIT_MS = 700;
// A terminal sends Ctrl-C to every process of the group, and npm then sends its script the same signal again.
const SAME_MS = 500;

/** The stop that SIGINT, SIGTERM and SIGHUP request. */
export interface SignalledStop extends Stop {
  /** Requests an orderly end like a signal, unless there was one. */
  ask: () => void;
  /** From now on the first signal calls this; the end begins when it calls `ask`, or at a second signal. */
  askFirst: (handler: () => void) => void;
  /** Of the process: `orderly` after one signal, 128 + its number after a second one or a closed output. */
  exitCode: (orderly: number | undefined) => number;
}

/** The reason of a stop because what this process writes cannot be written: nothing more is said. */
export class OutputClosed extends Stopped {}

/**
 * From now on the first SIGINT, SIGTERM or SIGHUP (the terminal was closed) requests an orderly end, and a
 * second one an end at once. So does a standard output or error that cannot be written to, as behind `| head`
 * or on a full disk: Node turns SIGPIPE into an error of the stream, which would end the process with a stack
 * trace.
 *
 * @param end ends the process when even that hangs
 */
export function handleSignals(end: () => void): SignalledStop {
  const asked = new AbortController();
  const atOnce = new AbortController();
  let first: { signal: NodeJS.Signals; at: number } | undefined;
  let second: NodeJS.Signals | undefined;
  let ask: () => void = begin;

  function begin(reason = new Stopped()): void {
    if (asked.signal.aborted) return;
    // What breaks now because its database is gone must not keep the rest from being closed.
    process.on('uncaughtException', (error) =>
      process.stderr.write(`moraine: while ending: ${String(error)}\n`),
    );
    setTimeout(hurry, AT_ONCE_MS).unref();
    asked.abort(reason);
  }
  function hurry(): void {
    if (atOnce.signal.aborted) return;
    begin();
    setTimeout(end, EXIT_MS).unref();
    atOnce.abort(new Stopped());
  }
  function handle(signal: NodeJS.Signals): void {
    if (!first) {
      first = { signal, at: performance.now() };
      ask();
    } else if (performance.now() - first.at > SAME_MS) {
      second ??= signal;
      hurry();
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => handle(signal));
  const close = ({ code, message }: NodeJS.ErrnoException, other: NodeJS.WriteStream) => {
    if (first) return;
    // The other output may still be read, for example when the log is on a full disk.
    if (code !== 'EPIPE') other.write(`moraine: the output cannot be written: ${message}\n`);
    // A command may have nothing left to do.
    process.exitCode = numberOf('SIGPIPE');
    first = { signal: 'SIGPIPE', at: performance.now() };
    begin(new OutputClosed());
  };
  const { stdout, stderr } = process;
  stdout.on('error', (error: Error) => close(error, stderr));
  stderr.on('error', (error: Error) => close(error, stdout));
  return {
    ask: () => {
      first ??= { signal: 'SIGTERM', at: performance.now() };
      begin();
    },
    askFirst: (handler) => (ask = handler),
    asked: asked.signal,
    atOnce: atOnce.signal,
    exitCode(orderly) {
      if (second) return numberOf(second);
      return orderly ?? (first ? numberOf(first.signal) : 0);
    },
  };
}

const numberOf = (signal: NodeJS.Signals) => 128 + constants.signals[signal];
