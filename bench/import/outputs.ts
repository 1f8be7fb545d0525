import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { transactionRows } from '../../src/resources/transaction/import.js';
import { utxoRows } from '../../src/resources/utxo/import.js';
import type { Storage } from '../../src/storage/open.js';
import { poolOf } from '../../test/harness/connections.js';
import { importFiles, writeRows } from '../harness/files.js';
import { judge } from '../harness/measures.js';
import { median, ratios, spread } from '../harness/statistics.js';
import { makeTransactions } from '../size/ledger.js';
import { makeOutputs } from './output-file.js';

const ROUNDS = 3;
/** Outputs a second that an import should write, and the part of a plain COPY's. */
const WANTED = 20_000;
const WANTED_OF_COPY = 0.8;
/** Of the process that imports: 400 MB, in MiB. */
const MOST_MEMORY = 381;

const tables = utxoRows.tables;

/**
 * How many outputs a second `moraine import` writes into empty tables, including its vacuum at the end, and
 * how many a plain COPY of the same final rows into the same indexed tables does, in interleaved rounds.
 *
 * @param env the settings that name the database to another process
 */
export async function compareWithCopy(
  storage: Storage,
  env: Record<string, string>,
  outputs: number,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'moraine-bench-import-'));
  const rowsOf = (table: string) => join(folder, `${table}.copy`);
  const measured = { imported: [] as number[], copied: [] as number[], memory: [] as number[] };
  try {
    const file = await writeRows(folder, 'mainnet.p-chain.utxos', makeOutputs(outputs));
    for (let round = 0; round < ROUNDS; round += 1) {
      await empty(storage, tables);
      const { rate, memory } = await importFiles(process.cwd(), [file], env);
      measured.imported.push(rate);
      measured.memory.push(memory);
      if (round === 0) await saveRows(storage, rowsOf);
      await empty(storage, tables);
      measured.copied.push(outputs / (await copyRows(storage, rowsOf)));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  report(outputs, measured);
}

function report(outputs: number, measured: Record<'imported' | 'copied' | 'memory', number[]>): void {
  const { imported, copied, memory } = measured;
  const ofCopy = ratios(imported, copied);
  console.log(`${outputs} outputs into empty tables, outputs a second`);
  console.log(
    `import: ${spread(imported, 0)}, wanted at least ${WANTED}: ${judge({
      name: 'import of outputs, outputs a second',
      wanted: `at least ${WANTED}`,
      measured: spread(imported, 0),
      isMet: median(imported) >= WANTED,
    })}`,
  );
  console.log(`plain COPY of the final rows: ${spread(copied, 0)}`);
  console.log(
    `import ÷ COPY: ${spread(ofCopy)}, wanted at least ${WANTED_OF_COPY}: ${judge({
      name: 'import of outputs ÷ COPY of the final rows',
      wanted: `at least ${WANTED_OF_COPY}`,
      measured: spread(ofCopy),
      isMet: median(ofCopy) >= WANTED_OF_COPY,
    })}`,
  );
  reportMemory('outputs', memory);
}

function reportMemory(what: string, memory: readonly number[]): void {
  const judged = judge({
    name: `peak memory of an import of ${what}, MiB`,
    wanted: `at most ${MOST_MEMORY}`,
    measured: spread(memory, 0),
    isMet: Math.max(...memory) <= MOST_MEMORY,
  });
  console.log(
    `peak memory of an import of ${what}: ${spread(memory, 0)} MiB, wanted at most ${MOST_MEMORY}: ${judged}`,
  );
}

/** The memory of an import of transactions, each with its outputs. @param env as above */
export async function measureMemory(
  storage: Storage,
  env: Record<string, string>,
  transactions: number,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'moraine-bench-import-'));
  try {
    const file = await writeRows(folder, 'mainnet.p-chain.transactions', makeTransactions(transactions));
    await empty(storage, transactionRows.tables);
    const { memory } = await importFiles(process.cwd(), [file], env);
    reportMemory(`${transactions} transactions`, [memory]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function empty(storage: Storage, tables: readonly string[]): Promise<void> {
  await poolOf(storage).query(`TRUNCATE ${[...new Set(tables)].join(', ')} CASCADE`);
  // "Every output of the network": see the model Address.
  await poolOf(storage).query(`INSERT INTO address (network, address) VALUES ('mainnet', ''), ('fuji', '')`);
  await poolOf(storage).query('CHECKPOINT');
}

function saveRows(storage: Storage, rowsOf: (table: string) => string): Promise<void> {
  return storage.session(async (session) => {
    for (const table of tables)
      await pipeline(
        session.copyOut(`SELECT * FROM ${table}`, 'FORMAT text'),
        createWriteStream(rowsOf(table)),
      );
  });
}

/** @returns the seconds that it took */
async function copyRows(storage: Storage, rowsOf: (table: string) => string): Promise<number> {
  const client = await poolOf(storage).connect();
  try {
    await client.query('DELETE FROM address');
    const start = performance.now();
    await client.query('BEGIN');
    // Assets first, because the other tables refer to them.
    for (const table of [...tables].reverse())
      await pipeline(createReadStream(rowsOf(table)), client.query(copyFrom(`COPY ${table} FROM STDIN`)));
    await client.query('COMMIT');
    return (performance.now() - start) / 1000;
  } finally {
    client.release(true);
  }
}
