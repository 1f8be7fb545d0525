import pg from 'pg';
import type { Logger } from 'pino';
import { figuresOf, type PreparedFigures } from './prepared-statements.js';
import { MOST_REPLY_BYTES } from './reply-bytes.js';
import { GOODBYE_MS, SteadyClient } from './steady-client.js';

/** Only this file makes pools of pg, and clients, which are those of steady-client.ts. */

// The system notices a peer that vanished within this time and ten probes, one a second.
const alive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
/** Milliseconds in which the server must report its own statement_timeout. */
const GRACE_MS = 1000;
/** How often to check busy connections, milliseconds. */
const SWEEP_MS = 500;
/** Milliseconds that closing a pool waits for borrowed connections. */
const CLOSE_MS = 1000;

/**
 * What the sessions of requests need of PostgreSQL, whatever the server's own settings are.
 *
 * Statements are planned once on each connection, for any parameters. Left to itself, PostgreSQL plans most
 * pages and look-ups again for each request: it assumes ten elements for an unknown array, so that the plan
 * for one address or one key looks cheaper than the general plan, although they are the same
 * (docs/decisions/0037-planned-once.md). Compiling a plan takes longer than any of our reads: 179 ms at the
 * first use on each connection for one of 0.2. With a random_page_cost of 4, for disks that turn, the planner
 * avoids the indexes that every list needs.
 */
export const requestSettings: Readonly<Record<string, string>> = {
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  random_page_cost: '1.1',
};

/** Sent at the start of a connection. Those in the URL of a database come after them; poolers accept none. */
export const requestOptions = {
  sessionOptions: Object.entries(requestSettings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
};

/** A connection outside the pool, not yet connected. Its loss only fails its statements. */
export function openClient(config: pg.ClientConfig & { sessionOptions?: string }): pg.Client {
  return new SteadyClient({ ...alive, ...config });
}

/**
 * Lets statements of a borrowed connection take any time and return any number of bytes: those of imports,
 * which have no statement_timeout.
 */
export function waitPatiently(client: pg.ClientBase): void {
  if (client instanceof SteadyClient) client.patient = true;
}

export interface PoolOptions {
  max: number;
  connectionTimeoutMillis: number;
  /** The server's statement_timeout, milliseconds. */
  statementTimeoutMillis: number;
  /** There may be a pooler, which passes no settings on: then the role has that statement_timeout. */
  pooled?: boolean;
  log: Logger;
}

export interface ClosablePool {
  pool: pg.Pool;
  /** What its connections have prepared now. */
  prepared: () => PreparedFigures;
  /** Breaks every connection at once; their statements fail with this message, which begins as pg's do. */
  giveUp: (message: string) => void;
  /** Ends every connection, within seconds even if the server does not answer. */
  close: () => Promise<void>;
}

/**
 * A pool whose connections are broken off when the server stays silent beyond its own statement_timeout: the
 * network loses what is sent, or the server hangs.
 */
export function openPool(connection: pg.ClientConfig, options: PoolOptions): ClosablePool {
  const { log, statementTimeoutMillis, pooled, ...bounds } = options;
  const config = {
    ...alive,
    ...connection,
    ...bounds,
    ...(pooled ? { pooled } : { statement_timeout: statementTimeoutMillis }),
    mostBytes: MOST_REPLY_BYTES,
  };
  const pool = new pg.Pool({ ...config, Client: SteadyClient });
  const clients = new Set<SteadyClient>();
  pool.on('connect', (client) => {
    if (!(client instanceof SteadyClient)) return;
    clients.add(client);
    client.once('end', () => clients.delete(client));
  });
  pool.on('acquire', (client) => ((client as pg.PoolClient & SteadyClient).lent = true));
  pool.on('release', (_error, client) => ((client as pg.PoolClient & SteadyClient).lent = false));
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ err: error }, 'an idle database connection failed');
  });
  watchSilence(pool, clients, statementTimeoutMillis + GRACE_MS, log);
  const giveUp = (message: string) => {
    for (const client of clients) client.giveUp(message);
  };
  return {
    pool,
    giveUp,
    prepared: () => figuresOf(clients),
    async close() {
      if (pool.ending) return;
      const impatience = setTimeout(
        () => giveUp('Connection terminated: the database is being closed'),
        CLOSE_MS,
      ).unref();
      await Promise.race([pool.end(), passing(CLOSE_MS + GOODBYE_MS)]);
      clearTimeout(impatience);
    },
  };
}

// One timer for all statements of a pool, because one for each is expensive.
function watchSilence(pool: pg.Pool, clients: ReadonlySet<SteadyClient>, limit: number, log: Logger): void {
  let last = performance.now();
  const sweep = setInterval(() => {
    if (pool.ended) clearInterval(sweep);
    const now = performance.now();
    const late = now - last > 2 * SWEEP_MS;
    last = now;
    // Timers run before sockets are read: after a pause of this process answers may be unread.
    if (late) return;
    const silent = [...clients].filter((client) => client.silence(now) > limit);
    if (silent.length === 0) return;
    log.warn({ connections: silent.length }, 'the database no longer answers: its connections are closed');
    // Idle ones use the same network; each of them would cost a caller the whole time to find out.
    for (const client of clients) if (silent.includes(client) || !client.lent) client.giveUp(SILENT_MESSAGE);
  }, SWEEP_MS).unref();
}

/**
 * The beginning of the error of a statement whose connection fell silent; pg's errors of lost connections
 * begin so too.
 */
const SILENT_MESSAGE = 'Connection terminated: the database did not answer in time';

function passing(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
