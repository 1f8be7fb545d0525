import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { countInBurst } from '../harness/attacks.js';
import { watchHealth } from '../harness/metrics.js';
import { setTimedScene } from '../harness/scene.js';
import { expectSound, report } from '../harness/table.js';

test('199 documents of counts in one burst: another caller gets right answers, and health is not late', async () => {
  const { scene, watchersUrl } = await setTimedScene({ TRUSTED_PROXIES: '127.0.0.1' });
  const { gateway } = scene;
  const load = scene.load({ headers: { 'x-forwarded-for': '10.0.0.9' } });
  await load.seen('right', 20);
  const health = watchHealth(gateway.url, watchersUrl);
  const burst = await countInBurst(gateway.url, { 'x-forwarded-for': '10.6.6.6' });
  load.faultEnds();
  await sleep(100);
  await load.rightAgain(15_000);
  const { note, failed } = await health.stop();
  const tally = await load.stop();
  const refused = burst.filter(({ status, text }) => status !== 200 || text.includes('"errors"'));
  report({
    fault: '199 documents of 10 counts each at once, from one caller',
    ...tally,
    lost: await scene.lost(),
    note: `${tally.note}, ${note}, ${refused.length} of the burst refused`,
  });
  expectSound(tally);
  expect(tally.refused).toBe(0);
  expect(failed).toBe(0);
  expect(burst.filter(({ status }) => ![200, 400, 429, 503].includes(status))).toEqual([]);
  expect(refused.filter(({ text }) => text.includes('cannot be reached'))).toEqual([]);
});
