import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { dataFolder, type DataFolder } from '../harness/data-folder.js';
import { launch, serverRuns, STOP_DEADLINE_MS, type End } from '../harness/launched.js';
import { execute } from './harness/postgres.js';
import { countRows, inFolder, rowsMissing, watchRows, type RowCounts } from './harness/rows.js';
import { endsOf, report, type FaultRow } from './harness/table.js';
import { askOnce, launchProcesses, type SeveralProcesses } from '../harness/several-processes.js';

const list = '/v1/networks/fuji/blockchains/p-chain/utxos?includeSpent=true';

let folder: DataFolder;
let database: TestDatabase;
beforeAll(async () => {
  folder = await dataFolder();
  // An embedded database is a cluster like any other.
  await cp(join(inject('sampleServer').folder, 'postgres'), join(folder.path, 'postgres'), {
    recursive: true,
  });
  database = await createDatabase({ sample: true });
});
afterAll(async () => {
  await embedded?.stop();
  await folder.drop();
  await database.drop();
});

/** No request is sent to a gateway that is down. */
const noRequests = { sent: 0, right: 0, refused: 0, wrong: 0 };

/** Counts the rows of the database; the function that it returns counts how many are lost. */
const watchDatabase = () => watchRows({ query: (sql) => execute(database, sql) });

/** Rows of the embedded PostgreSQL when the gateway first served. */
let held: RowCounts | undefined;

let embedded: SeveralProcesses | undefined;

/**
 * On an embedded PostgreSQL of its own: the one that runs, for each test stops what the one before has
 * started again.
 */
async function start(): Promise<SeveralProcesses> {
  if (!embedded || embedded.hasEnded())
    embedded = await launchProcesses(2, { DATA_DIR: folder.path, RATE_LIMITS: 'off' });
  held ??= await countRows(inFolder(folder));
  return embedded;
}

const runs = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function expectNothingLeft(gateway: SeveralProcesses, end: End, code: number): Promise<void> {
  expect({ ...end, milliseconds: 0 }, gateway.output()).toEqual({ code, signal: null, milliseconds: 0 });
  expect(end.milliseconds).toBeLessThan(STOP_DEADLINE_MS);
  expect([...gateway.pids().values()].filter(runs)).toEqual([]);
  expect(await serverRuns(folder.path)).toBe(false);
}

/** Starts again, and adds the row of what ended before. */
async function reportAfterRestart(
  fault: string,
  end: End,
  clients: Partial<Pick<FaultRow, 'sent' | 'right' | 'refused' | 'cut'>> = {},
): Promise<void> {
  const ended = performance.now();
  const gateway = await start();
  const { status } = await askOnce(gateway.url + list);
  const recoverMs = performance.now() - ended;
  const lost = rowsMissing(held ?? {}, await countRows(inFolder(folder)));
  const { sent = 0, right = 0, refused = 0 } = clients;
  report({
    ...clients,
    fault: `two processes: ${fault}`,
    refused,
    lost,
    recoverMs,
    ...endsOf(end),
    // The first request of the gateway that was started again is one of them.
    sent: sent + 1,
    right: right + Number(status === 200),
    wrong: Number(status !== 200),
  });
  expect(status).toBe(200);
}

test('SIGTERM ends all processes and the embedded PostgreSQL, and what is being asked is answered', async () => {
  const gateway = await start();
  const statuses: number[] = [];
  let loaded = true;
  const load = Array.from({ length: 3 }, async () => {
    while (loaded)
      await askOnce(gateway.url + list).then(
        ({ status }) => statuses.push(status),
        () => (loaded = false),
      );
  });
  while (statuses.length < 20) await sleep(20);
  const end = await gateway.stop();
  await Promise.all(load);
  await expectNothingLeft(gateway, end, 0);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(gateway.output()).not.toContain('is replaced');
  const [right, refused] = [200, 503].map((each) => statuses.filter((status) => status === each).length);
  await reportAfterRestart('SIGTERM under load', end, { sent: statuses.length, right, refused });
});

