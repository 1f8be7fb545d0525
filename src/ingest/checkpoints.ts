import { createHash, type Hash } from 'node:crypto';
import type { Network } from '../avalanche/networks.js';
import { printJson } from '../json.js';
import { asMember, asObject, wrong } from '../rows/check.js';
import { RowError } from '../rows/errors.js';
import type { Batch } from '../storage/session.js';
import type { WriteScope } from '../write/scope.js';
import { COUNT_DELEGATIONS, SUM_STAKES } from '../state/delegations.js';
import { nameL1Validators } from '../state/l1-validators.js';
import { CHECKPOINT_FILE, checkpointTables, type CheckpointTable } from './checkpoint-tables.js';
import { IngestError } from './errors.js';
import { presentRows } from './former-streams.js';
import type { FileKind } from './kind.js';
import { parseLine } from './line-value.js';
import { readChunks, splitLines } from './lines.js';

/** A line after the first one: a row by the names of its table's columns. */
interface CheckpointRow {
  readonly table: CheckpointTable;
  readonly row: Readonly<Record<string, unknown>>;
}

/** A file's name says nothing: its first line says to which networks its rows may belong. */
interface CheckpointScope extends WriteScope {
  readonly networks?: readonly Network[];
}

/** Rows that are sent together, and characters of their lines. */
const MOST_ROWS = 2000;
const MOST_CHARACTERS = 1024 * 1024;

const asTable = asMember(checkpointTables);

/** The file from which a follower resumes after an import: all of it is written at once, after the rows. */
export const checkpointKind: FileKind<CheckpointRow, CheckpointScope> = {
  name: 'checkpoints',
  file: /^moraine\.checkpoints(?:\.|$)/,
  example: `${CHECKPOINT_FILE}.ndjson`,
  scope: () => ({}),
  rows: {
    tables: checkpointTables,
    lock: () => null,
    read(value, { networks = [] }) {
      const line = asObject<CheckpointRow>(value, 'the line');
      const row = asObject(line.row, 'row');
      const { network } = row;
      if (network !== undefined && !networks.includes(network as Network))
        throw wrong('row.network', network, `one of the first line: ${networks.join(' or ')}`);
      const table = asTable(line.table, 'table');
      if (Object.keys(row).length === 0) throw new RowError('row: has no columns');
      return { table, row };
    },
    async write(batch, _scope, rows) {
      const tables = new Set(rows.map(({ table }) => table));
      for (const table of tables) {
        const own = rows.filter((each) => each.table === table).flatMap(({ row }) => presentRows(table, row));
        await writeRows(batch, table, own);
      }
      return { written: rows.length, unchanged: 0 };
    },
  },
};

/**
 * Writes the rows of a file of checkpoints, whose tables are empty, in the caller's transaction.
 *
 * @param networks those that the rows may belong to
 * @returns how many there are, and the hash of the file's contents
 * @throws IngestError that names the file and the lines
 */
export async function writeCheckpoints(
  batch: Batch,
  path: string,
  networks: readonly Network[],
): Promise<{ rows: number; digest: string }> {
  const hash = createHash('sha256');
  let [total, characters, begins] = [0, 0, 2];
  let rows: CheckpointRow[] = [];
  const flush = async (number: number) => {
    const lines = `${path}: lines ${begins} to ${number}`;
    await checkpointKind.rows.write(batch, {}, rows).catch((error: unknown) => refuse(lines, error));
    total += rows.length;
    [rows, characters, begins] = [[], 0, number + 1];
  };
  let last = 1;
  for await (const lines of splitLines(
    hashed(
      readChunks(path, () => undefined),
      hash,
    ),
  ))
    for (const { number, text, problem } of lines) {
      last = number;
      if (number === 1) continue;
      try {
        if (text === null) throw new RowError(problem ?? 'cannot be read');
        rows.push(checkpointKind.rows.read(parseLine(text), { networks }));
        characters += text.length;
      } catch (error) {
        refuse(`${path}:${number}`, error);
      }
      if (rows.length >= MOST_ROWS || characters >= MOST_CHARACTERS) await flush(number);
    }
  if (rows.length > 0) await flush(last);
  await batch.query(COUNT_DELEGATIONS);
  await batch.query(SUM_STAKES);
  await batch.query(nameL1Validators());
  return { rows: total, digest: hash.digest('hex') };
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/**
 * Rows of one table; a column that is missing gets its default. @throws RowError; what the database says of
 * their values
 */
async function writeRows(
  batch: Batch,
  table: CheckpointTable,
  rows: readonly CheckpointRow['row'][],
): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  const { rows: found } = await batch.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  const unknown = names.find((name) => !found.some((column) => column.name === name));
  if (unknown !== undefined)
    throw new RowError(`${table} has no column ${JSON.stringify(unknown)} in this version of Moraine`);
  const shape = names.join();
  if (rows.some((row) => Object.keys(row).join() !== shape))
    throw new RowError(`the rows of ${table} do not have the same columns`);
  const columns = names.join(', ');
  await batch.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
    [printJson(rows)],
  );
}

/** @throws IngestError if we or the database refused a row; any other error as it is */
function refuse(lines: string, error: unknown): never {
  const { code, message } = error as { code?: string; message: string };
  // Data exceptions and broken constraints (PostgreSQL, appendix A).
  if (error instanceof RowError || /^2[23]/.test(code ?? ''))
    throw new IngestError(`${lines}: ${message}. Nothing was imported`, { cause: error });
  throw error;
}
