/*
 * The process that `startWatchdog` starts. It stays until the pipe from its parent ends; a line on it means
 * that the parent has left in order.
 */
import { text } from 'node:stream/consumers';
import { readPassword } from './cluster.js';
import { neverStopped } from './options.js';
import { leaveForDead } from './presence.js';
import type { WatchedServer } from './watchdog.js';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

if ((await text(process.stdin)) === '') {
  const watched = JSON.parse(process.argv[2] ?? '') as WatchedServer;
  const password = await readPassword(watched.dataFolder, watched.name);
  await leaveForDead({ ...watched, password, stop: neverStopped, log: silent });
}
