import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { redisMissing, startRedis, type TestRedis } from '../harness/redis.js';
import { startImpostor, type Impostor } from './harness/garbage.js';
import { setScene } from './harness/scene.js';
import { send } from './harness/send.js';
import { expectSound, report } from './harness/table.js';

interface Fault {
  name: string;
  begin: (redis: TestRedis, impostor: Impostor) => unknown;
  end: (redis: TestRedis, impostor: Impostor) => unknown;
}

const faults: Fault[] = [
  { name: 'stopped (SIGSTOP)', begin: (redis) => redis.pause(), end: (redis) => redis.resume() },
  { name: 'killed -9', begin: (redis) => redis.kill(), end: (redis) => redis.restart() },
  {
    name: 'wrong (answers garbage)',
    begin: (_, impostor) => impostor.impersonate(),
    end: (_, impostor) => impostor.giveBack(),
  },
];

const limit = 40;

describe.skipIf(redisMissing)(`Redis fails${redisMissing ? ` (skipped: ${redisMissing})` : ''}`, () => {
  test.each(faults)('$name: every answer is right, and limits hold', async ({ name, begin, end }) => {
    const redis = await startRedis();
    onTestFinished(redis.stop);
    const garbage = 'HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n';
    const impostor = await startImpostor(Number(new URL(redis.url).port), garbage);
    onTestFinished(impostor.close);
    const {
      gateway,
      load: start,
      lost,
    } = await setScene({
      RATE_LIMITS: 'on',
      REDIS_URL: `redis://127.0.0.1:${impostor.port}`,
      PLANS: JSON.stringify({ anonymous: { requests: limit, seconds: 600 } }),
      TRUSTED_PROXIES: '127.0.0.1',
    });
    const load = start({
      headers: () => ({ 'x-forwarded-for': `10.0.0.${1 + Math.floor(Math.random() * 250)}` }),
    });
    await load.seen('right', 20);
    await begin(redis, impostor);
    await load.seen('right', 30);
    // Somebody who sends more than the limit allows is refused, whoever counts.
    const greedy = await Promise.all(
      Array.from({ length: limit + 20 }, () =>
        send(gateway.url, { path: '/v1/chains' }, { headers: { 'x-forwarded-for': '10.1.1.1' } }),
      ),
    );
    await end(redis, impostor);
    load.faultEnds();
    await sleep(500);
    await load.rightAgain(15_000);
    const tally = await load.stop();
    report({ fault: `Redis ${name}`, ...tally, lost: await lost() });
    expectSound(tally);
    expect(tally.refused).toBe(0);
    expect(greedy.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(20);
    expect(greedy.filter(({ status }) => status !== 429 && status !== 200)).toEqual([]);
    expect(await gateway.stop()).toMatchObject({ code: 0 });
  });
});
