import { expect, test } from 'vitest';
import { createKey } from '../../src/access/key.js';
import { runCommand } from './harness/gateway.js';
import { setScene } from './harness/scene.js';
import { send, type Answer } from './harness/send.js';
import { expectSound, report } from './harness/table.js';

const requests = 60;
const path = '/v1/chains';

test('unknown keys are charged to the address that sends them, and a fresh key works within seconds', async () => {
  const {
    gateway,
    database,
    load: start,
    lost,
  } = await setScene({
    RATE_LIMITS: 'on',
    TRUSTED_PROXIES: '127.0.0.1',
    PLANS: JSON.stringify({ anonymous: { requests, seconds: 600 } }),
  });
  let count = 0;
  const load = start({ headers: () => ({ 'x-forwarded-for': `10.0.${(count += 1) % 200}.1` }) });
  await load.seen('right', 10);
  const answers: Answer[] = [];
  for (let round = 0; round < 3 * requests; round += 20) {
    const ask = () =>
      send(
        gateway.url,
        { path },
        { headers: { 'x-forwarded-for': '10.6.6.6', 'x-service-api-key': createKey() } },
      );
    answers.push(...(await Promise.all(Array.from({ length: 20 }, ask))));
  }
  const made = await runCommand(['keys', 'create', '--plan', 'free', '--name', 'fresh'], {
    DATABASE_URL: database.url,
  });
  const key = made.output.trim().split('\n').at(-1)!.trim();
  const fresh = await send(gateway.url, { path }, { headers: { 'x-service-api-key': key } });
  load.faultEnds();
  await load.rightAgain(15_000);
  const tally = await load.stop();
  const with401 = answers.filter(({ status }) => status === 401).length;
  report({
    fault: `${answers.length} unknown keys from one address`,
    ...tally,
    lost: await lost(),
    note: `${with401} unknown, ${answers.length - with401} over the limit`,
  });
  expectSound(tally);
  expect(tally.refused).toBe(0);
  expect(with401).toBeLessThanOrEqual(requests);
  expect(answers.filter(({ status }) => status !== 401 && status !== 429)).toEqual([]);
  expect(fresh.status).toBe(200);
});
