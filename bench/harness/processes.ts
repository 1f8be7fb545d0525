import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Starts a Node process and waits until its address answers. @param node another Node than this one */
export async function startProcess(
  args: readonly string[],
  env: Record<string, string>,
  origin: string,
  node = process.execPath,
): Promise<ChildProcess> {
  const child = spawn(node, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`);
    if (await answers(origin)) return child;
    await sleep(100);
  }
  child.kill();
  throw new Error(`${args.join(' ')} did not answer at ${origin} within 30 s`);
}

/** Ends a process that was started here. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

async function answers(origin: string): Promise<boolean> {
  try {
    await fetch(origin);
    return true;
  } catch {
    return false;
  }
}
