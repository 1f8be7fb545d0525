import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openClient, requestSettings } from '../connection.js';
import { StorageError } from '../errors.js';

/** Milliseconds for the connection to a pooler, and for each of its answers. */
const PATIENCE_MS = 10_000;

const wanted =
  'Moraine needs PgBouncer 1.21 or newer with pool_mode = transaction and max_prepared_statements of 100 or more; ' +
  'docs/operating.md, "Behind PgBouncer", has an example.';

/** What a server reports on one connection. */
export interface Standing {
  /** Milliseconds after which it cancels a statement; 0: never. */
  limit: number;
  /** Different for every other database of every other server, as long as the server runs. */
  identity: string;
  role: string;
  /** Its values of `requestSettings`. */
  settings: Record<string, string>;
}

/** Properties of the connection on which it is sent. */
export const standingText = `
  SELECT (SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout') AS "limit",
    pg_postmaster_start_time()::text || ' ' || current_database() AS identity, current_user AS role,
    (SELECT jsonb_object_agg(name, setting) FROM pg_settings
      WHERE name IN (${Object.keys(requestSettings)
        .map((name) => `'${name}'`)
        .join()})) AS settings`;

/**
 * Checks whether requests can be answered through a pooler.
 *
 * @param where which one, for messages
 * @param direct what the server reports without it
 * @param limit milliseconds that a statement may take
 * @returns what the server reports through it
 * @throws StorageError that says what to do; what pg throws when it cannot be reached
 */
export async function checkPooler(
  connectionString: string,
  where: string,
  direct: Standing,
  limit: number,
): Promise<Standing> {
  const client = openClient(briefly(connectionString));
  try {
    await client.connect();
    const standing = await askThrough(client);
    if (!standing) throw new StorageError(await tooOld(connectionString, where));
    if (standing.identity !== direct.identity)
      throw new StorageError(
        `DATABASE_URL (${where}) and DIRECT_DATABASE_URL name different databases; DATABASE_URL has to be the pooler of DIRECT_DATABASE_URL.`,
      );
    const problem = limitProblem(standing.limit, limit);
    if (problem)
      throw new StorageError(
        `Through the pooler of DATABASE_URL (${where}) statements ${problem}. A pooler does not pass this setting on, so ` +
          `the role has to have it: ALTER ROLE ${pg.escapeIdentifier(standing.role)} SET statement_timeout = ${limit}; ` +
          'then RECONNECT in the console of PgBouncer, or restart it.',
      );
    return standing;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** What is wrong with a server's own statement_timeout; undefined when nothing is. */
export function limitProblem(limitMs: number, limit: number): string | undefined {
  if (limitMs > 0 && limitMs <= limit) return undefined;
  return `${limitMs === 0 ? 'have no time limit' : `may take ${limitMs} ms`}, while STATEMENT_TIMEOUT_MS is ${limit}`;
}

/**
 * The `requestSettings` that the sessions of requests do not have, for the log; undefined when nothing.
 * @param pooled through a pooler
 */
export function settingsProblem({ settings, role }: Standing, pooled: boolean): string | undefined {
  const missing = Object.entries(requestSettings).filter(([name, value]) => settings[name] !== value);
  if (missing.length === 0) return undefined;
  const present = missing.map(([name]) => `${name} = ${settings[name] ?? 'unknown'}`).join(', ');
  const way = pooled
    ? `A pooler does not pass these settings on, so the role should have them: ${missing
        .map(([name, value]) => `ALTER ROLE ${pg.escapeIdentifier(role)} SET ${name} = ${value}`)
        .join('; ')}; then RECONNECT in the console of PgBouncer, or restart it.`
    : 'The options in DATABASE_URL say so.';
  return `requests run with ${present}, which makes some of them slow. ${way}`;
}

/** Whether a server refused a connection in the way of poolers that do not support a setting. */
export function isRefusedSetting(error: unknown): boolean {
  return /unsupported startup parameter/.test((error as Error).message);
}

/** What to do if an address leads to a pooler instead of a server. */
export function poolerInsteadOf(setting: string, where: string): string {
  const way =
    setting === 'DATABASE_URL'
      ? 'Also set DIRECT_DATABASE_URL to the server itself.'
      : 'Set it to the server itself.';
  return `${setting} (${where}) is a pooler, perhaps PgBouncer: it does not pass statement_timeout on. ${way}`;
}

/**
 * Sends a prepared statement, as requests do; undefined if the server keeps it under the name that we gave
 * it. The next transaction may get another server connection, which has no such statement, or that of another
 * client.
 */
async function askThrough(client: pg.Client): Promise<Standing | undefined> {
  const probe = `moraine_${randomBytes(8).toString('hex')}`;
  const text = `${standingText}, EXISTS (SELECT FROM pg_prepared_statements WHERE name = $1) AS kept`;
  await client.query('BEGIN');
  const { rows } = await client.query<Standing & { kept: boolean }>({ name: probe, text, values: [probe] });
  const [standing] = rows;
  if (standing?.kept) await client.query(`DEALLOCATE ${probe}`);
  await client.query('ROLLBACK');
  return standing?.kept ? undefined : standing;
}

async function tooOld(connectionString: string, where: string): Promise<string> {
  const version = await versionOf(connectionString);
  const known = version
    ? `it is ${version}, perhaps with max_prepared_statements = 0`
    : 'it is PgBouncer before 1.21, or has max_prepared_statements = 0 (only its stats_users can read its version)';
  return `The pooler of DATABASE_URL (${where}) does not keep the prepared statements of its clients apart: ${known}. ${wanted}`;
}

/** "PgBouncer 1.18.0"; undefined when we may not use its console. */
async function versionOf(connectionString: string): Promise<string | undefined> {
  const console = new URL(connectionString);
  console.pathname = '/pgbouncer';
  const client = openClient(briefly(console.href));
  try {
    await client.connect();
    return (await client.query<{ version: string }>('SHOW VERSION')).rows[0]?.version;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function briefly(connectionString: string): pg.ClientConfig {
  return { connectionString, connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS };
}
