import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase, type Database } from './harness/database.js';
import { runCommand, startCommand, startGateway } from './harness/gateway.js';
import { storedOutputs, wrongBalances, writeImportFile } from './harness/import-file.js';
import { startLoad } from './harness/load.js';
import { freePort } from '../harness/free-port.js';
import { knownGood } from './harness/probes.js';
import { randomMoments } from './harness/random.js';
import { setScene } from './harness/scene.js';
import { watchRows } from './harness/rows.js';
import { send } from './harness/send.js';
import { expectSound, report } from './harness/table.js';

test('a gateway killed at random moments: its next start serves the same, page tokens included', async () => {
  const database = await createDatabase();
  onTestFinished(database.drop);
  const lost = await watchRows(database);
  const env = { DATABASE_URL: database.url, PORT: String(await freePort()) };
  const { seed, between } = randomMoments();
  let gateway = await startGateway(env);
  onTestFinished(() => gateway.kill());
  const load = startLoad(() => gateway.url, await knownGood(gateway.url), { rate: 40 });
  for (let kills = 0; kills < 4; kills += 1) {
    await load.seen('right', 10);
    await sleep(between(0, 800));
    await gateway.kill();
    load.faultEnds();
    gateway = await startGateway(env);
  }
  await load.rightAgain(15_000);
  const tally = await load.stop();
  report({
    fault: 'gateway killed -9, 4 times',
    ...tally,
    lost: await lost(),
    note: `${tally.note}, seed ${seed}`,
  });
  // Requests in flight are lost with the process, and while there is none nothing can be answered.
  expectSound({ ...tally, cutReasons: [] });
});

test('an importer killed at random moments: run again, it leaves every row once', async () => {
  const { database, load: start, lost: missing } = await setScene();
  const file = await writeImportFile('importer killed', 24_000);
  onTestFinished(() => rm(file.folder, { recursive: true }));
  const { seed, between } = randomMoments();
  const load = start({ rate: 5 });
  const args = ['import', file.path];
  const env = { DATABASE_URL: database.url };
  let held = 0;
  for (let kills = 0; kills < 4; kills += 1) {
    const importer = startCommand(args, env);
    await sleep(between(500, 2500));
    await importer.kill();
    const now = await storedOutputs(database);
    expect(now).toBeGreaterThanOrEqual(held);
    held = now;
  }
  load.faultEnds();
  expect(await runCommand(args, env)).toMatchObject({ code: 0 });
  const lost = file.rows - (await storedOutputs(database)) + (await missing());
  const again = await runCommand(args, env);
  const tally = await load.stop();
  report({ fault: 'importer killed -9, 4 times', ...tally, lost, note: `${tally.note}, seed ${seed}` });
  expect(await wrongBalances(database)).toBe(0);
  expect(again.output).toContain('rows read: 0 written');
  expectSound(tally);
});

test('a migrator killed at random moments leaves all or nothing; run again, it ends, and the gateway serves', async () => {
  const whole = await createDatabase();
  onTestFinished(whole.drop);
  const held = await indexes(whole);
  const database = await createDatabase({ sample: false });
  onTestFinished(database.drop);
  const env = { DATABASE_URL: database.url };
  const { seed, between } = randomMoments();
  let lost = 0;
  let left = 0;
  for (let kills = 0; kills < 5; kills += 1) {
    const migrator = startCommand(['migrate'], env);
    while (!(await isMigrating(database)) && migrator.child.exitCode === null) await sleep(2);
    await sleep(between(0, 300));
    await migrator.kill();
    while (await isMigrating(database)) await sleep(10);
    const made = await indexes(database);
    if (made.length === 0) left += 1;
    else lost += held.length - made.length;
    if (made.length > 0) await database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  }
  const ended = performance.now();
  expect(await runCommand(['migrate'], env)).toMatchObject({ code: 0 });
  const gateway = await startGateway({ ...env, MIGRATE: 'off' });
  onTestFinished(gateway.kill);
  const { status } = await send(gateway.url, { path: '/ready' });
  const recoverMs = performance.now() - ended;
  expect(await indexes(database)).toEqual(held);
  const load = startLoad(() => gateway.url, await knownGood(gateway.url));
  await load.rightAgain(15_000);
  const tally = await load.stop();
  report({
    fault: 'migrator killed -9, 5 times',
    ...tally,
    recoverMs,
    lost,
    note: `to ready; ${left} times nothing was left, else all of ${held.length} indexes; seed ${seed}`,
  });
  expect(status).toBe(200);
  expectSound(tally);
});

async function indexes(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
     WHERE c.relnamespace = 'public'::regnamespace AND t.relname <> '_prisma_migrations' AND NOT t.relispartition
       AND i.indisvalid ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

async function isMigrating(database: Database): Promise<boolean> {
  const rows = await database.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'moraine migrate'`,
  );
  return rows.length > 0;
}
