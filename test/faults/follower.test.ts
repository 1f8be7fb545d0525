import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startFollowerProcess } from '../harness/follower.js';
import { emptyDatabase, ledgerOf } from './harness/followed-servers.js';
import { copyPostgres } from './harness/postgres.js';
import { report } from './harness/table.js';

/** Of the generated chain: no proposal. */
const HEAD = 3000;

test('PostgreSQL killed under a follower: it goes on by itself, to the rows of an uninterrupted run', async () => {
  const server = await copyPostgres(inject('sampleServer').folder);
  onTestFinished(server.drop);
  const [whole, followed] = [await emptyDatabase(server, 'whole'), await emptyDatabase(server, 'followed')];
  const control = await startFollowerProcess({ databaseUrl: whole, head: HEAD });
  expect(await once(control, 'exit')).toEqual([0, null]);
  const follower = await startFollowerProcess({ databaseUrl: followed, head: HEAD });
  const ended = once(follower, 'exit');
  onTestFinished(() => void follower.kill('SIGKILL'));
  let killed = 0;
  while (follower.exitCode === null && killed < 4) {
    await sleep(300);
    await server.kill();
    killed += 1;
    await sleep(200);
    await server.start();
  }
  const back = performance.now();
  expect(await ended).toEqual([0, null]);
  const recoverMs = performance.now() - back;
  const [wanted, got] = [await ledgerOf(whole), await ledgerOf(followed)];
  const isRight = JSON.stringify(got) === JSON.stringify(wanted);
  report({
    fault: 'PostgreSQL killed -9 under a follower',
    sent: 1,
    right: Number(isRight),
    refused: 0,
    wrong: Number(!isRight),
    recoverMs,
    lost: (wanted['transaction']?.length ?? 0) - (got['transaction']?.length ?? 0),
    note: `killed ${killed} times`,
  });
  expect(killed).toBeGreaterThan(1);
  expect(got).toEqual(wanted);
});
