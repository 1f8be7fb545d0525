import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { openDatabase } from '../../src/open-database.js';
import type { RunningServer } from '../../packages/embedded-postgres-server/src/index.js';
import { openHere, query, temporaryFolder, until } from './embedded.js';
import { urlOf } from './standby.js';

/** A server of the family. */
export interface Member {
  url: string;
  /** Promotes the standby. */
  promote: () => Promise<void>;
  /** Makes its log longer than that of any other, and waits until `followers` have it. */
  goAhead: () => Promise<void>;
}

/** Servers of one cluster: `second` follows `first` until it is promoted. */
export interface Family extends Record<'first' | 'second' | 'ofFirst' | 'ofSecond' | 'ofRestored', Member> {
  close: () => Promise<void>;
}

type Connection = RunningServer['connection'];

/** Segments of 16 MB by which a log is made longer: more than any of the servers writes otherwise. */
const AHEAD_SEGMENTS = 4;
/** A standby that starts late still finds the log that it lacks. */
const settings = { wal_keep_size: '512MB' };

/**
 * Starts them all from the embedded programs; `ofRestored` follows a cluster with the contents of a dump of
 * `first`.
 */
export async function openFamily(): Promise<Family> {
  const folder = await temporaryFolder();
  const servers: RunningServer[] = [];
  const start = async (name: string, follows?: Connection, from?: string) => {
    const path = join(folder.path, name);
    if (from) {
      await mkdir(path, { mode: 0o711 });
      await cp(join(folder.path, from), path, {
        recursive: true,
        verbatimSymlinks: true,
        preserveTimestamps: true,
      });
    }
    if (follows) await follow(join(path, 'postgres'), follows);
    const server = await openHere({ dataFolder: path });
    servers.push(server);
    return server.connection;
  };
  for (const base of ['base', 'other'])
    await (await openHere({ dataFolder: join(folder.path, base), settings })).leave();
  const first = await start('first', undefined, 'base');
  const second = await start('second', first, 'base');
  const ofFirst = await start('of-first', first, 'base');
  const ofSecond = await start('of-second', second, 'base');
  const restored = await start('restored', undefined, 'other');
  const ofRestored = await start('of-restored', restored, 'other');
  for (const each of [first, restored]) await migrated(each);
  await restore(first, restored);
  await goAhead(restored, [ofRestored]);
  for (const each of [second, ofFirst, ofSecond]) await caughtUp(first, each);
  const member = (connection: Connection, followers: Connection[] = []): Member => ({
    url: urlOf(connection),
    promote: async () => void (await query(connection, 'SELECT pg_promote()')),
    goAhead: () => goAhead(connection, followers),
  });
  return {
    first: member(first, [ofFirst]),
    second: member(second, [ofSecond]),
    ofFirst: member(ofFirst),
    ofSecond: member(ofSecond),
    ofRestored: member(ofRestored),
    async close() {
      for (const server of servers.reverse()) await server.leave();
      await folder.drop();
    },
  };
}

async function follow(cluster: string, { host, port, user, password }: Connection): Promise<void> {
  const source = `host=${host} port=${port} user=${user} password=${password}`;
  await writeFile(join(cluster, 'standby.signal'), '');
  await appendFile(
    join(cluster, 'postgresql.conf'),
    `\nprimary_conninfo = '${source}'\nwal_retrieve_retry_interval = '100ms'\n`,
  );
}

async function migrated(connection: Connection): Promise<void> {
  const config = loadConfig({ DATABASE_URL: urlOf(connection) });
  await (await openDatabase(config, pino({ level: 'silent' }))).close();
}

/** The rows that identify an installation, and the words that were written for its replicas. */
async function restore(from: Connection, to: Connection): Promise<void> {
  await query(from, `INSERT INTO installation (id, secret) VALUES (gen_random_uuid(), '\\x00')`);
  const [row] = await query<{ id: string }>(from, 'SELECT id::text AS id FROM installation');
  await query(to, `INSERT INTO installation (id, secret) VALUES ('${row!.id}', '\\x00')`);
}

async function goAhead(connection: Connection, followers: Connection[]): Promise<void> {
  for (let segment = 0; segment < AHEAD_SEGMENTS; segment += 1) {
    await query(connection, `SELECT pg_logical_emit_message(false, 'test', 'longer')`);
    await query(connection, 'SELECT pg_switch_wal()');
  }
  for (const each of followers) await caughtUp(connection, each);
}

async function caughtUp(primary: Connection, standby: Connection): Promise<void> {
  await query(primary, `SELECT pg_logical_emit_message(true, 'test', 'end')`);
  const [row] = await query<{ lsn: string }>(primary, 'SELECT pg_current_wal_lsn()::text AS lsn');
  const replayed = `SELECT 1 WHERE pg_last_wal_replay_lsn() >= '${row!.lsn}'::pg_lsn`;
  await until(async () => (await query(standby, replayed)).length > 0);
}
