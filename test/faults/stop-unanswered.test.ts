import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { launch, served, STOP_DEADLINE_MS } from '../harness/launched.js';
import { serveSockets } from '../harness/loopback.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** A way to the database that can fall silent: it goes on taking bytes, and none come back. */
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
  await waiting;
  await redis.close();
});

test('a database that does not answer while the gateway starts keeps nothing from ending', async () => {
  const silent = await serveSockets(() => undefined);
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
  }
  await silent.close();
});

test('a port that is taken, or an address that is not of this machine, is told in a sentence', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const attempts: { env: Record<string, string>; says: RegExp }[] = [
    {
      env: { PORT: String(port) },
      says: /HOST=127\.0\.0\.1, PORT=\d+: another process has this port.*set PORT/,
    },
    { env: { METRICS_PORT: String(port) }, says: /METRICS_PORT=\d+: another process has this port/ },
    { env: { HOST: '192.0.2.1' }, says: /HOST=192\.0\.2\.1.*no such address.*Set HOST/ },
    { env: { HOST: 'nowhere.invalid' }, says: /HOST=nowhere\.invalid.*no such address.*Set HOST/ },
  ];
  await Promise.all(
    attempts.map(async ({ says, env }) => {
      const gateway = launch(['serve'], {
        DATABASE_URL: database.url,
        SAMPLE: 'off',
        LOG_LEVEL: 'fatal',
        ...env,
      });
      expect((await gateway.ended).code).toBe(1);
      expect(gateway.output()).toMatch(says);
      expect(gateway.output()).not.toMatch(/^\s+at /m);
    }),
  );
  taken.close();
});

test('a signal that comes while the command line is being loaded is not lost', async () => {
  // It has arrived and waits for the event loop when the first handlers of bin/moraine.mjs are taken away.
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
  expect((await gateway.ended).code, gateway.output()).toBe(0);
  clearTimeout(deadline);
});
