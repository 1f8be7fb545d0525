import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { addressOf, dateOf, evaluations, nativeQuery, postComposite } from '../../harness/composite.js';
import { holdConnection, poolOf } from '../../harness/connections.js';
import { importRows } from '../../harness/import-rows.js';
import { listen } from '../../harness/listen.js';
import { countStatements } from '../../harness/statements.js';

const body = { operator: 'AND', queries: [nativeQuery(100, 'LatestBalance', 0, 0)] };

let slow: TestApp | undefined;
afterEach(async () => {
  await slow?.close();
  slow = undefined;
});

test('a query past the time limit is cancelled in the database, and the error says so', async () => {
  // The evaluation is cancelled at nine tenths of this, before the whole request is.
  const limited = await createApp({ REQUEST_TIMEOUT_MS: '5000' });
  slow = limited;
  await importRows(limited.storage, 'evm.100.native-balances', [
    { date: dateOf(0), address: addressOf(1), balance: '1' },
  ]);
  const blocker = await holdConnection(limited.storage);
  await blocker.query('BEGIN; LOCK TABLE evm_balance');
  const reply = await postComposite(limited, body);
  expect(reply.status).toBe(503);
  expect(reply.body.message).toMatch(/took too long and was cancelled/);
  const { rows } = await blocker.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%string_agg%' AND pid <> pg_backend_pid()`,
  );
  expect(rows).toEqual([]);
  await blocker.query('ROLLBACK');
  blocker.release();
  expect((await postComposite(limited, body)).body).toMatchObject({ totalCount: 1 });
});

test('a caller that goes away does not take the evaluation from the others', async () => {
  const shared = await createApp();
  slow = shared;
  await importRows(shared.storage, 'evm.100.native-balances', [
    { date: dateOf(0), address: addressOf(1), balance: '1' },
  ]);
  const url = `${await listen(shared.app)}/v2/lookingGlass/compositeQuery`;
  const blocker = await holdConnection(shared.storage);
  await blocker.query('BEGIN; LOCK TABLE evm_balance');
  const { statements } = await countStatements(async () => {
    const request = (signal?: AbortSignal) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(body),
        signal: signal ?? null,
      });
    const leaving = new AbortController();
    const gone = request(leaving.signal).then(
      () => 'answered',
      () => 'gone',
    );
    await waitingForLock(shared);
    const staying = request();
    await sleep(100);
    leaving.abort();
    expect(await gone).toBe('gone');
    await blocker.query('ROLLBACK');
    const reply = await staying;
    expect(await reply.json()).toEqual({
      addresses: [addressOf(1)],
      subQueryCounts: { a: 1 },
      totalCount: 1,
    });
  });
  blocker.release();
  expect(evaluations(statements.filter((text) => !text.includes('pg_stat_activity')))).toBe(1);
});

// On other connections than the one with the lock: a transaction sees one state of the activity.
async function waitingForLock({ storage }: TestApp): Promise<void> {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await poolOf(storage).query(sql)).rowCount === 0) await sleep(20);
}
