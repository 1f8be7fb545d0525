import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataFolder, type DataFolder } from '../harness/data-folder.js';
import {
  launch,
  launchOnTerminal,
  served,
  serverRuns,
  type End,
  type Launched,
  STOP_DEADLINE_MS,
} from '../harness/launched.js';
import { endsOf, report } from './harness/table.js';
import { screenOf } from '../harness/screen.js';
import { expectWholeSample } from './harness/whole-sample.js';

const migrated = /applied a migration/;

let folder: DataFolder;
beforeEach(async () => {
  folder = await dataFolder();
});
afterEach(async () => {
  // What a failed test left running.
  await Promise.all(launched.map((gateway) => gateway.stop()));
  launched = [];
  await folder.drop();
});

let launched: Launched[] = [];
function start(): Launched {
  const gateway = launch(['serve'], { DATA_DIR: folder.path, RATE_LIMITS: 'off' });
  launched.push(gateway);
  return gateway;
}

/** Starts once more after what was interrupted, and adds the row of it. */
async function expectNextStart(fault: string, ends: readonly End[]): Promise<void> {
  const begun = performance.now();
  const gateway = start();
  const url = await gateway.says(served);
  const recoverMs = performance.now() - begun;
  const client = await folder.connect();
  const { right, lost } = await expectWholeSample(url, client);
  await client.end();
  report({
    fault: `first start ${fault}`,
    sent: right,
    right,
    refused: 0,
    wrong: 0,
    lost,
    recoverMs,
    ...endsOf(...ends),
    note: `${ends.length} times; outputs listed`,
  });
  expect((await gateway.stop()).code).toBe(0);
  expect(await serverRuns(folder.path)).toBe(false);
}

async function expectNothingLeft(): Promise<void> {
  expect(await serverRuns(folder.path)).toBe(false);
  const entries = existsSync(folder.path) ? await readdir(folder.path) : [];
  expect(entries.filter((name) => !['postgres', 'postgres.log'].includes(name))).toEqual([]);
}

test('stopped at any moment of the first start, it ends in order and leaves no server and no half cluster', async () => {
  const moments: ((gateway: Launched) => Promise<unknown>)[] = [
    () => sleep(50),
    () => sleep(300),
    () => sleep(1000),
    (gateway) => gateway.says(/creating the embedded PostgreSQL/),
    (gateway) => gateway.says(/creating the embedded PostgreSQL/).then(() => sleep(400)),
    (gateway) => gateway.says(migrated),
    (gateway) => gateway.says(migrated).then(() => sleep(700)),
  ];
  const ends: End[] = [];
  for (const [index, moment] of moments.entries()) {
    await folder.drop();
    folder = await dataFolder();
    const gateway = start();
    await moment(gateway);
    const end = await gateway.stop(index % 2 ? 'SIGINT' : 'SIGTERM');
    ends.push(end);
    const { code, signal, milliseconds } = end;
    // A Node that has not read a line of ours ends by the signal; it has started nothing.
    if (signal === null) expect(code, gateway.output()).toBe(0);
    else expect(existsSync(folder.path)).toBe(false);
    expect(milliseconds).toBeLessThan(STOP_DEADLINE_MS);
    await expectNothingLeft();
  }
  await expectNextStart('stopped at any moment', ends);
  await expectNothingLeft();
});

test('stopped twice in the first start, it ends at once', async () => {
  const ends: End[] = [];
  for (const wait of [0, 400]) {
    await folder.drop();
    folder = await dataFolder();
    const gateway = start();
    await gateway.says(/creating the embedded PostgreSQL/);
    await sleep(wait);
    gateway.send('SIGTERM');
    await sleep(600);
    const end = await gateway.stop();
    ends.push(end);
    const { code, milliseconds } = end;
    // It may have ended in order before.
    expect([0, 143], gateway.output()).toContain(code);
    expect(milliseconds).toBeLessThan(STOP_DEADLINE_MS);
    await expectNothingLeft();
  }
  await expectNextStart('stopped twice', ends);
});

test('on a terminal, the first start says in a few sentences what it does, and Ctrl-C ends it', async () => {
  const gateway = launchOnTerminal(['serve'], { DATA_DIR: folder.path });
  launched.push(gateway);
  await gateway.says(served);
  const { code } = await gateway.stop('SIGINT');
  const screen = screenOf(gateway.output());
  const indexes = [
    'creating the embedded PostgreSQL',
    'starting the embedded PostgreSQL',
    'applied a migration',
    'loading the generated sample chain',
    'loaded the generated sample chain',
    'Moraine serves embedded PostgreSQL',
    'stopped',
  ].map((sentence) => screen.map((line) => line.includes(sentence)).lastIndexOf(true));
  expect(indexes, screen.join('\n')).toEqual(indexes.toSorted((one, other) => one - other));
  expect(indexes[0]).toBeGreaterThanOrEqual(0);
  expect(screen.length).toBeLessThan(20);
  expect(screen.filter((line) => line.includes('{'))).toEqual([]);
  expect(code).toBe(0);
  await expectNothingLeft();
});

test('killed at random moments of the first start, the next start serves the whole sample', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  process.stdout.write(`moments of seed ${seed}\n`);
  let [state, round] = [seed, 0];
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  for (const phase of [/creating the embedded PostgreSQL/, migrated, migrated]) {
    const killed = start();
    await killed.says(phase);
    await sleep(random() * 1500);
    const end = await killed.stop('SIGKILL');
    await expectNextStart(`killed -9 at a random moment ${(round += 1)}, seed ${seed}`, [end]);
    await folder.drop();
    folder = await dataFolder();
  }
});
