import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from './harness/database.js';
import { runCommand, startCommand, startGateway } from './harness/gateway.js';
import { outputsHeld, wrongBalances, writeImportFile } from './harness/import-file.js';
import { startLoad } from './harness/load.js';
import { freePort } from '../harness/free-port.js';
import { knownGood } from './harness/probes.js';
import { everything, makeOlder } from './harness/older-database.js';
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
    ...{ fault: 'gateway killed -9, 4 times', ...tally, lost: await lost() },
    note: `${tally.note}, seed ${seed}`,
  });
  // What was under way is lost with the process, and while there is none nobody can be told.
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
    const now = await outputsHeld(database);
    expect(now).toBeGreaterThanOrEqual(held);
    held = now;
  }
  load.faultEnds();
  expect(await runCommand(args, env)).toMatchObject({ code: 0 });
  const lost = file.rows - (await outputsHeld(database)) + (await missing());
  const again = await runCommand(args, env);
  const tally = await load.stop();
  report({ fault: 'importer killed -9, 4 times', ...tally, lost, note: `${tally.note}, seed ${seed}` });
  expect(await wrongBalances(database)).toBe(0);
  expect(again.output).toContain('rows read: 0 written');
  expectSound(tally);
});

test('a migrator killed at random moments: run again, it ends, and every row and index is there', async () => {
  const database = await createDatabase();
  onTestFinished(database.drop);
  const env = { DATABASE_URL: database.url };
  const before = await startGateway(env);
  onTestFinished(before.kill);
  const probes = await knownGood(before.url);
  await before.kill();
  const held = await everything(database);
  await makeOlder(database);
  const older = await everything(database);
  const { seed, between } = randomMoments();
  for (let kills = 0; kills < 5; kills += 1) {
    const migrator = startCommand(['migrate'], { ...env, LOG_LEVEL: 'info' });
    // The first at any moment, the others between two migrations or in one.
    const begun = () => migrator.output().includes('applied a migration') || migrator.child.exitCode !== null;
    if (kills === 0) await sleep(between(300, 1500));
    else while (!begun()) await sleep(2);
    await sleep(between(0, 40));
    await migrator.kill();
  }
  const ended = performance.now();
  expect(await runCommand(['migrate'], env)).toMatchObject({ code: 0 });
  const gateway = await startGateway({ ...env, MIGRATE: 'off' });
  onTestFinished(gateway.kill);
  const { status } = await send(gateway.url, { path: '/ready' });
  const recoverMs = performance.now() - ended;
  const load = startLoad(() => gateway.url, probes);
  await load.rightAgain(15_000);
  const tally = await load.stop();
  const after = await everything(database);
  report({
    ...{ fault: 'migrator killed -9, 5 times', ...tally, recoverMs },
    lost: [...held].filter((each) => !after.has(each)).length,
    note: `to ready; of ${held.size} rows and indexes ${held.size - older.size} came of the migrations; seed ${seed}`,
  });
  expect(status).toBe(200);
  expect(after.size).toBe(held.size);
  expect(held.size).toBeGreaterThan(older.size);
  expectSound(tally);
});
