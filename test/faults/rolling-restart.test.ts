import { expect, onTestFinished, test } from 'vitest';
import { startBalancer } from './harness/balancer.js';
import { createDatabase } from './harness/database.js';
import { startGateway } from './harness/gateway.js';
import { startLoad } from './harness/load.js';
import { knownGood } from './harness/probes.js';
import { watchRows } from './harness/rows.js';
import { expectSound, report } from './harness/table.js';

test('two gateways behind a balancer are restarted in turn, and no request is refused', async () => {
  const database = await createDatabase();
  onTestFinished(database.drop);
  const lost = await watchRows(database);
  const env = { DATABASE_URL: database.url };
  const gateways = [await startGateway(env), await startGateway(env)];
  onTestFinished(async () => void (await Promise.all(gateways.map((each) => each.kill()))));
  const urls = () => gateways.map(({ url }) => url);
  const balancer = await startBalancer(urls());
  onTestFinished(balancer.close);
  const load = startLoad(() => balancer.url, await knownGood(balancer.url), { rate: 10 });
  await load.seen('right', 20);
  const exits = [];
  for (let round = 0; round < 4; round += 1) {
    const old = gateways.shift()!;
    exits.push(await old.stop());
    gateways.push(await startGateway(env));
    balancer.use(urls());
    // The next one is stopped only when this one serves: that is what a rolling restart waits for.
    await load.rightAgain(15_000);
  }
  load.faultEnds();
  await load.rightAgain(15_000);
  const tally = await load.stop();
  report({ fault: 'rolling restart of two gateways, twice', ...tally, lost: await lost() });
  expect(exits.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expectSound(tally);
  expect({ refused: tally.refused, unserved: balancer.unserved }).toEqual({ refused: 0, unserved: 0 });
});
