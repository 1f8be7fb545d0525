import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('entry.mjs', import.meta.url));
const servesAt = /^ {2}(http:\/\/\S+?)\/$/m;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A command of the command line in a process of its own. */
export interface Command {
  child: ChildProcess;
  /** Everything that it wrote so far, both streams. */
  output: () => string;
  exit: Promise<Exit>;
  /** Ends it as `kill -9` does, unless it has ended; returns when it is gone. */
  kill: () => Promise<void>;
}

/** A gateway that serves. */
export interface Gateway extends Command {
  url: string;
  /** Most memory that it ever used, MiB; NaN if the system does not show it. */
  peakMemory: () => Promise<number>;
  /** Sends SIGTERM and waits for the end. */
  stop: () => Promise<Exit & { milliseconds: number }>;
}

export type Env = Record<string, string>;

/**
 * Starts `moraine <args>`.
 *
 * @param env settings; of this process's environment only PATH is added
 * @param nodeArgs arguments of Node itself
 */
export function startCommand(args: readonly string[], env: Env, nodeArgs: readonly string[] = []): Command {
  const child = spawn(process.execPath, [...nodeArgs, entry, ...args], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  // 'close' and not 'exit': the last lines may come after the exit.
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return {
    child,
    output: () => output,
    exit,
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Runs `moraine <args>` to its end. */
export async function runCommand(args: readonly string[], env: Env): Promise<Exit & { output: string }> {
  const command = startCommand(args, env);
  const exit = await command.exit;
  return { ...exit, output: command.output() };
}

/**
 * Starts `moraine serve` and waits until it says where it serves.
 *
 * @param env settings; PORT is a free one unless it is set, and nobody is limited unless RATE_LIMITS is set
 */
export async function startGateway(env: Env, nodeArgs: readonly string[] = []): Promise<Gateway> {
  const command = startCommand(['serve'], { PORT: '0', RATE_LIMITS: 'off', ...env }, nodeArgs);
  let exit: Exit | undefined;
  void command.exit.then((found) => (exit = found));
  for (;;) {
    const url = servesAt.exec(command.output())?.[1];
    if (url) return { ...command, url, peakMemory: () => peakMemory(command), stop: () => stop(command) };
    if (exit) throw new Error(`moraine serve ended (${JSON.stringify(exit)}):\n${command.output()}`);
    await sleep(20);
  }
}

async function stop({ child, exit }: Command): Promise<Exit & { milliseconds: number }> {
  const start = performance.now();
  child.kill('SIGTERM');
  const how = await exit;
  return { ...how, milliseconds: performance.now() - start };
}

async function peakMemory({ child }: Command): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
