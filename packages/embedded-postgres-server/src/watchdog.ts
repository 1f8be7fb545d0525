import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { environment } from './os-account.js';
import type { LoggedServerDeps } from './presence.js';
import type { ServerDeps } from './server.js';

const script = fileURLToPath(new URL('./watchdog-child.js', import.meta.url));

/** What the watchdog knows of a server. It reads the password itself, because command lines are public. */
export type WatchedServer = Omit<ServerDeps, 'password' | 'stop'>;

/**
 * Starts a process that outlives this one, however that ends: kill -9, a closed terminal, a fault. It reads a
 * pipe that only this process writes to. At its end it does what this process would have done: it stops the
 * server if no other process is present. Until then it is a shell, which takes a megabyte of memory where
 * Node takes 40.
 *
 * @returns tells it that this process has left in order
 */
export function startWatchdog(server: LoggedServerDeps): () => void {
  const { name, account, binaries, dataFolder, cluster, log } = server;
  const watched: WatchedServer = { name, account, binaries, dataFolder, cluster };
  const node = [process.execPath, script, JSON.stringify(watched)];
  const [file, ...args] =
    process.platform === 'win32' ? node : ['/bin/sh', '-c', 'read -r left || exec "$@"', 'sh', ...node];
  // In a session of its own, so that the terminal's signals do not reach it.
  const child = spawn(file as string, args, {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: environment(),
    ...(process.platform !== 'win32' && { cwd: '/' }),
  });
  child.once('error', (error) =>
    log.warn(
      { err: error },
      'the watchdog could not be started: if this process is killed, the embedded PostgreSQL keeps running',
    ),
  );
  // One that was killed reads nothing.
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as unknown as { unref: () => void }).unref();
  return () => void child.stdin.end('left\n');
}
