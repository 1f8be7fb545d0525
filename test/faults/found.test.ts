import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { connectTo } from '../harness/connections.js';
import { addressOf, utxoRow } from '../harness/ledger-rows.js';
import { createDatabase, type Database } from './harness/database.js';
import { runCommand, startGateway, type Gateway } from './harness/gateway.js';
import { wrongBalances } from './harness/import-file.js';
import { newFolder } from './harness/postgres.js';
import { sendBytes } from './harness/client.js';
import { knownGood, reportRight, type Probe } from './harness/probes.js';
import { watchRows } from './harness/rows.js';
import { send, type Answer } from './harness/send.js';

const outputs = '/v1/networks/fuji/blockchains/p-chain/utxos?includeSpent=true&pageSize=10';
const plan = { requests: 150, seconds: 600 };
/** Requests that one caller sends at once. */
const many = 120;

let database: Database;
let gateway: Gateway;
let probes: Probe[];
let lost: () => Promise<number>;

beforeAll(async () => {
  database = await createDatabase();
  gateway = await startGateway({
    DATABASE_URL: database.url,
    RATE_LIMITS: 'on',
    TRUSTED_PROXIES: '127.0.0.1',
    PLANS: JSON.stringify({ anonymous: plan }),
    CORS_ORIGIN: 'https://app.example',
    STATEMENT_TIMEOUT_MS: '20000',
    REQUEST_TIMEOUT_MS: '20000',
  });
  probes = await knownGood(gateway.url);
  lost = await watchRows(database);
});
afterAll(async () => {
  await gateway.kill();
  await database.drop();
});

/** Asks as the caller with an address. */
const as = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': address, ...headers },
});
const ask = (path: string, address: string) => send(gateway.url, { path }, as(address));
const post = (document: string, address: string, headers: Record<string, string> = {}) =>
  send(
    gateway.url,
    { path: '/graphql', post: JSON.stringify({ query: document }) },
    as(address, { accept: 'application/json', ...headers }),
  );

const isServed = ({ status }: Answer) => status === 200;
const reportAnswers = async (
  fault: string,
  answers: readonly Answer[],
  isRight: (answer: Answer) => boolean,
) => reportRight({ fault, lost: await lost() }, answers, isRight);

test('one caller that asks for all there is gets a quarter of the pool, and others are answered', async () => {
  const locker = await connectTo(database.url);
  await locker.query('BEGIN; LOCK TABLE utxo_owner IN ACCESS EXCLUSIVE MODE');
  const pressing = Array.from({ length: many }, () => ask(outputs, '10.1.0.1'));
  let most = 0;
  for (let look = 0; look < 20; look += 1) {
    const [waiting] = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    most = Math.max(most, waiting?.count ?? NaN);
  }
  // Another table than the one that is locked.
  const other = await ask('/v1/networks/fuji/blockchains/x-chain/vertices?pageSize=5', '10.1.0.2');
  const inFlight = Number(
    /^moraine_http_requests_in_flight (\d+)$/m.exec((await ask('/metrics', '10.1.0.3')).text)?.[1],
  );
  await locker.query('ROLLBACK');
  await locker.end();
  const answers = [...(await Promise.all(pressing)), other];
  await reportAnswers('one caller asks for all slots and connections', answers, isServed);
  expect(other.status).toBe(200);
  expect(most).toBeGreaterThan(0);
  // A quarter of DATABASE_POOL (16) and of MAX_REQUESTS_IN_FLIGHT (256), and nobody else is there.
  expect(most).toBeLessThanOrEqual(4);
  expect(inFlight).toBeLessThanOrEqual(64);
});

test('introspection over and over is charged, and over the limit refused', async () => {
  const answers: Answer[] = [];
  while (answers.length < plan.requests + 20)
    answers.push(
      ...(await Promise.all(Array.from({ length: 20 }, () => post(getIntrospectionQuery(), '10.2.0.1')))),
    );
  const other = await ask(outputs, '10.2.0.2');
  const isRight = ({ status, text }: Answer) => status === 200 && text.startsWith('{"data":{"__schema"');
  await reportAnswers('introspection over and over', answers, isRight);
  expect(answers.filter(isRight).length).toBeLessThanOrEqual(plan.requests);
  expect(other.status).toBe(200);
});

