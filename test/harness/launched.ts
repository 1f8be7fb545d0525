import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from './moraine.js';

/** How a process ended. */
export interface End {
  /** null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** After the last signal that the test sent, milliseconds. */
  milliseconds: number;
}

/** A command of the command line, as people start it: it may be signalled before it is ready. */
export interface Launched {
  pid: number;
  /** All that it has written so far, to both outputs. */
  output: () => string;
  /** Waits until its output matches. @throws when it ends before, with its output */
  says: (pattern: RegExp) => Promise<string>;
  send: (signal: NodeJS.Signals) => void;
  ended: Promise<End>;
  hasEnded: () => boolean;
  /** Sends SIGTERM, or another signal, and waits for the end. */
  stop: (signal?: NodeJS.Signals) => Promise<End>;
}

/**
 * Three times what a stop may take: the process limits itself to 10 s with timers, and the machine of a test
 * is busy.
 */
export const STOP_DEADLINE_MS = 30_000;

/** The address at which a gateway says that it serves. */
export const served = /http:\/\/127\.0\.0\.1:\d+(?=\/\r?\n)/;

/**
 * Starts `moraine <args>`.
 *
 * @param env settings; of this process's environment only PATH is added
 * @param script another one than this checkout's command line
 */
export function launch(
  args: readonly string[],
  env: Record<string, string>,
  script: string = commandLine,
): Launched {
  const child = spawn(process.execPath, [script, ...args], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return watched(child, args, (signal) => void child.kill(signal));
}

/**
 * The same on a terminal of its own, which util-linux's `script` opens. SIGINT is typed there as Ctrl-C; any
 * other signal ends `script`.
 */
export function launchOnTerminal(
  args: readonly string[],
  env: Record<string, string>,
  script: string = commandLine,
): Launched {
  const command = [process.execPath, script, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const child = spawn('script', ['-qec', `exec ${command.join(' ')}`, '/dev/null'], {
    env: { TERM: 'xterm', ...environment(env) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // It may have ended already.
  child.stdin.on('error', () => undefined);
  return watched(child, args, (signal) => {
    if (signal === 'SIGINT') child.stdin.write('\u0003');
    else child.kill(signal);
  });
}

const environment = (env: Record<string, string>) => ({
  PATH: process.env['PATH'],
  PORT: '0',
  LOG_LEVEL: 'info',
  ...env,
});

function watched(
  child: ChildProcessByStdio<Writable | null, Readable, Readable>,
  args: readonly string[],
  signalTo: (signal: NodeJS.Signals) => void,
): Launched {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += String(data)));
  let sentAt = performance.now();
  const send = (signal: NodeJS.Signals) => {
    sentAt = performance.now();
    signalTo(signal);
  };
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const closed = once(child, 'close') as Promise<[End['code'], End['signal']]>;
  const ended = closed.then(([code, signal]) => ({ code, signal, milliseconds: performance.now() - sentAt }));
  return {
    pid: child.pid ?? 0,
    output: () => text,
    send,
    ended,
    hasEnded,
    async says(pattern) {
      for (;;) {
        const [found] = pattern.exec(text) ?? [];
        if (found !== undefined) return found;
        if (hasEnded())
          throw new Error(`moraine ${args.join(' ')} ended before it said ${String(pattern)}:\n${text}`);
        await sleep(5);
      }
    },
    stop(signal = 'SIGTERM') {
      send(signal);
      return ended;
    },
  };
}

/** Whether a PostgreSQL runs on a data folder: by its file, and by the command lines of all processes. */
export async function serverRuns(dataFolder: string): Promise<boolean> {
  if (existsSync(join(dataFolder, 'postgres', 'postmaster.pid'))) return true;
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  // A watchdog names the folder too, and may end a moment after its process.
  const servers = lines.filter((line) => !line.includes('watchdog-child'));
  return servers.some((line) => line.includes(join(dataFolder, 'postgres')));
}
