import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dataFolder } from '../harness/data-folder.js';
import { startGateway, type Gateway } from './harness/gateway.js';
import { startLoad } from './harness/load.js';
import { knownGood } from './harness/probes.js';
import { inFolder, watchRows } from './harness/rows.js';
import { expectSound, report } from './harness/table.js';

const pidFile = (folder: string) => join(folder, 'postgres', 'postmaster.pid');
const serverPid = async (folder: string) => Number.parseInt(await readFile(pidFile(folder), 'utf8'), 10);

test('two gateways make one DATA_DIR at once; one and then the database is killed, and the other serves', async () => {
  const made = await dataFolder();
  onTestFinished(made.drop);
  const folder = made.path;
  const env = { DATA_DIR: folder };
  const [first, second] = await Promise.all([startGateway(env), startGateway(env)]);
  // Gently, so that the embedded server is not left behind when something above fails.
  onTestFinished(async () => void (await Promise.all([first.stop(), second.stop()])));
  const probes = await knownGood(first.url);
  expect(await knownGoodBodies(second)).toEqual(probes.map(({ body }) => body));
  const missing = await watchRows(inFolder(made));
  const load = startLoad(() => second.url, probes);
  await load.seen('right', 20);
  await first.kill();
  await load.seen('right', 20);
  const unhurt = await serverPid(folder);
  process.kill(unhurt, 'SIGKILL');
  load.faultEnds();
  await load.rightAgain(20_000);
  expect(await serverPid(folder)).not.toBe(unhurt);
  const third = await startGateway(env);
  expect(await third.stop()).toMatchObject({ code: 0 });
  await load.rightAgain(15_000);
  const tally = await load.stop();
  const lost = await missing();
  report({ fault: 'two gateways on one DATA_DIR: one, then PostgreSQL killed -9', ...tally, lost });
  expectSound(tally);
  expect(await second.stop()).toMatchObject({ code: 0 });
  expect(existsSync(pidFile(folder))).toBe(false);
});

async function knownGoodBodies({ url }: Gateway): Promise<string[]> {
  return (await knownGood(url)).map(({ body }) => body);
}
