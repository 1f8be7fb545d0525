import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inWriteTransaction } from '../../../src/write/transaction.js';
import { connectTo, poolOf } from '../../harness/connections.js';
import { frameRow, hashAt } from '../../harness/evm-rows.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../../harness/ingest.js';

const CHAIN = '43114';
const fileOf = (chain: string) => `evm.${chain}.internal-transactions`;
const WIDTH = 4_000_000;

let database: ImportDatabase;
beforeEach(async () => {
  database = await createImportDatabase();
});
afterEach(() => database.close());

describe('internal transactions in partitions', () => {
  test('of two chains are imported at the same time, those of one chain one after the other', async () => {
    const watcher = await connectTo(database.url);
    try {
      const importOf = (chain: string, block: number) => {
        const row = frameRow({ blockNumber: String(block), txHash: hashAt(block) });
        return runImport(database.storage, [database.write(`${fileOf(chain)}.${block}.ndjson`, [row])]);
      };
      await importOf('7', 1);
      await importOf('8', 1);
      let waiting: Promise<unknown> | undefined;
      const order: string[] = [];
      await database.storage.session((session) =>
        inWriteTransaction(session, [{ chain: '7' }], async () => {
          // While an import of chain 7 is inside its transaction, a whole one of chain 8 begins and ends.
          expect((await importOf('8', 2)).written).toBe(1);
          waiting = importOf('7', 2).then(() => order.push('the second of chain 7'));
          const blocked = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
          while ((await watcher.query(blocked)).rowCount === 0) await sleep(5);
          order.push('the first of chain 7');
        }),
      );
      await waiting;
      expect(order).toEqual(['the first of chain 7', 'the second of chain 7']);
    } finally {
      await watcher.end();
    }
  });

  test('leave what is of no chain, and what another one locks, to wait for each other', async () => {
    await database.storage.session((session) =>
      inWriteTransaction(session, [{ chain: '7' }], async () => {
        const lock = `SELECT pg_try_advisory_xact_lock(1836020321, 2) AS locked`;
        expect((await poolOf(database.storage).query(lock)).rows).toEqual([{ locked: false }]);
      }),
    );
  });

  test('vacuum and analyse the partitions that an import changed, and no others', async () => {
    const write = (name: string, block: number, fields: object = {}) =>
      database.write(`${fileOf(CHAIN)}.${name}.ndjson`, [
        frameRow({ position: 0, txHash: hashAt(block), blockNumber: String(block), ...fields }),
      ]);
    await runImport(database.storage, [write('old', 1), write('new', WIDTH)]);
    const analysed = async () =>
      (
        await poolOf(database.storage).query<{ name: string; xmin: string }>(
          `SELECT c.relname AS name, max(s.xmin::text) AS xmin FROM pg_inherits
             JOIN pg_class c ON c.oid = inhrelid JOIN pg_statistic s ON s.starelid = c.oid
             WHERE inhparent = 'internal_tx'::regclass GROUP BY 1 ORDER BY 1`,
        )
      ).rows;
    const [old, recent] = await analysed();
    await runImport(database.storage, [write('again', 1), write('changed', WIDTH, { value: '2' })]);
    const [oldAfter, recentAfter] = await analysed();
    expect(oldAfter).toEqual(old);
    expect(recentAfter?.name).toBe(recent?.name);
    expect(recentAfter?.xmin).not.toBe(recent?.xmin);
  });
});
