import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rowCountsOf } from '../harness/data-folder.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { launch, served, type Launched } from '../harness/launched.js';
import { connectTo } from '../harness/connections.js';
import { endsOf, report } from './harness/table.js';
import { expectWholeSample } from './harness/whole-sample.js';

let database: TestDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await createDatabase();
  client = await connectTo(database.url);
});
afterEach(async () => {
  // What a failed test left running.
  await Promise.all(launched.map((gateway) => gateway.stop()));
  launched = [];
  await client.end();
  await database.drop();
});

let launched: Launched[] = [];
function start(): Launched {
  const gateway = launch(['serve'], { DATABASE_URL: database.url, WORKER: 'off', RATE_LIMITS: 'off' });
  launched.push(gateway);
  return gateway;
}

/** Waits until another connection writes a table, or none does. */
async function writers(table: string, some: boolean): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      `SELECT FROM pg_locks WHERE relation = $1::regclass AND mode = 'RowExclusiveLock' AND pid <> pg_backend_pid()
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [table],
    );
    if ((rowCount ?? 0) > 0 === some) return;
    await sleep(2);
  }
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'the sample is whole or absent after %s while it loads, and the next start serves it',
  async (signal) => {
    const interrupted = start();
    await writers('transaction', true);
    const end = await interrupted.stop(signal);
    expect(end.code).toBe(signal === 'SIGTERM' ? 0 : null);
    await writers('utxo', false);
    const held = await rowCountsOf(client);

    const begun = performance.now();
    const next = start();
    const url = await next.says(served);
    const recoverMs = performance.now() - begun;
    const { right, lost } = await expectWholeSample(url, client);
    // A signal that comes late finds it loaded.
    const whole = await rowCountsOf(client);
    const none = Object.fromEntries(Object.keys(whole).map((table) => [table, 0]));
    expect([whole, none]).toContainEqual(held);
    report({
      fault: `first start ended by ${signal} while the sample loads`,
      sent: right,
      right,
      refused: 0,
      wrong: 0,
      lost,
      recoverMs,
      ...endsOf(end),
      note: 'outputs listed',
    });
    expect((await next.stop()).code).toBe(0);
  },
);

test('gateways that start together load the sample once, and none into data that are there', async () => {
  const together = [start(), start()];
  const [url = ''] = await Promise.all(together.map((gateway) => gateway.says(served)));
  const loads = together.filter((gateway) => gateway.output().includes('loaded the generated sample'));
  expect(loads).toHaveLength(1);
  const { right, lost } = await expectWholeSample(url, client);
  const held = await rowCountsOf(client);
  const fault = 'two first starts on one database at once';
  report({ fault, sent: right, right, refused: 0, wrong: 0, lost, note: 'outputs listed' });
  await Promise.all(together.map((gateway) => gateway.stop()));

  await client.query('TRUNCATE utxo CASCADE');
  const later = start();
  await later.says(served);
  expect(await rowCountsOf(client)).toEqual({ ...held, utxo: 0 });
  await later.stop();
});