test('Ctrl-C, which a terminal sends to every process, ends them in the same order', async () => {
  const gateway = await start();
  const stopped = gateway.stop('SIGINT');
  for (const pid of gateway.pids().values()) process.kill(pid, 'SIGINT');
  await expectNothingLeft(gateway, await stopped, 0);
  expect(gateway.output()).not.toContain('is replaced');
  await reportAfterRestart('Ctrl-C, which every process gets', await stopped);
});

test('a second signal ends all at once, PostgreSQL too, and the exit code shows it', async () => {
  const gateway = await start();
  const client = await folder.connect();
  await client.query('BEGIN; LOCK TABLE utxo_owner IN ACCESS EXCLUSIVE MODE');
  const waiting = askOnce(gateway.url + list).catch(() => undefined);
  await sleep(1000);
  gateway.send('SIGTERM');
  await sleep(1000);
  const end = await gateway.stop('SIGINT');
  await waiting;
  await client.end().catch(() => undefined);
  await expectNothingLeft(gateway, end, 130);
  // Not the orderly end, which comes after the time for a stop as well.
  expect(await folder.shutdowns()).toEqual(['received immediate shutdown request']);
  await reportAfterRestart('a second signal', end, { sent: 1, cut: 1 });
});

test('a signal that comes while the first processes start ends them', async () => {
  await embedded?.stop();
  const gateway = launch(['serve'], { PROCESSES: '2', DATA_DIR: folder.path });
  await gateway.says(/"process":1/);
  const end = await gateway.stop();
  expect(end.code, gateway.output()).toBe(0);
  expect(await serverRuns(folder.path)).toBe(false);
  await reportAfterRestart('SIGTERM while the first ones start', end);
});

test('processes whose primary process was killed end as well', async () => {
  const gateway = await launchProcesses(2, { DATABASE_URL: database.url, SAMPLE: 'off' });
  const pids = [...gateway.pids().values()];
  expect(pids.filter(runs)).toHaveLength(2);
  const missing = await watchDatabase();
  const end = await gateway.stop('SIGKILL');
  await expect.poll(() => pids.filter(runs), { timeout: 300_000 }).toEqual([]);
  const lost = await missing();
  report({ ...noRequests, fault: 'two processes: the primary one killed -9', lost, ...endsOf(end) });
});

test('a port that is taken is reported once, in a sentence', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const gateway = launch(['serve'], {
    PROCESSES: '3',
    DATABASE_URL: database.url,
    SAMPLE: 'off',
    LOG_LEVEL: 'fatal',
    PORT: String(port),
  });
  expect((await gateway.ended).code).toBe(1);
  expect(gateway.output().match(/another process uses this port/g)).toHaveLength(1);
  expect(gateway.output()).toContain('The first process ended with code 1 before it was ready');
  expect(gateway.output()).not.toMatch(/^\s+at /m);
  taken.close();
});

test('a process that ends at once again and again is given up, and the gateway with it', async () => {
  // A process in the second place ends long before it serves.
  const ending = `
    if (process.argv.at(-1) === '2') setTimeout(() => process.exit(7), 100).unref();`;
  const gateway = launch(['serve'], {
    PROCESSES: '2',
    DATABASE_URL: database.url,
    SAMPLE: 'off',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ending)}`,
  });
  const missing = await watchDatabase();
  const end = await gateway.ended;
  expect(end.code, gateway.output()).toBe(1);
  const lost = await missing();
  report({
    ...noRequests,
    fault: 'two processes: one ends at once, again and again',
    lost,
    exit: String(end.code),
  });
  expect(gateway.output()).toMatch(
    /Process 2 ended at once 7 times in a row; the last one ended with code 7/,
  );
  expect(gateway.output().match(/it is replaced/g)).toHaveLength(6);
  const listening = [...gateway.output().matchAll(/"pid":(\d+).*Server listening/g)];
  expect(listening.map(([, pid]) => Number(pid)).filter(runs)).toEqual([]);
});
