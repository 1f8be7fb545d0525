import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { openDatabase } from '../../src/open-database.js';
import type { RunningServer } from '../../packages/embedded-postgres-server/src/index.js';
import { openHere, query, temporaryFolder, until } from './embedded.js';

type Connection = RunningServer['connection'];

/**
 * A primary with the tables of Moraine, and a hot standby that streams from it, both controlled by this
 * process.
 */
export interface Replication {
  primaryUrl: string;
  standbyUrl: string;
  /** Waits until the standby has replayed what the primary has written so far. */
  caughtUp: () => Promise<void>;
  /** What the standby receives is stored, but not applied, until `resume`. */
  pause: () => Promise<void>;
  resume: () => Promise<void>;
  /** The standby's receiver disconnects from the primary, until `attach`. */
  detach: () => Promise<void>;
  attach: () => Promise<void>;
  /** The same through another address of the primary, a proxy's. */
  attachBy: (url: string) => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Starts both from the embedded programs: a standby is a copy of the stopped primary with a setting that says
 * where to continue.
 */
export async function openReplication(): Promise<Replication> {
  const folder = await temporaryFolder();
  const [first, second] = [join(folder.path, 'primary'), join(folder.path, 'standby')];
  await (await openHere({ dataFolder: first })).leave();
  await mkdir(second, { mode: 0o711 });
  await cp(first, second, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });

  const primary = await openHere({ dataFolder: first });
  const cluster = join(second, 'postgres');
  await writeFile(join(cluster, 'standby.signal'), '');
  await appendFile(
    join(cluster, 'postgresql.conf'),
    `\nprimary_conninfo = '${conninfo(primary.connection)}'\nwal_retrieve_retry_interval = '100ms'\nwal_receiver_timeout = '4s'\n`,
  );
  const standby = await openHere({ dataFolder: second });
  const ask = (sql: string) => query<Record<string, unknown>>(standby.connection, sql);
  const receiving = async (wanted: boolean) => {
    const rows = await ask(`SELECT 1 FROM pg_stat_wal_receiver WHERE status = 'streaming'`);
    return rows.length > 0 === wanted;
  };
  const pointTo = async (text: string | null, connected = text === null) => {
    await ask(
      text === null ? 'ALTER SYSTEM RESET primary_conninfo' : `ALTER SYSTEM SET primary_conninfo = '${text}'`,
    );
    await ask('SELECT pg_reload_conf()');
    await until(() => receiving(connected));
  };
  await until(() => receiving(true));
  const primaryUrl = urlOf(primary.connection);
  const made = await openDatabase(loadConfig({ DATABASE_URL: primaryUrl }), pino({ level: 'silent' }));
  await made.close();
  return {
    primaryUrl,
    standbyUrl: urlOf(standby.connection),
    async caughtUp() {
      const [row] = await query<{ lsn: string }>(
        primary.connection,
        'SELECT pg_current_wal_lsn()::text AS lsn',
      );
      const replayed = `SELECT 1 WHERE pg_last_wal_replay_lsn() >= '${row!.lsn}'::pg_lsn`;
      await until(async () => (await ask(replayed)).length > 0);
    },
    pause: async () => void (await ask('SELECT pg_wal_replay_pause()')),
    resume: async () => void (await ask('SELECT pg_wal_replay_resume()')),
    detach: () => pointTo(''),
    attach: () => pointTo(null),
    attachBy(url) {
      const { hostname: host, port } = new URL(url);
      return pointTo(conninfo({ ...primary.connection, host, port: Number(port) }), true);
    },
    async close() {
      await standby.leave();
      await primary.leave();
      await folder.drop();
    },
  };
}

function conninfo({ host, port, user, password }: Connection): string {
  return `host=${host} port=${port} user=${user} password=${password}`;
}

/** The address of a database of an embedded server. */
export function urlOf({ host, port, user, password, database }: Connection): string {
  return `postgresql://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}
