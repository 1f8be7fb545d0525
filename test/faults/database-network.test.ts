import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { setScene } from './harness/scene.js';
import { endsOf, expectSound, report } from './harness/table.js';
import { STOP_DEADLINE_MS } from '../harness/launched.js';

// Short, so that the test is too: a silent connection is broken off some time after its statement should have
// ended.
const patience = { STATEMENT_TIMEOUT_MS: '1500' };

test('the network to the database is cut: clear refusals, and all is right when it is back', async () => {
  const { proxy, gateway, load: start, lost } = await setScene();
  const load = start();
  await load.seen('right', 20);
  proxy.cut();
  await load.seen('refused', 20);
  proxy.forward();
  load.faultEnds();
  await load.rightAgain(15_000);
  const tally = await load.stop();
  report({ fault: 'network to the database cut', ...tally, lost: await lost() });
  expectSound(tally);
  expect(await gateway.stop()).toMatchObject({ code: 0 });
});

test('the network to the database is slow: every answer is right, or clearly refused', async () => {
  const { proxy, load: start, lost } = await setScene();
  const load = start({ rate: 10 });
  await load.seen('right', 10);
  proxy.delay(50);
  await load.seen('right', 30);
  proxy.forward();
  load.faultEnds();
  await load.rightAgain(15_000);
  const tally = await load.stop();
  report({ fault: 'network to the database slow (50 ms each way)', ...tally, lost: await lost() });
  expectSound(tally);
});

test('the network to the database swallows everything: silent connections are given up', async () => {
  const { proxy, gateway, load: start, lost } = await setScene(patience);
  const load = start({ rate: 12 });
  await load.seen('right', 20);
  proxy.swallow();
  await sleep(4000);
  proxy.forward();
  load.faultEnds();
  await load.rightAgain(25_000);
  const tally = await load.stop();
  report({ fault: 'network to the database a black hole, 4 s', ...tally, lost: await lost() });
  expectSound(tally);
  expect(tally.refused).toBeGreaterThan(0);
  expect(await gateway.stop()).toMatchObject({ code: 0 });
});

test('a stop while every database connection is silent ends within 10 s, with exit code 0', async () => {
  const { proxy, gateway, load: start, lost } = await setScene();
  const load = start({ rate: 12 });
  await load.seen('right', 12);
  proxy.swallow();
  await sleep(500);
  // Where it hangs the test is not to wait as long as it would.
  const late = { code: null, signal: 'none', milliseconds: STOP_DEADLINE_MS };
  const end = await Promise.race([gateway.stop(), sleep(STOP_DEADLINE_MS, late, { ref: false })]);
  const tally = await load.stop();
  report({
    fault: 'SIGTERM while the database is a black hole',
    ...tally,
    lost: await lost(),
    ...endsOf(end),
  });
  expect(end.code).toBe(0);
  expect(end.milliseconds).toBeLessThan(STOP_DEADLINE_MS);
  expect(tally.wrongOnes).toEqual([]);
});
