import type pg from 'pg';
import { NamedQuery } from './named-query.js';

/** Observes the work of a pool. Times are in seconds. */
export interface PoolWatcher {
  /** A piece of work got a connection, or gave up waiting for one. */
  waited(seconds: number, got: boolean): void;
  /** A statement ended. `name` is undefined for those without one: transactions, keys, jobs. */
  ran(name: string | undefined, seconds: number, rows: number, failed: boolean): void;
}

type Query = (this: pg.ClientBase, ...args: unknown[]) => unknown;
type Connect = (callback?: Got) => Promise<pg.PoolClient> | void;
type Got = (error: Error | undefined, client: pg.PoolClient | undefined, release: () => void) => void;

/**
 * Reports to a watcher what a pool does from now on, whoever uses it: pg itself emits neither waits nor
 * statements.
 */
export function watchPool(pool: pg.Pool, watcher: PoolWatcher): void {
  const watched = new WeakSet<pg.PoolClient>();
  const connect = pool.connect.bind(pool) as Connect;
  function got(since: number, client: pg.PoolClient | undefined): void {
    watcher.waited((performance.now() - since) / 1000, client !== undefined);
    if (!client || watched.has(client)) return;
    watched.add(client);
    watchClient(client, watcher);
  }
  const watching: Connect = (callback) => {
    const since = performance.now();
    // pool.query comes this way too, with a callback.
    if (callback)
      return connect((error, client, release) => {
        got(since, client);
        callback(error, client, release);
      });
    const connected = connect() as Promise<pg.PoolClient>;
    connected.then(
      (client) => got(since, client),
      () => got(since, undefined),
    );
    return connected;
  };
  pool.connect = watching as typeof pool.connect;
}

/** A statement's name as it is reported: up to a colon, after which there is no end of names. */
function kindOf(name: string | undefined): string | undefined {
  return name?.includes(':') ? name.slice(0, name.indexOf(':')) : name;
}

function watchClient(client: pg.PoolClient, watcher: PoolWatcher): void {
  const prototype = Object.getPrototypeOf(client) as { query: Query };
  const watching: Query = (...args) => {
    const [statement] = args as [{ name?: string; submit?: unknown } | string];
    const name = typeof statement === 'object' ? kindOf(statement.name) : undefined;
    const since = performance.now();
    if (statement instanceof NamedQuery)
      statement.onEnd = (error, rows) =>
        watcher.ran(name, (performance.now() - since) / 1000, rows, error !== undefined);
    // Streams and cursors report their end in their own ways.
    if (typeof statement === 'object' && statement.submit) return prototype.query.apply(client, args);
    const ended = (error: unknown, result: unknown) =>
      watcher.ran(name, (performance.now() - since) / 1000, rowsOf(result), Boolean(error));
    const last = args.at(-1);
    if (typeof last === 'function') {
      args[args.length - 1] = (error: unknown, result: unknown) => {
        ended(error, result);
        (last as (error: unknown, result: unknown) => void)(error, result);
      };
      return prototype.query.apply(client, args);
    }
    const running = prototype.query.apply(client, args) as Promise<unknown>;
    running.then(
      (result) => ended(undefined, result),
      (error: unknown) => ended(error ?? true, undefined),
    );
    return running;
  };
  client.query = watching as typeof client.query;
}

function rowsOf(result: unknown): number {
  return (result as { rows?: unknown[] } | undefined)?.rows?.length ?? 0;
}