test('two outputs of one owner that swap chains in one import leave balances right', async () => {
  const folder = await newFolder();
  const { p, x } = blockchainIds.mainnet;
  const between = (name: string, amount: string, created: string, consumed: string) =>
    utxoRow(name, {
      amount,
      addresses: [addressOf('swapper')],
      createdOnChainId: created,
      consumedOnChainId: consumed,
    });
  for (const rows of [
    [between('swap a', '7', p, x), between('swap b', '5', x, p)],
    [between('swap a', '7', x, p), between('swap b', '5', p, x)],
  ]) {
    const file = join(folder, 'mainnet.p-chain.utxos.ndjson');
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    expect(await runCommand(['import', file], { DATABASE_URL: database.url })).toMatchObject({ code: 0 });
  }
  await rm(folder, { recursive: true });
  const found = await database.query<object>(
    `SELECT chain::text, created_unspent::text AS unspent, created_received::text AS received
       FROM address_balance b JOIN address a ON a.id = b.address_id
      WHERE network = 'mainnet' AND address = $1 ORDER BY chain`,
    [addressOf('swapper').replace(/^.*-/, '')],
  );
  const listed = await ask(
    `/v1/networks/mainnet/blockchains/p-chain/utxos?addresses=${addressOf('swapper')}&includeSpent=true`,
    '10.3.0.1',
  );
  await reportAnswers('two outputs swap chains in one import', [listed], isServed);
  expect(found).toEqual([
    { chain: 'p', unspent: '5', received: '5' },
    { chain: 'x', unspent: '7', received: '7' },
  ]);
  expect(await wrongBalances(database)).toBe(0);
});

test('what Node refuses by itself has the body of every refusal', async () => {
  const answers = await Promise.all([
    sendBytes(gateway.url, 'nonsense\r\n\r\n'),
    sendBytes(gateway.url, `GET / HTTP/1.1\r\nhost: x\r\nx-y: ${'z'.repeat(20_000)}\r\n\r\n`),
  ]);
  const titles: Record<number, string> = { 400: 'Bad Request', 431: 'Request Header Fields Too Large' };
  const isForm = ({ status, text, headers }: Answer) => {
    const body = JSON.parse(text) as { error: string; statusCode: number; message: unknown };
    const isTold = body.statusCode === status && body.error === titles[status];
    return isTold && typeof body.message === 'string' && headers['cache-control'] === 'no-store';
  };
  await reportAnswers('requests that are no HTTP, or have too long a head', answers, isForm);
  expect(answers.map(({ status }) => status)).toEqual([400, 431]);
});

test('caches keep no refusal, and the headers say what a reply depends on', async () => {
  const paths = ['/no/such/path', `${outputs}&pageSize=x`, '/health'];
  const answers = await Promise.all(paths.map((path) => ask(path, '10.4.0.1')));
  await reportAnswers('caches between', answers, ({ headers }) => headers['cache-control'] === 'no-store');
  for (const name of ['x-service-api-key', 'x-glacier-api-key', 'origin'])
    expect(String(answers[0]?.headers['vary']).toLowerCase()).toContain(name);
});

test('a form of a foreign page changes nothing', async () => {
  const mutation = 'mutation { reindexNft(chainId: "43113", address: "x", tokenId: "1") { nextReindexAt } }';
  const answers = await Promise.all(
    ['application/x-www-form-urlencoded', 'application/json'].map((type) =>
      send(
        gateway.url,
        {
          path: '/graphql',
          post: type.endsWith('json')
            ? JSON.stringify({ query: mutation })
            : `query=${encodeURIComponent(mutation)}`,
        },
        as('10.5.0.1', { 'content-type': type, accept: 'application/json', origin: 'https://evil.example' }),
      ),
    ),
  );
  const isRefused = ({ status, text }: Answer) => status === 403 && text.includes('FORBIDDEN');
  await reportAnswers('a form of a foreign page that reindexes', answers, isRefused);
  expect(await database.query(`SELECT 1 FROM nft_token WHERE job_id IS NOT NULL`)).toEqual([]);
});

test('a name of 200 kB is not echoed', async () => {
  const long = 'x'.repeat(200_000);
  const answers = await Promise.all([
    post(`{ ${long} }`, '10.6.0.1'),
    post(`{ utxos(${long}: 1) { nodes { utxoId } } }`, '10.6.0.1'),
    send(
      gateway.url,
      { path: '/v2/lookingGlass/compositeQuery', post: JSON.stringify({ queries: [], operator: long }) },
      as('10.6.0.1'),
    ),
  ]);
  const isShort = ({ status, text }: Answer) => status < 500 && text.length > 0 && text.length < 5000;
  await reportAnswers('names of 200 kB', answers, isShort);
});

test('after all that every answer is right, and it stops in order', async () => {
  const answers = await Promise.all(probes.map((probe) => send(gateway.url, probe, as('10.9.0.1'))));
  expect(answers.map(({ status }) => status)).toEqual(probes.map(() => 200));
  expect(await gateway.stop()).toMatchObject({ code: 0 });
});
