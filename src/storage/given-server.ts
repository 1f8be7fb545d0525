import type pg from 'pg';
import type { Config } from '../config.js';
import { openClient, requestOptions } from './connection.js';
import { codeOf, isUnavailable, messageOf, StorageError } from './errors.js';
import {
  checkPooler,
  isRefusedSetting,
  poolerInsteadOf,
  settingsProblem,
  standingText,
} from './topology/pooler.js';
import type { Standing } from './topology/pooler.js';
import { isReadOnly } from './topology/replication.js';

/** The oldest major version of PostgreSQL that Moraine's SQL runs on. */
const OLDEST_MAJOR = 15;

/** A server that can be used. */
export interface JoinedServer {
  /** The server itself. */
  connection: pg.ClientConfig;
  /** The server that requests use: the pooler in front of it, or the same. */
  entrance: pg.ClientConfig;
  description: string;
  /** Of the entrance. */
  url: string;
  /** A hot standby. */
  follows: boolean;
  /** What the log says of it at the start. */
  warning?: string;
  leave: () => Promise<void>;
}

type GivenConfig = Pick<Config, 'DATABASE_URL' | 'DIRECT_DATABASE_URL' | 'STATEMENT_TIMEOUT_MS' | 'MIGRATE'>;

/** Milliseconds for the connection to a server, and for each of its answers. */
const PATIENCE_MS = 10_000;

/** Whether DATABASE_URL names a pooler. READ_DATABASE_URLS may then, too. */
export function isPooled({
  DATABASE_URL,
  DIRECT_DATABASE_URL = DATABASE_URL,
}: Pick<Config, 'DATABASE_URL' | 'DIRECT_DATABASE_URL'>): boolean {
  return DIRECT_DATABASE_URL !== DATABASE_URL;
}

/**
 * Reads the files that the addresses name as `sslcert`, `sslkey` and `sslrootcert`.
 *
 * @throws StorageError that names the setting and the file
 */
export function checkFiles(
  config: Pick<Config, 'DATABASE_URL' | 'DIRECT_DATABASE_URL' | 'READ_DATABASE_URLS'>,
): void {
  for (const name of ['DATABASE_URL', 'DIRECT_DATABASE_URL', 'READ_DATABASE_URLS'] as const) {
    for (const connectionString of [config[name] ?? []].flat()) {
      try {
        // pg reads them when the client is made.
        openClient({ connectionString });
      } catch (error) {
        const wrong = codeOf(error) ? 'names a file that cannot be read' : 'cannot be used';
        throw new StorageError(`${name} ${wrong}: ${messageOf(error)}`, { cause: error });
      }
    }
  }
}

/**
 * Checks the server of DATABASE_URL, or that of DIRECT_DATABASE_URL and the pooler in front of it.
 *
 * @throws StorageError with a message for the operator
 */
export async function joinGiven(config: GivenConfig): Promise<JoinedServer> {
  const { DATABASE_URL, DIRECT_DATABASE_URL = DATABASE_URL, STATEMENT_TIMEOUT_MS: limit, MIGRATE } = config;
  if (!DATABASE_URL || !DIRECT_DATABASE_URL)
    throw new StorageError('DIRECT_DATABASE_URL requires DATABASE_URL, which names the pooler.');
  const { where, version, follows, standing: direct } = await askServer(DIRECT_DATABASE_URL, config);
  if (MIGRATE === 'auto' && follows) throw new StorageError(readOnlyServer(where));
  let description = `PostgreSQL ${version} at ${where}`;
  let standing: Standing = direct;
  const pooled = isPooled(config);
  if (pooled) {
    const pooler = whereOf(DATABASE_URL);
    standing = await checkPooler(DATABASE_URL, pooler, direct, limit).catch((error: unknown) => {
      throw unusable('DATABASE_URL', pooler, error);
    });
    description += `, through the pooler at ${pooler}`;
  }
  const [connection, entrance] = [DIRECT_DATABASE_URL, DATABASE_URL].map((connectionString) => ({
    connectionString,
  })) as [pg.ClientConfig, pg.ClientConfig];
  const warning = settingsProblem(standing, pooled);
  const leave = () => Promise.resolve();
  return { connection, entrance, description, url: DATABASE_URL, follows, warning, leave };
}

async function askServer(url: string, { DIRECT_DATABASE_URL, STATEMENT_TIMEOUT_MS: limit }: GivenConfig) {
  const setting = url === DIRECT_DATABASE_URL ? 'DIRECT_DATABASE_URL' : 'DATABASE_URL';
  const bounds = { connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS };
  // As requests connect to it.
  const config = { connectionString: url, ...bounds, ...requestOptions, statement_timeout: limit };
  const client = openClient(config);
  const where = whereOf(url);
  try {
    await client.connect();
    const { rows } = await client.query<Standing & { version: string }>(
      `SELECT current_setting('server_version') AS version, standing.* FROM (${standingText}) standing`,
    );
    const [standing] = rows;
    const version = readServerVersion(standing?.version, where);
    if (standing?.limit !== limit) throw new StorageError(poolerInsteadOf(setting, where));
    return { where, version, standing, follows: await isReadOnly(client) };
  } catch (error) {
    if (isRefusedSetting(error)) throw new StorageError(poolerInsteadOf(setting, where), { cause: error });
    throw unusable(setting, where, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Host, port and name of a database. */
function whereOf(connectionString: string): string {
  const { host, port, database } = openClient({ connectionString });
  return `${host}:${port}/${database}`;
}

function unusable(setting: string, where: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const hint = isUnavailable(error) ? ' Is the server running, and reachable from here?' : '';
  return new StorageError(
    `The database of ${setting} (${where}) cannot be used: ${messageOf(error)}.${hint}`,
    { cause: error },
  );
}

function readOnlyServer(where: string): string {
  return (
    `The database of DATABASE_URL (${where}) is read-only, perhaps a hot standby: it cannot be brought up to date. ` +
    'To serve from it, start with MIGRATE=off; otherwise set DATABASE_URL to its primary.'
  );
}

/**
 * Reads PostgreSQL's own `server_version`, for example "15.18 (Debian 15.18-0+deb12u1)".
 *
 * @param where which server, for the message
 * @returns only the number, "15.18"
 * @throws StorageError when the server is older than Moraine's SQL needs, or says something else
 */
export function readServerVersion(text: string | undefined, where: string): string {
  const [version = ''] = (text ?? '').split(' ');
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return version;
  throw new StorageError(
    `DATABASE_URL names a PostgreSQL of version ${JSON.stringify(text)} at ${where}; Moraine needs ${OLDEST_MAJOR} or newer.`,
  );
}
