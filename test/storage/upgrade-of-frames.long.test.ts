import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/storage/migrate.js';
import { connectTo } from '../harness/connections.js';
import { addresses, frameRow, hashAt } from '../harness/evm-rows.js';
import { databaseOf, hasHistory } from '../harness/history.js';
import { createImportDatabase, runImport } from '../harness/ingest.js';
import { launch } from '../harness/launched.js';

/** The rows that commit 6e47d0c stored of the two files below. */
const fixture = new URL('frames-of-6e47d0c.ndjson', import.meta.url);
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

/** A database of commit 6e47d0c with the rows of the fixture. */
async function oldDatabase() {
  const { url, client } = await databaseOf('6e47d0c2');
  await client.query(
    'CREATE TABLE internal_tx_43114_0 PARTITION OF internal_tx FOR VALUES FROM (43114, 0) TO (43114, 4000000)',
  );
  const lines = (await readFile(fixture, 'utf8')).trimEnd().split('\n');
  await client.query(
    'INSERT INTO internal_tx SELECT row.* FROM unnest($1::jsonb[]) line, jsonb_populate_record(NULL::internal_tx, line) row',
    [lines],
  );
  return { url, client };
}

test.skipIf(!hasHistory)(
  'an upgrade from 6e47d0c makes of its internal transactions what this version makes of their files',
  async () => {
    const database = await createImportDatabase();
    onTestFinished(() => database.close());
    for (const [index, rows] of files.entries())
      await runImport(database.storage, [
        database.write(`evm.43114.internal-transactions.${index}.ndjson`, rows),
      ]);
    const fresh = await connectTo(database.url);
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
  },
);
