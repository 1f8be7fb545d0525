import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/storage/migrate.js';
import { readMigrations } from '../../src/storage/migration-files.js';
import { connectTo } from '../harness/connections.js';
import { createDatabase } from '../harness/database.js';
import { addresses, frameRow, hashAt } from '../harness/evm-rows.js';
import { createImportPlace, runImport } from '../harness/ingest.js';
import { launch } from '../harness/launched.js';

/** The rows that commit 6e47d0c stored of the two files below. */
const fixture = new URL('frames-of-6e47d0c.ndjson', import.meta.url);
const all = new URL('../../prisma/migrations/', import.meta.url);
const log = pino({ level: 'silent' });
const [a, b, c, d] = addresses;

const party = (address: string) => ({ address });
const named = (address: string) => ({ address, name: 'A token', symbol: 'TKN' });
const frame = (tx: number, fields: object) =>
  frameRow({
    txHash: hashAt(tx),
    blockNumber: String(100 + tx),
    from: party(a),
    to: party(b),
    ...fields,
  });
const files = [
  [
    // Four of a transaction, two of them equal, one with names.
    frame(1, { value: '5' }),
    frame(1, { value: '7', from: named(a), to: party(c) }),
    frame(1, { value: '5' }),
    frame(1, { value: '1', to: party(d), internalTxType: 'CREATE' }),
    frame(2, { from: named(a) }),
    frame(3, {}),
    frame(4, { value: '3' }),
    frame(4, { value: '4', to: party(c), isReverted: true }),
    frame(5, { position: 2 }),
    frame(5, { position: 9 }),
  ],
  // Names that are known later: 6e47d0c stored these frames twice.
  [
    frame(4, { value: '3', from: named(a) }),
    frame(4, { value: '4', from: named(a), to: named(c), isReverted: true }),
  ],
];

/** Without row ids, which are given in another order now. */
async function rowsOf(client: pg.ClientBase): Promise<unknown[]> {
  const { rows } = await client.query(
    `SELECT to_jsonb(i) - 'id' || jsonb_build_object('tie', tie::text) AS row FROM internal_tx i
     ORDER BY tx_hash, position DESC`,
  );
  return rows;
}

/** A database as the migrations before the baseline made it, with the rows of the fixture. */
async function oldDatabase() {
  const database = await createDatabase({ migrated: false });
  onTestFinished(database.drop);
  const [baseline] = (await readMigrations()).filter(({ replaces }) => replaces);
  const folder = await mkdtemp(join(tmpdir(), 'moraine-baseline-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(new URL(baseline?.name ?? '', all), join(folder, baseline?.name ?? ''), { recursive: true });
  await migrate({ connectionString: database.url }, { log, folder: pathToFileURL(`${folder}/`) });
  const client = await connectTo(database.url);
  onTestFinished(() => client.end());
  await client.query('UPDATE _prisma_migrations SET migration_name = $1', [baseline?.replaces?.last]);
  await client.query(
    'CREATE TABLE internal_tx_43114_0 PARTITION OF internal_tx FOR VALUES FROM (43114, 0) TO (43114, 4000000)',
  );
  const lines = (await readFile(fixture, 'utf8')).trimEnd().split('\n');
  await client.query(
    'INSERT INTO internal_tx SELECT row.* FROM unnest($1::jsonb[]) line, jsonb_populate_record(NULL::internal_tx, line) row',
    [lines],
  );
  return { url: database.url, client };
}

test('an upgrade from 6e47d0c makes of its internal transactions what this version makes of their files', async () => {
  const place = await createImportPlace();
  onTestFinished(() => place.close());
  for (const [index, rows] of files.entries())
    await runImport(place.storage, [place.write(`evm.43114.internal-transactions.${index}.ndjson`, rows)]);
  const fresh = await connectTo(place.url);
  onTestFinished(() => fresh.end());

  const { url, client } = await oldDatabase();
  expect(await rowsOf(client)).not.toEqual(await rowsOf(fresh));
  await migrate({ connectionString: url }, { log });
  expect(await rowsOf(client)).toEqual(await rowsOf(fresh));
  const verify = launch(['verify'], { DATABASE_URL: url });
  expect(await verify.ended, verify.output()).toMatchObject({ code: 0 });
  expect(verify.output()).toMatch(/^internal_tx +10 +no difference/m);

  // As after an interruption.
  await client.query("DELETE FROM _prisma_migrations WHERE migration_name ~ 'frame_order'");
  await migrate({ connectionString: url }, { log });
  expect(await rowsOf(client)).toEqual(await rowsOf(fresh));
});

test('the commit that an older database is sent to has the migrations that the baseline replaces', async () => {
  const [{ replaces } = { replaces: undefined }] = (await readMigrations()).filter((each) => each.replaces);
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    if (git('rev-parse', '--is-shallow-repository') === 'true') return;
  } catch {
    // A copy without the history.
    return;
  }
  expect(git('ls-tree', '--name-only', `${replaces?.commit}`, `prisma/migrations/${replaces?.last}/`)).toBe(
    `prisma/migrations/${replaces?.last}/migration.sql`,
  );
  expect(() => git('merge-base', '--is-ancestor', `${replaces?.commit}`, 'HEAD')).not.toThrow();
});
