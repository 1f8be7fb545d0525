import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { launch, served, STOP_DEADLINE_MS, type End } from '../harness/launched.js';
import { serveSockets } from '../harness/loopback.js';
import { execute } from './harness/postgres.js';
import { watchRows } from './harness/rows.js';
import { endsOf, report } from './harness/table.js';

let database: TestDatabase;
let lost: () => Promise<number>;
beforeAll(async () => {
  database = await createDatabase({ sample: true });
  lost = await watchRows({ query: (sql) => execute(database, sql) });
});
afterAll(() => database.drop());

/** No request is sent to a gateway that does not serve. */
const noRequests = { sent: 0, right: 0, refused: 0, wrong: 0 };

/** A connection to the database that can fall silent: it still accepts bytes, and none come back. */
async function silentableDatabase() {
  const target = new URL(database.url);
  const path = `${decodeURIComponent(target.hostname)}/.s.PGSQL.${target.port}`;
  const isSocket = path.startsWith('/');
  let silent = false;
  const proxy = await serveSockets((client: Socket) => {
    const server = isSocket
      ? connect(path)
      : connect(Number(target.port || 5432), decodeURIComponent(target.hostname));
    server.on('error', () => client.destroy()).on('data', (data) => void (silent || client.write(data)));
    client.on('data', (data) => void (silent || server.write(data)));
    client.on('close', () => server.destroy());
  });
  target.host = `127.0.0.1:${proxy.port}`;
  return { url: target.href, fallSilent: () => (silent = true), close: proxy.close };
}

test('a database that does not answer keeps nothing from ending', async () => {
  const way = await silentableDatabase();
  const gateway = launch(['serve'], { DATABASE_URL: way.url, SAMPLE: 'off', RATE_LIMITS: 'off' });
  const url = await gateway.says(served);
  way.fallSilent();
  const waiting = fetch(`${url}/v1/networks/fuji/blockchains/p-chain/utxos`);
  const refused = waiting.then(
    ({ status }) => status,
    () => 503,
  );
  await fetch(`${url}/health`);
  const end = await gateway.stop();
  expect(await refused).toBe(503);
  expect(end.code, gateway.output()).toBe(0);
  expect(end.milliseconds).toBeLessThan(STOP_DEADLINE_MS);
  report({
    fault: 'stop: the database does not answer',
    sent: 1,
    right: 0,
    refused: 1,
    wrong: 0,
    lost: await lost(),
    ...endsOf(end),
  });
  await way.close();
});

test('a Redis that does not answer keeps nothing from ending', async () => {
  const redis = await serveSockets(() => undefined);
  const gateway = launch(['serve'], {
    DATABASE_URL: database.url,
    SAMPLE: 'off',
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
  });
  const url = await gateway.says(served);
  const waiting = fetch(`${url}/v1/networks/fuji/blockchains/p-chain/utxos`).catch(() => null);
  const end = await gateway.stop();
  expect(end.code, gateway.output()).toBe(0);
  expect(end.milliseconds).toBeLessThan(STOP_DEADLINE_MS);
  const status = (await waiting)?.status;
  const isKnown = status === undefined || status === 200 || status === 503;
  report({
    fault: 'stop: Redis does not answer',
    sent: 1,
    right: Number(status === 200),
    refused: Number(status === 503),
    cut: Number(status === undefined),
    wrong: Number(!isKnown),
    lost: await lost(),
    ...endsOf(end),
  });
  expect(isKnown, String(status)).toBe(true);
  await redis.close();
});

test('a database that does not answer while the gateway starts keeps nothing from ending', async () => {
  const silent = await serveSockets(() => undefined);
  const ends: End[] = [];
  for (const [args, code] of [
    [['serve'], 0],
    [['worker'], 0],
    [['migrate'], 143],
    [['keys', 'list'], 143],
  ] as const) {
    const before = silent.accepts();
    const command = launch(args, { DATABASE_URL: `postgresql://x@127.0.0.1:${silent.port}/x` });
    while (silent.accepts() === before) await new Promise((resolve) => setTimeout(resolve, 10));
    const end = await command.stop();
    expect(end.code, args.join(' ') + command.output()).toBe(code);
    expect(end.milliseconds).toBeLessThan(STOP_DEADLINE_MS);
    ends.push(end);
  }
  report({
    fault: 'stop: the database does not answer at the start',
    ...noRequests,
    lost: await lost(),
    ...endsOf(...ends),
    note: 'serve and worker 0; migrate and keys list 143',
  });
  await silent.close();
});

test('a port that is taken, or an address that is not of this machine, is reported in a sentence', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const attempts: { env: Record<string, string>; says: RegExp }[] = [
    {
      env: { PORT: String(port) },
      says: /HOST=127\.0\.0\.1, PORT=\d+: another process uses this port.*set PORT/,
    },
    { env: { METRICS_PORT: String(port) }, says: /METRICS_PORT=\d+: another process uses this port/ },
    { env: { HOST: '192.0.2.1' }, says: /HOST=192\.0\.2\.1.*no such address.*Set HOST/ },
    { env: { HOST: 'nowhere.invalid' }, says: /HOST=nowhere\.invalid.*no such address.*Set HOST/ },
  ];
  const codes = await Promise.all(
    attempts.map(async ({ says, env }) => {
      const gateway = launch(['serve'], {
        DATABASE_URL: database.url,
        SAMPLE: 'off',
        LOG_LEVEL: 'fatal',
        ...env,
      });
      const { code } = await gateway.ended;
      expect(code).toBe(1);
      expect(gateway.output()).toMatch(says);
      expect(gateway.output()).not.toMatch(/^\s+at /m);
      return code;
    }),
  );
  const exit = [...new Set(codes)].join(', ');
  report({ ...noRequests, fault: 'start: a port taken, or no such address', lost: await lost(), exit });
  taken.close();
});

test('a signal that comes while the command line is being loaded is not lost', async () => {
  // It has arrived and waits for the event loop when the first handlers of bin/moraine.mjs are removed.
  const inThatMoment = `
    const { off } = process;
    process.off = (...args) => {
      process.off = off;
      process.kill(process.pid, 'SIGTERM');
      return process.off(...args);
    };`;
  const gateway = launch(['serve'], {
    DATABASE_URL: database.url,
    SAMPLE: 'off',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(inThatMoment)}`,
  });
  const deadline = setTimeout(() => gateway.send('SIGKILL'), STOP_DEADLINE_MS);
  const end = await gateway.ended;
  expect(end.code, gateway.output()).toBe(0);
  report({
    fault: 'stop: a signal while the command line loads',
    ...noRequests,
    lost: await lost(),
    exit: String(end.code),
  });
  clearTimeout(deadline);
});
