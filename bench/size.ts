import { parseArgs } from 'node:util';
import { fileKinds } from '../src/resources.js';
import { namedL1Validators } from '../src/resources/l1-validator/write.js';
import { namedSubnets } from '../src/resources/subnet/write.js';
import { namedValidators } from '../src/resources/validator/write.js';
import { poolOf } from '../test/harness/connections.js';
import type { Storage } from '../src/storage/open.js';
import { importRows } from '../test/harness/seed.js';
import { openBenchDatabase } from './harness/database.js';
import { counts, type Count } from './size/counts.js';
import { filled, fillText } from './size/filled.js';
import * as evm from './size/evm.js';
import * as ledger from './size/ledger.js';
import { measure } from './size/measure.js';
import { print, write } from './size/report.js';
import { short, type Usage } from './harness/usage.js';

const FULL = 40_000;
const SHORT = 2_000;
/** The tables that imports fill: those of the kinds, and those of the objects that transactions name. */
const imported = new Set([
  ...fileKinds.flatMap((kind) => kind.rows.tables),
  ...[namedSubnets, namedValidators, namedL1Validators].map(({ table }) => table),
]);

/** The imported rows for each transaction of the ledger. */
const files: readonly [name: string, rows: (count: number) => Iterable<object>, part: number][] = [
  ['mainnet.p-chain.blocks', ledger.makeBlocks, 1],
  ['mainnet.p-chain.transactions', ledger.makeTransactions, 1],
  ['mainnet.x-chain.vertices', ledger.makeVertices, 0.5],
  ['mainnet.subnet-metrics', ledger.makeMetrics, 0.5],
  ['evm.chains', evm.makeChains, 0.03],
  ['evm.43114.internal-transactions', evm.makeFrames, 1],
  ['mainnet.icm.messages', evm.makeMessages, 0.25],
  ['evm.nft-tokens', evm.makeTokens, 0.5],
  ['evm.43114.erc20-balances', evm.makeBalances, 1],
];

export const usage: Usage = {
  about:
    'What a row takes in each table and how deep its indexes are, by importing generated rows, and what follows for as many rows as a chain has. Written to docs/sizing.md.',
  options: {
    ...short,
    '--rows <number>': 'transactions of the ledger, 40,000 unless given, after which all else goes',
  },
  rest: [
    '[TABLE=ROWS...]',
    'rows of your chain in place of those in size/counts.ts, for you alone: nothing is written',
  ],
};

export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { rows: { type: 'string' }, short: { type: 'boolean', default: false } },
  });
  const rows = Number(values.rows ?? (values.short ? SHORT : FULL));
  if (!Number.isSafeInteger(rows) || rows < 100) throw new Error('--rows takes a whole number from 100');
  const wanted = { ...counts, ...Object.fromEntries(positionals.map(readCount)) };
  const { storage } = await openBenchDatabase('size');
  try {
    await empty(storage);
    for (const [name, make, part] of files) {
      const start = performance.now();
      await importRows(storage, name, make(Math.ceil(rows * part)));
      const seconds = ((performance.now() - start) / 1000).toFixed(0);
      console.log(`${name}: ${Math.ceil(rows * part)} rows in ${seconds} s`);
    }
    for (const table of Object.keys(filled)) await poolOf(storage).query(fillText(table, rows));
    const sizes = await storage.session(measure);
    print(sizes, wanted);
    if (!values.short && positionals.length === 0)
      await write(sizes, wanted, { rows, database: await versionOf(storage) });
  } finally {
    await storage.close();
  }
}

function readCount(text: string): [table: string, count: Count] {
  const [, table = '', digits = ''] = /^([a-z0-9_]+)=(\d+)$/.exec(text) ?? [];
  const known = [...imported, ...Object.keys(filled)];
  if (!known.includes(table)) throw new Error(`${text}: wanted TABLE=ROWS, TABLE one of ${known.join(', ')}`);
  return [table, { rows: Number(digits), source: 'given' }];
}

/**
 * The benchmark's own database has the rows of its last run; a database that BENCH_DATABASE_URL names is
 * never emptied.
 */
async function empty(storage: Storage): Promise<void> {
  const pool = poolOf(storage);
  if (process.env['BENCH_DATABASE_URL']) {
    for (const [first] of fileKinds.map((kind) => kind.rows.tables)) {
      const { rows } = await pool.query(`SELECT FROM ${first} LIMIT 1`);
      if (rows.length > 0)
        throw new Error(`BENCH_DATABASE_URL: ${first} has rows; this needs an empty database`);
    }
    return;
  }
  await pool.query(`TRUNCATE ${[...imported, ...Object.keys(filled)].join(', ')} CASCADE`);
  // "Every output of the network": see the model Address.
  await pool.query(`INSERT INTO address (network, address) VALUES ('mainnet', ''), ('fuji', '')`);
}

async function versionOf(storage: Storage): Promise<string> {
  const { rows } = await poolOf(storage).query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  );
  return rows[0]?.version ?? '';
}
