import { expect, inject, onTestFinished, test } from 'vitest';
import { startGateway } from './harness/gateway.js';
import { startLoad } from './harness/load.js';
import { copyPostgres } from './harness/postgres.js';
import { knownGood } from './harness/probes.js';
import { watchRows } from './harness/rows.js';
import { expectSound, report } from './harness/table.js';

test('PostgreSQL killed under load: nothing wrong is answered, and all is right when it is back', async () => {
  const server = await copyPostgres(inject('sampleServer').folder);
  onTestFinished(server.drop);
  const lost = await watchRows(server);
  const gateway = await startGateway({ DATABASE_URL: server.url });
  onTestFinished(gateway.kill);
  const load = startLoad(() => gateway.url, await knownGood(gateway.url), { rate: 40 });
  await load.seen('right', 40);
  await server.kill();
  await load.seen('refused', 20);
  await server.start();
  load.faultEnds();
  await load.rightAgain(20_000);
  const tally = await load.stop();
  report({ fault: 'PostgreSQL killed -9 under load', ...tally, lost: await lost() });
  expectSound(tally);
  expect(await gateway.stop()).toMatchObject({ code: 0 });
});
