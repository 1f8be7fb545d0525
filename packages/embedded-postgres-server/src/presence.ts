import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { endClient } from './client.js';
import { clusterOwner, giveTreeTo } from './cluster.js';
import { recordedEndpoint, type Endpoint } from './endpoint.js';
import { EmbeddedError } from './errors.js';
import type { Log } from './options.js';
import { startPostgres, stopPostgres, tryConnect, type ServerDeps } from './server.js';
import { unlessAborted, within } from './waiting.js';

// Any number; on one server it means "a process is using this server".
const presenceLock = '5427831904410362881';
const startAttempts = 20;
// Recovery after a crash may take minutes.
const deadlineMs = 600_000;
const reviveDelayMs = 1000;
/** Milliseconds that a starting server has to accept a connection once it is no longer wanted. */
const unwantedMs = 3000;
/** Milliseconds that the server has for each answer when it is asked whether others use it. */
const askMs = 2000;
/**
 * Milliseconds for which a watchdog tries to stop the server: one that was just started does not listen yet,
 * and another process that was killed at the same time counts until the server has noticed.
 */
const deadMs = 5000;
const deadDelayMs = 200;

/** What is needed to run a server, and where its starts and ends are logged. */
export interface LoggedServerDeps extends ServerDeps {
  log: Log;
}

/** A connection that has the shared lock: while one exists, no process stops the server. */
export interface Presence {
  client: pg.Client;
  address: Endpoint;
}

/**
 * Connects and takes the shared lock; starts the server when none answers.
 *
 * @param options.givenUp aborted when the server is no longer wanted: then none is started. One that exists
 *   may be used only by us, so it is still joined, for the caller to leave it; if it accepts no connections
 *   it is stopped
 * @param options.former where the server was that this process used before
 * @throws EmbeddedError when the server does not start; the signal's reason when it is no longer wanted and
 *   there is none
 */
export async function becomePresent(
  server: LoggedServerDeps,
  { givenUp, former }: { givenUp: AbortSignal; former?: Endpoint },
): Promise<Presence> {
  const { cluster, stop } = server;
  const deadline = Date.now() + deadlineMs;
  let giveUpAt = Infinity;
  let last = former;
  for (let starts = 0; starts < startAttempts && Date.now() < deadline;) {
    const address = await recordedEndpoint(cluster);
    // A start that fails removes postmaster.pid, and with it the address of the server before.
    last ??= address;
    const attempt = address ? await tryConnect(address, server) : 'absent';
    if (givenUp.aborted) giveUpAt = Math.min(giveUpAt, Date.now() + unwantedMs);
    const late = Date.now() > giveUpAt || stop.atOnce.aborted;
    if (attempt === 'absent') {
      givenUp.throwIfAborted();
      starts += 1;
      if (starts === 1) server.log.info({ folder: cluster }, 'starting the embedded PostgreSQL');
      if ((await clusterOwner(server.dataFolder))?.uid === 0) await giveTreeTo(server.account, cluster);
      await startPostgres(server, last);
    } else if (attempt === 'closed' || attempt === 'busy') {
      // No other process can be using a server that is closed, and a process that waits for it starts it
      // again.
      if (late && attempt === 'closed') await stopPostgres(server, AbortSignal.abort());
      if (late) for (const signal of [givenUp, stop.atOnce]) signal.throwIfAborted();
      await sleep(50);
    } else if (address && (await takeLock(attempt.client, stop.atOnce))) {
      return { client: attempt.client, address };
    }
  }
  throw new EmbeddedError(
    'not-accepting',
    `The embedded PostgreSQL in ${server.dataFolder} does not accept connections; ` +
      `see ${join(server.dataFolder, 'postgres.log')}.`,
  );
}

/**
 * Stays present: when the server dies, starts it again at the same address.
 *
 * @returns the function that ends the presence, and stops the server when no other process is present
 */
export function stayPresent(server: LoggedServerDeps, first: Presence): () => Promise<void> {
  let present: Promise<Presence | undefined> = Promise.resolve(first);
  const leaving = new AbortController();

  function watch({ client, address }: Presence): void {
    client.once('end', () => {
      if (leaving.signal.aborted) return;
      server.log.error({}, 'the embedded PostgreSQL has stopped: starting it again');
      present = revive(address);
    });
  }

  async function revive(former: Endpoint): Promise<Presence | undefined> {
    while (!leaving.signal.aborted) {
      try {
        const presence = await becomePresent(server, { former, givenUp: leaving.signal });
        watch(presence);
        if (presence.address.host !== former.host || presence.address.port !== former.port)
          server.log.error(
            {},
            'the embedded PostgreSQL now listens at another address: restart this process',
          );
        return presence;
      } catch (error) {
        if (leaving.signal.aborted || server.stop.atOnce.aborted) break;
        server.log.error({ err: error as Error }, 'the embedded PostgreSQL does not start');
        await sleep(reviveDelayMs, undefined, { signal: leaving.signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  watch(first);
  return async () => {
    leaving.abort();
    const presence = await present;
    if (presence) await leave(server, presence.client);
  };
}

/** Does what a process that was killed can no longer do: stops the server if no other process is present. */
export async function leaveForDead(server: LoggedServerDeps): Promise<void> {
  const givenUp = AbortSignal.abort(new Error('there is no server'));
  for (const deadline = Date.now() + deadMs; Date.now() < deadline; await sleep(deadDelayMs)) {
    const presence = await becomePresent(server, { givenUp }).catch(() => undefined);
    if (presence && (await leave(server, presence.client))) return;
  }
}

// It fails while the last process that leaves is stopping the server: that process keeps the exclusive lock
// until the end.
async function takeLock(client: pg.Client, atOnce: AbortSignal): Promise<boolean> {
  try {
    await unlessAborted(atOnce, client.query(`SELECT pg_advisory_lock_shared(${presenceLock})`));
    // A server that stops ends the session of the last process first, which gives the lock to one that ends
    // right after it.
    await unlessAborted(atOnce, client.query('SELECT 1'));
    return true;
  } catch {
    await endClient(client);
    return false;
  }
}

/** @returns whether it stopped the server, because no other process is present */
async function leave(server: LoggedServerDeps, client: pg.Client): Promise<boolean> {
  try {
    const last = await isLast(client);
    if (last) await stopPostgres(server, server.stop.atOnce);
    return last;
  } catch (error) {
    // A server that is already gone need not be stopped.
    server.log.warn({ err: error as Error }, 'leaving the embedded PostgreSQL failed: it may keep running');
    return false;
  } finally {
    await endClient(client);
  }
}

/**
 * Releases the shared lock; returns whether no other process has it. Then none can take it until the server
 * has ended.
 */
async function isLast(client: pg.Client): Promise<boolean> {
  await within(askMs, client.query(`SELECT pg_advisory_unlock_shared(${presenceLock})`));
  const { rows } = await within(
    askMs,
    client.query<{ last: boolean }>(`SELECT pg_try_advisory_lock(${presenceLock}) AS last`),
  );
  return rows[0]?.last === true;
}
