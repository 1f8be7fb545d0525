import type { Batch, Connection } from '../storage/session.js';
import { StorageError } from '../storage/errors.js';
import { asDigits, asList, asObject, asText, ifGiven, wrong } from '../rows/check.js';
import type { FileKind } from './kind.js';
import type { Written } from '../write/kind.js';

/** A row of moraine.installation.ndjson. Times are ISO 8601. */
type InstallationRow = Identity | Key;

interface Identity {
  type: 'installation';
  id: string;
  /** `\x` and hex. */
  secret: string;
  createdAt: string;
  /** The last id that was given, by table. */
  lastIds: Readonly<Record<string, string>>;
}

interface Key {
  type: 'key';
  /** `\x` and hex. */
  hash: string;
  name: string;
  plan: string;
  rights: string[];
  expiresAt: string | null;
  revokedAt: string | null;
  createdAt: string;
  lastUsedAt: string | null;
}

/** The kind, and whether a file of it has been imported. */
interface InstallationImport extends FileKind<InstallationRow> {
  isAccepted: () => boolean;
}

const asPosition = asDigits(2n ** 36n - 1n);

/**
 * The file with an installation's secret and keys. With the ids in the other files of its export, it makes
 * the database the same installation: only then a page token names the row for which it was issued. So it is
 * imported only into a database that is empty, or the same installation.
 *
 * @param kinds every other kind of file
 * @param pagedTables the tables whose row ids the files of such an export contain
 * @param replace whether it may replace another installation's identity, if nothing else is stored
 */
export function installationImport(
  kinds: readonly FileKind[],
  pagedTables: readonly string[],
  replace: boolean,
): InstallationImport {
  let accepted = false;
  return {
    name: 'installation',
    file: /^moraine\.installation(?:\.|$)/,
    example: 'moraine.installation.ndjson',
    isAccepted: () => accepted,
    scope: () => ({}),
    rows: {
      tables: ['api_key'],
      lock: () => null,
      read: (value) => readRow(value, pagedTables),
      async write(client, _scope, rows) {
        const result: Written = { written: 0, unchanged: 0 };
        for (const row of rows) {
          const written =
            row.type === 'installation'
              ? await becomeInstallation(client, row, kinds, replace)
              : await writeKey(client, row);
          accepted ||= row.type === 'installation';
          result[written ? 'written' : 'unchanged'] += 1;
        }
        return result;
      },
    },
  };
}

/** @throws RowError */
function readRow(value: unknown, pagedTables: readonly string[]): InstallationRow {
  const row = asObject(value, 'the line');
  const createdAt = asTime(row.createdAt, 'createdAt');
  if (row.type === 'installation') {
    const given = asObject(row.lastIds, 'lastIds');
    const lastIds = pagedTables.flatMap((table) => {
      const last = ifGiven(asPosition, given[table], `lastIds.${table}`);
      return last === null ? [] : [[table, last] as const];
    });
    const id = asText(row.id, 'id');
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw wrong('id', id, 'a UUID');
    return {
      type: row.type,
      id,
      createdAt,
      lastIds: Object.fromEntries(lastIds),
      secret: asBytes(row.secret, 'secret'),
    };
  }
  if (row.type !== 'key') throw wrong('type', row.type, 'installation or key');
  return {
    type: row.type,
    hash: asBytes(row.hash, 'hash'),
    name: asText(row.name, 'name'),
    plan: asText(row.plan, 'plan'),
    rights: asList(asText)(row.rights, 'rights'),
    expiresAt: ifGiven(asTime, row.expiresAt, 'expiresAt'),
    revokedAt: ifGiven(asTime, row.revokedAt, 'revokedAt'),
    createdAt,
    lastUsedAt: ifGiven(asTime, row.lastUsedAt, 'lastUsedAt'),
  };
}

function asTime(value: unknown, name: string): string {
  const text = asText(value, name);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw wrong(name, value, 'an ISO 8601 time');
}

// The value is not shown: it may be the secret.
function asBytes(value: unknown, name: string): string {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return `\\x${value}`;
  throw wrong(name, null, '32 bytes in hex');
}

/** @throws StorageError when the database is another installation's */
async function becomeInstallation(
  client: Batch,
  row: Identity,
  kinds: readonly FileKind[],
  replace: boolean,
): Promise<boolean> {
  const { rows } = await client.query<{ id: string }>('SELECT id::text FROM installation');
  const present = rows[0]?.id;
  if (present !== row.id) {
    if (!(await hasNoRows(client, kinds)))
      throw new StorageError(
        'This database has its own data: page tokens of the export would point to other rows here. Import ' +
          'moraine.installation.ndjson into an empty database, or leave out that file and --with-secrets. Nothing was imported.',
      );
    if (present !== undefined && !replace)
      throw new StorageError(
        'A gateway has already run on this database and made it an installation of its own. With ' +
          '--replace-installation the exported installation replaces it; page tokens issued here become invalid, and ' +
          'keys created here stay valid. Stop its gateways first. Nothing was imported.',
      );
    await client.query('DELETE FROM installation');
    await client.query('INSERT INTO installation (id, secret, created_at) VALUES ($1, $2, $3)', [
      row.id,
      row.secret,
      row.createdAt,
    ]);
  }
  for (const [table, last] of Object.entries(row.lastIds)) {
    // Ids that the export contains must not be given to other rows.
    await client.query(
      `SELECT setval(name::regclass, $2::bigint) FROM pg_get_serial_sequence($1, 'id') AS name
       WHERE coalesce(pg_sequence_last_value(name::regclass), 0) < $2::bigint`,
      [table, last],
    );
  }
  return present !== row.id;
}

/** Whether any import of these kinds has written something: `hasRows`, in one row. */
export function hasRowsText(kinds: readonly FileKind[]): string {
  const tables = new Set(kinds.map((kind) => kind.rows.tables[0]));
  return `SELECT ${[...tables].map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(' OR ')} AS "hasRows"`;
}

/** Whether no import of these kinds has written anything yet. */
export async function hasNoRows(database: Connection, kinds: readonly FileKind[]): Promise<boolean> {
  const { rows } = await database.query<{ hasRows: boolean }>(hasRowsText(kinds));
  return rows[0]?.hasRows === false;
}

// A key that was revoked on either side stays revoked.
async function writeKey(client: Batch, key: Key): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO api_key AS known (hash, name, plan, rights, expires_at, revoked_at, created_at, last_used_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (hash) DO UPDATE SET revoked_at = coalesce(known.revoked_at, excluded.revoked_at),
       last_used_at = greatest(known.last_used_at, excluded.last_used_at)
     WHERE (known.revoked_at IS NULL AND excluded.revoked_at IS NOT NULL)
       OR coalesce(known.last_used_at < excluded.last_used_at, excluded.last_used_at IS NOT NULL
         AND known.last_used_at IS NULL)`,
    [key.hash, key.name, key.plan, key.rights, key.expiresAt, key.revokedAt, key.createdAt, key.lastUsedAt],
  );
  return rowCount === 1;
}
