import { BatchWriter } from '../../src/write/batch.js';
import type { RowKind } from '../../src/write/kind.js';
import { primaryScope } from '../../src/ingest/scope.js';
import type { PrimaryScope } from '../../src/write/scope.js';
import { transactionRows } from '../../src/resources/transaction/import.js';
import type { ImportTransaction } from '../../src/resources/transaction/import-row.js';
import { lateNameOf } from '../../src/write/derived/computed.js';
import type { Batch } from '../../src/storage/session.js';
import type { Storage } from '../../src/storage/open.js';
import { poolOf } from '../../test/harness/connections.js';
import { processorTime } from '../harness/processor.js';
import { judge } from '../harness/measures.js';
import { median, ratios, spread } from '../harness/statistics.js';
import { makeTransactions } from '../size/ledger.js';

/** The most that an import may pay for the tables that it derives for GraphQL. */
export const WANTED = 1.25;
/**
 * Tables whose price is printed, those together that are written together. Without references go also the
 * statements that look them up for other tables.
 */
const tables: readonly (readonly string[])[] = [
  ['address_holding', 'holding_output'],
  ['address_day'],
  ['transaction_day'],
  ['stake_day'],
  ['active_address_day'],
  ['address_transaction'],
  ['subnet', 'subnet_transaction'],
  ['validator', 'validator_transaction'],
  ['l1_validator', 'l1_validator_transaction'],
  ['subnet_validator'],
];
const all = tables.flat();
/** Tables that an import of transactions fills. */
const filled = [...new Set([...transactionRows.tables, ...all])];

type Kind = RowKind<ImportTransaction, PrimaryScope>;

/**
 * What an import of transactions pays for tables that it derives, in processor time of both sides: the same
 * rows into an empty database with every table, without each of them and without all, in interleaved rounds.
 */
export async function comparePrices(
  storage: Storage,
  { transactions, rounds }: { transactions: number; rounds: number },
): Promise<void> {
  const scope = primaryScope({ network: 'mainnet', chain: 'p' });
  const rows = [...makeTransactions(transactions)].map((row) => transactionRows.read(row, scope));
  const cases = [[], ...tables, all].map((left) => ({
    left,
    kind: without(left),
    seconds: [] as number[],
  }));
  await withoutAutovacuum(storage, async () => {
    for (let round = -1; round < rounds; round += 1)
      for (const { left, kind, seconds } of cases) {
        await leaveAlone(storage, left);
        const taken = await measure(storage, kind, scope, rows);
        // The first round warms up.
        if (round >= 0) seconds.push(taken);
      }
  });
  const whole = cases[0]?.seconds ?? [];
  console.log(
    `${transactions} transactions that name subnets, nodes and L1 validators: ${spread(whole)} s of processor time`,
  );
  for (const { left, seconds } of cases.slice(1)) {
    const found = ratios(whole, seconds);
    console.log(`with ${left === all ? 'all of them' : left.join(' and ')} ÷ without: ${spread(found)}`);
    if (left === all)
      console.log(
        `wanted at most ${WANTED} for all of them: ${judge({
          name: 'import of transactions, with tables for GraphQL ÷ without: processor time',
          wanted: `at most ${WANTED}`,
          measured: spread(found),
          isMet: median(found) <= WANTED,
        })}`,
      );
  }
}

/**
 * An autovacuum right after a table was emptied stores that it has no rows. Until the next one, every plan
 * reads the table from end to end: one import in twenty took ten times as long.
 */
async function withoutAutovacuum(storage: Storage, work: () => Promise<void>): Promise<void> {
  const alter = async (change: string) => {
    for (const table of filled) await poolOf(storage).query(`ALTER TABLE ${table} ${change}`);
  };
  await alter('SET (autovacuum_enabled = off)');
  try {
    await work();
  } finally {
    await alter('RESET (autovacuum_enabled)');
  }
}

/** Has imports leave tables alone that the statement of another one writes: as while they are late. */
async function leaveAlone(storage: Storage, left: readonly string[]): Promise<void> {
  const pool = poolOf(storage);
  await pool.query('DELETE FROM late_index');
  for (const table of transactionRows.computedLate ?? [])
    if (left.includes(table.name))
      await pool.query("INSERT INTO late_index VALUES ($1, '')", [lateNameOf(table)]);
}

/** @returns seconds of processor time; the server's only if it is on this machine */
async function measure(
  storage: Storage,
  kind: Kind,
  scope: PrimaryScope,
  rows: readonly ImportTransaction[],
): Promise<number> {
  await poolOf(storage).query(`TRUNCATE ${filled.join(', ')}`);
  return storage.session(async (session) => {
    await session.query('CHECKPOINT');
    const { rows: backends } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const taken = () => {
      const { user, system } = process.cpuUsage();
      return user + system + processorTime(backends[0]?.pid ?? 0);
    };
    const before = taken();
    const writer = new BatchWriter(session, kind, scope);
    for (const row of rows) await writer.add(row, 0);
    await writer.finish();
    return (taken() - before) / 1_000_000;
  });
}

/** The kind without its writes to these tables: its statements that name them are left out. */
function without(left: readonly string[]): Kind {
  // As a whole word, because one name may be the end of another.
  const computed = transactionRows.computedLate?.map(({ name }) => name) ?? [];
  const named = left.filter((table) => !computed.includes(table));
  const isLeft = (text: string) => named.some((table) => new RegExp(`\\b${table}\\b`).test(text));
  const leaving = (batch: Batch): Batch => ({
    copy: (table, ...given) => (isLeft(table) ? Promise.resolve() : batch.copy(table, ...given)),
    query: <Row extends object>(...[text, values]: Parameters<Batch['query']>) =>
      isLeft(typeof text === 'string' ? text : text.text)
        ? Promise.resolve({ rows: [], rowCount: 0 })
        : batch.query<Row>(text, values),
  });
  return {
    ...transactionRows,
    write: (batch, scope, rows) => transactionRows.write(leaving(batch), scope, rows),
  };
}
