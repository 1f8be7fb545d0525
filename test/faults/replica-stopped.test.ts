import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startGateway, type Gateway } from './harness/gateway.js';
import { startLoad } from './harness/load.js';
import { copyPostgres, type PostgresServer } from './harness/postgres.js';
import { knownGood } from './harness/probes.js';
import { countRows, rowsMissing } from './harness/rows.js';
import { send } from './harness/send.js';
import { startStandby } from './harness/standby.js';
import { expectSound, report } from './harness/table.js';

/** Milliseconds after which the latency is normal again. */
const NORMAL_MS = 5000;

/** Waits until the gateway says whether it reads from its replica. */
async function readsFromReplica({ url }: Gateway, wanted: boolean): Promise<void> {
  const line = new RegExp(`^moraine_database_replica_used\\{.*\\} ${Number(wanted)}$`, 'm');
  const used = async () => line.test((await send(url, { path: '/metrics' })).text);
  await expect.poll(used, { timeout: 60_000 }).toBe(true);
}

interface ReplicaScene {
  standby: PostgresServer;
  gateway: Gateway;
  /** How many of the rows that the primary had at first are missing, on it or on the standby. */
  lost: () => Promise<number>;
}

/** A gateway on a primary that reads from a standby of it, each of which ends with the test. */
async function setReplicaScene(): Promise<ReplicaScene> {
  const primary = await copyPostgres(inject('sampleServer').folder);
  onTestFinished(primary.drop);
  const standby = await startStandby(primary, primary.port);
  onTestFinished(standby.drop);
  const gateway = await startGateway({ DATABASE_URL: primary.url, READ_DATABASE_URLS: standby.url });
  onTestFinished(gateway.kill);
  const before = await countRows(primary);
  const lost = async () =>
    rowsMissing(before, await countRows(primary)) + rowsMissing(before, await countRows(standby));
  return { standby, gateway, lost };
}

test('while the standby that is read from stands still, answers are right or refusals, and it is read from again by itself', async () => {
  const { standby, gateway, lost } = await setReplicaScene();
  const probes = await knownGood(gateway.url);
  await readsFromReplica(gateway, true);
  const load = startLoad(() => gateway.url, probes);
  await load.seen('right', 2 * probes.length);

  await standby.freeze();
  load.faultEnds();
  await readsFromReplica(gateway, false);
  await sleep(NORMAL_MS);
  const calm = startLoad(() => gateway.url, probes);
  await calm.seen('right', 2 * probes.length);
  const after = await calm.stop();
  await load.rightAgain(15_000);

  await standby.thaw();
  await readsFromReplica(gateway, true);
  await load.rightAgain(15_000);
  const tally = await load.stop();
  report({
    fault: 'hot standby stands still (SIGSTOP), then goes on',
    ...tally,
    lost: await lost(),
    note: `${tally.note}; from 5 s after it stood still: ${after.note}`,
  });
  expectSound(tally);
  expectSound(after);
  expect(await gateway.stop()).toMatchObject({ code: 0 });
});

test('while the standby that is read from is killed and started again, answers are right or refusals', async () => {
  const { standby, gateway, lost } = await setReplicaScene();
  const probes = await knownGood(gateway.url);
  await readsFromReplica(gateway, true);
  const load = startLoad(() => gateway.url, probes);
  await load.seen('right', 2 * probes.length);
  await standby.kill();
  load.faultEnds();
  await load.rightAgain(15_000);
  await standby.start();
  await readsFromReplica(gateway, true);
  await load.rightAgain(15_000);
  const tally = await load.stop();
  report({ fault: 'hot standby killed, then started again', ...tally, lost: await lost() });
  expectSound(tally);
});
