import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The command line as people start it: the code is built first, by `npm test` or by itself. */
export const commandLine = fileURLToPath(new URL('../../bin/moraine.mjs', import.meta.url));

/**
 * Runs `moraine <args>` to its end.
 *
 * @param env as `startMoraine`
 */
export async function runMoraine(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [commandLine, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], out, err] = await Promise.all([
    once(child, 'exit') as Promise<[number]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, err };
}

/** A command of the command line that runs until it is stopped. */
export interface MoraineProcess {
  /** The first part of its output that `ready` matched. */
  ready: string;
  /** Stops it, as Ctrl-C does, and waits for the end; its exit code, null when it had to be killed. */
  stop: () => Promise<number | null>;
}

/**
 * Starts `moraine <command>` and waits until it says that it is ready.
 *
 * @param env settings; of this process's environment only PATH is added
 */
export async function startMoraine(
  command: string,
  env: Record<string, string>,
  ready: RegExp,
): Promise<MoraineProcess> {
  const child = spawn(process.execPath, [commandLine, command], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  for await (const line of createInterface(child.stdout)) {
    const [found] = ready.exec(line) ?? [];
    if (found === undefined) continue;
    child.stdout.resume();
    return {
      ready: found,
      async stop() {
        child.kill('SIGINT');
        return (await exit)[0];
      },
    };
  }
  throw new Error(`moraine ${command} ended before it was ready`);
}
