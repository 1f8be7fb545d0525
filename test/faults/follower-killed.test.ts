import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { excerptGenesis, startExcerptNode } from '../harness/excerpt-node.js';
import { excerptFilling } from '../harness/followed.js';
import { dumpFollowed, dumpOf } from '../harness/followed-dump.js';
import { createImportDatabase, type ImportDatabase } from '../harness/ingest.js';
import { launch } from '../harness/launched.js';
import { openNodeProxy } from '../harness/node-proxy.js';
import { Random } from '../harness/random.js';
import { report } from './harness/table.js';

const KILLS = Number(process.env['FOLLOW_KILLS'] ?? 8);

let database: ImportDatabase | undefined;
afterEach(async () => {
  await database?.close();
  adoptIdentities({});
});

test('`moraine follow` killed -9 at random moments: it goes on where it was, to the rows of an uninterrupted run', async () => {
  const whole = await dumpOf(excerptFilling);
  database = await createImportDatabase();
  const node = await startExcerptNode();
  // Slow, so that the kills fall into all of the way.
  const proxy = await openNodeProxy(node.url, { faults: { delayMs: 120 } });
  const random = new Random(32);
  const start = () =>
    launch(['follow', proxy.url, '--genesis', excerptGenesis, '--as', 'fuji', '--once'], {
      DATABASE_URL: database!.url,
    });
  let midway = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const follower = start();
    await follower.says(/: from block/);
    await sleep(random.below(500));
    if (!follower.hasEnded()) midway += 1;
    await follower.stop('SIGKILL');
  }
  const last = start();
  expect((await last.ended).code, last.output()).toBe(0);
  const rows = await dumpFollowed(database.storage);
  const isRight = JSON.stringify(rows) === JSON.stringify(whole);
  report({
    fault: `moraine follow killed -9 ${KILLS} times`,
    sent: 1,
    right: Number(isRight),
    refused: 0,
    wrong: Number(!isRight),
    lost: (whole['transaction']?.length ?? 0) - (rows['transaction']?.length ?? 0),
    note: `${midway} times on its way`,
  });
  expect(rows).toEqual(whole);
  await proxy.close();
  await node.close();
});
