import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { stringify } from 'lossless-json';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import type { BatchLimits } from '../../src/write/batch.js';
import { checkpointKind } from '../../src/ingest/checkpoints.js';
import { importExport } from '../../src/ingest/import-export.js';
import type { ImportResult } from '../../src/ingest/import-files.js';
import { fileKinds } from '../../src/resources.js';
import type { FileKind } from '../../src/ingest/kind.js';
import { Rejects } from '../../src/ingest/rejects.js';
import { recogniseFiles } from '../../src/ingest/source-file.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { poolOf } from './connections.js';
import { createDatabase } from './database.js';

/** A separate, migrated database, open, and a folder for files. */
export interface ImportDatabase {
  storage: Storage;
  url: string;
  folder: string;
  /** Writes rows as NDJSON, or a plain text; compressed when the name ends in .gz. */
  write: (name: string, content: readonly object[] | string) => string;
  close: () => Promise<void>;
}

export async function createImportDatabase(): Promise<ImportDatabase> {
  const database = await createDatabase();
  const storage = await openStorage(loadConfig({ DATABASE_URL: database.url }), pino({ level: 'silent' }));
  const folder = mkdtempSync(join(tmpdir(), 'moraine-import-'));
  return {
    storage,
    url: database.url,
    folder,
    write(name, content) {
      const text =
        typeof content === 'string' ? content : content.map((row) => `${stringify(row) ?? ''}\n`).join('');
      const path = join(folder, name);
      writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
      return path;
    },
    async close() {
      await storage.close();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** An import's result with what it printed. */
export interface RunImport extends ImportResult {
  lines: string[];
}

export interface RunOptions {
  limits?: BatchLimits;
  kinds?: readonly FileKind[];
  signal?: AbortSignal;
  indexLateFrom?: number;
}

/** Imports files as the command does, in this process. */
export async function runImport(
  storage: Storage,
  paths: readonly string[],
  { limits, kinds = fileKinds, signal, indexLateFrom }: RunOptions = {},
): Promise<RunImport> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const progress = { advance: () => undefined, print, stop: () => undefined };
  const rejects = new Rejects(print);
  const files = recogniseFiles(paths, {}, [...kinds, checkpointKind]);
  const options = { progress, rejects, signal, limits, indexLateFrom };
  const result = await importExport(storage, files, kinds, options);
  rejects.close();
  return { ...result, lines };
}

const TABLES = [
  'asset',
  'address',
  'utxo',
  'utxo_owner',
  'address_balance',
  'address_holding',
  'holding_output',
  'address_day',
  'address_transaction',
  'asset_transaction',
  'transaction',
  'transaction_output',
  'transaction_input',
  'subnet_transaction',
  'validator_transaction',
  'l1_validator',
  'l1_validator_transaction',
  'subnet_validator',
  'reward_transaction',
  'transaction_day',
  'stake_day',
  'active_address_day',
];

/** How a dump shows the rows of a table: SQL over the SQL that returns each as `row`, a jsonb. */
type Telling = (rows: string) => string;

/** Each row, sorted, so that a difference shows the row. */
const eachRow: Telling = (rows) => `SELECT row::text AS row FROM (${rows}) r ORDER BY row::text COLLATE "C"`;

/**
 * How many there are and the sum of their hashes: for large tables, whose sorting takes longer than reading
 * them.
 */
export const hashOfRows: Telling = (rows) =>
  `SELECT count(*) || ' ' || coalesce(sum(hashtextextended(row::text, 0)), 0) AS row FROM (${rows}) r`;

/** Every row of the ledger's tables without row ids: equal for databases with the same contents. */
export async function dumpLedger(storage: Storage, tell = eachRow): Promise<Record<string, unknown[]>> {
  const queries: Record<string, string> = {
    asset: `SELECT to_jsonb(a) - 'id' AS row FROM asset a`,
    address: `SELECT to_jsonb(a) - 'id' AS row FROM address a`,
    utxo: `SELECT to_jsonb(u) - '{id,asset_row_id}'::text[] || jsonb_build_object('asset', a.asset_id) AS row
           FROM utxo u JOIN asset a ON a.id = u.asset_row_id`,
    utxo_owner: `SELECT to_jsonb(o) - '{utxo_row_id,address_id,asset_row_id}'::text[]
             || jsonb_build_object('utxo', u.utxo_id, 'network', u.network, 'address', d.address, 'asset', a.asset_id) AS row
           FROM utxo_owner o JOIN utxo u ON u.id = o.utxo_row_id JOIN address d ON d.id = o.address_id
             JOIN asset a ON a.id = o.asset_row_id`,
    address_balance: `SELECT to_jsonb(b) - '{address_id,asset_row_id}'::text[]
             || jsonb_build_object('network', d.network, 'address', d.address, 'asset', a.asset_id) AS row
           FROM address_balance b JOIN address d ON d.id = b.address_id JOIN asset a ON a.id = b.asset_row_id`,
    address_holding: `SELECT to_jsonb(h) - '{id,address_id,asset_row_id}'::text[]
             || jsonb_build_object('network', d.network, 'address', d.address, 'asset', a.asset_id) AS row
           FROM address_holding h JOIN address d ON d.id = h.address_id JOIN asset a ON a.id = h.asset_row_id`,
    holding_output: `SELECT to_jsonb(h) - '{id,address_id,asset_row_id}'::text[] || to_jsonb(m) - '{holding_id,utxo_row_id}'::text[]
             || jsonb_build_object('utxo', u.utxo_id, 'network', u.network, 'address', d.address) AS row
           FROM holding_output m JOIN address_holding h ON h.id = m.holding_id JOIN utxo u ON u.id = m.utxo_row_id
             JOIN address d ON d.id = h.address_id`,
    address_day: `SELECT to_jsonb(y) - '{address_id,asset_row_id}'::text[]
             || jsonb_build_object('network', d.network, 'address', d.address, 'asset', a.asset_id) AS row
           FROM address_day y JOIN address d ON d.id = y.address_id JOIN asset a ON a.id = y.asset_row_id`,
    address_transaction: `SELECT to_jsonb(h) - '{transaction_id,address_id}'::text[]
             || jsonb_build_object('network', t.network, 'transaction', t.tx_hash, 'address', d.address) AS row
           FROM address_transaction h JOIN transaction t ON t.id = h.transaction_id JOIN address d ON d.id = h.address_id`,
    asset_transaction: `SELECT to_jsonb(l) - '{transaction_id,asset_row_id}'::text[]
             || jsonb_build_object('network', t.network, 'transaction', t.tx_hash, 'asset', a.asset_id) AS row
           FROM asset_transaction l JOIN transaction t ON t.id = l.transaction_id JOIN asset a ON a.id = l.asset_row_id`,
    transaction: `SELECT to_jsonb(t) - 'id' AS row FROM transaction t`,
    subnet_transaction: `SELECT to_jsonb(l) - '{transaction_id,subnet_row_id}'::text[]
             || jsonb_build_object('network', t.network, 'transaction', t.tx_hash, 'subnet', s.subnet_id) AS row
           FROM subnet_transaction l JOIN transaction t ON t.id = l.transaction_id JOIN subnet s ON s.id = l.subnet_row_id`,
    validator_transaction: `SELECT to_jsonb(l) - '{transaction_id,validator_row_id}'::text[]
             || jsonb_build_object('network', t.network, 'transaction', t.tx_hash, 'node', v.node_id) AS row
           FROM validator_transaction l JOIN transaction t ON t.id = l.transaction_id JOIN validator v ON v.id = l.validator_row_id`,
    l1_validator_transaction: `SELECT to_jsonb(l) - '{transaction_id,l1_validator_row_id}'::text[]
             || jsonb_build_object('network', t.network, 'transaction', t.tx_hash, 'validation', e.validation_id) AS row
           FROM l1_validator_transaction l JOIN transaction t ON t.id = l.transaction_id
             JOIN l1_validator e ON e.id = l.l1_validator_row_id`,
    reward_transaction: `SELECT to_jsonb(l) - '{transaction_id,address_id,validator_row_id}'::text[]
             || jsonb_build_object('network', t.network, 'transaction', t.tx_hash, 'address', d.address, 'node', v.node_id) AS row
           FROM reward_transaction l JOIN transaction t ON t.id = l.transaction_id JOIN address d ON d.id = l.address_id
             LEFT JOIN validator v ON v.id = l.validator_row_id`,
    // A validator that no transaction changes any more is shown nowhere.
    l1_validator: `SELECT to_jsonb(e) - '{id,subnet_row_id,validator_row_id}'::text[]
             || jsonb_build_object('subnet', s.subnet_id, 'node', v.node_id) AS row
           FROM l1_validator e LEFT JOIN subnet s ON s.id = e.subnet_row_id LEFT JOIN validator v ON v.id = e.validator_row_id
           WHERE EXISTS (SELECT 1 FROM l1_validator_transaction l WHERE l.l1_validator_row_id = e.id)`,
    subnet_validator: `SELECT jsonb_build_object('network', s.network, 'subnet', s.subnet_id, 'node', b.node_id, 'validator', v.node_id) AS row
           FROM subnet_validator b JOIN subnet s ON s.id = b.subnet_row_id JOIN validator v ON v.id = b.validator_row_id`,
    ...Object.fromEntries(
      ['transaction_day', 'stake_day', 'active_address_day'].map((table) => [
        table,
        `SELECT to_jsonb(d) AS row FROM ${table} d`,
      ]),
    ),
    ...Object.fromEntries(
      ['transaction_output', 'transaction_input'].map((table) => [
        table,
        `SELECT jsonb_build_object('transaction', t.tx_hash, 'position', l.position, 'utxo', u.utxo_id) AS row
         FROM ${table} l JOIN transaction t ON t.id = l.transaction_id JOIN utxo u ON u.id = l.utxo_row_id`,
      ]),
    ),
  };
  const dump: Record<string, unknown[]> = {};
  for (const table of TABLES) {
    // A whole table takes longer than a statement of a request may.
    const { rows } = await storage.session(async (session) => {
      await session.query('SET statement_timeout = 0');
      return session.query<{ row: string }>(tell(queries[table] as string));
    });
    dump[table] = rows.map(({ row }) => row);
  }
  return dump;
}

/**
 * The place of every row version of the ledger's tables and the transaction that made it: any write changes
 * it.
 */
export async function rowVersions(storage: Storage): Promise<Record<string, string>> {
  const versions: Record<string, string> = {};
  for (const table of TABLES) {
    const { rows } = await poolOf(storage).query<{ version: string }>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(ctid::text || xmin::text, ',' ORDER BY ctid)), '') AS version FROM ${table}`,
    );
    versions[table] = rows[0]?.version ?? '';
  }
  return versions;
}
