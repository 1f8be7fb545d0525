import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { openStorage } from '../../src/storage/open.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { generateLedger } from '../harness/generated-ledger.js';
import { startMoraine, type MoraineProcess } from '../harness/moraine.js';
import { poolOf } from '../harness/connections.js';

const ADDRESSES = 64;
const OUTPUTS_EACH = 3000;
/** Documents of one caller at once, each with so many counts of the outputs of all addresses. */
const DOCUMENTS = 199;
const COUNTS = 10;
const PAUSE_MS = 25;

let database: TestDatabase;
let gateway: MoraineProcess;
let addresses: string[];

beforeAll(async () => {
  database = await createDatabase();
  const storage = await openStorage(loadConfig({ DATABASE_URL: database.url }), pino({ level: 'silent' }));
  const hot = Array.from({ length: ADDRESSES }, () => OUTPUTS_EACH);
  addresses = await generateLedger(poolOf(storage), { outputs: 200_000, hot });
  await storage.close();
  gateway = await startMoraine(
    'serve',
    { DATABASE_URL: database.url, PORT: '0', SAMPLE: 'off', WORKER: 'off', TRUSTED_PROXIES: '127.0.0.1' },
    /http:\/\/127\.0\.0\.1:\d+/,
  );
});

afterAll(async () => {
  await gateway?.stop();
  await database?.drop();
});

/** A request of one of the callers that a proxy on this machine stands before. */
function send(caller: string, path: string, document?: { query: string; variables?: object }) {
  const headers = { 'x-forwarded-for': caller, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(60_000);
  return fetch(
    gateway.ready + path,
    document ? { method: 'POST', headers, body: JSON.stringify(document), signal } : { headers, signal },
  );
}

const field =
  'utxos(network: mainnet, blockchainId: "p-chain", addresses: $addresses, includeSpent: true, first: 1)';
const aliases = Array.from({ length: COUNTS }, (_, index) => `c${index}: ${field} { totalCount }`);

function burst() {
  return Promise.all(
    Array.from({ length: DOCUMENTS }, async (_, index) => {
      // No two alike, so that each has to be read.
      const query = `query B${index}($addresses: [String!]) { ${aliases.join(' ')} }`;
      const reply = await send('203.0.113.1', '/graphql', { query, variables: { addresses } });
      await reply.text();
      return reply.status;
    }),
  );
}

const wrong: string[] = [];

/** Asks again and again until stopped, and notes each answer that is not right. */
async function ask(
  request: () => Promise<Response>,
  right: (body: string) => boolean,
  until: { over: boolean },
) {
  const times: number[] = [];
  while (!until.over) {
    times.push(await timed(request, right));
    await sleep(PAUSE_MS);
  }
  return times.sort((a, b) => a - b);
}

async function timed(request: () => Promise<Response>, right: (body: string) => boolean): Promise<number> {
  const begun = performance.now();
  const reply = await request();
  const body = await reply.text();
  const took = performance.now() - begun;
  if (reply.status !== 200 || !right(body)) wrong.push(`${reply.status} ${body.slice(0, 200)}`);
  return took;
}

test('a burst of counts by one caller leaves right answers to every other, and is refused clearly where it is', async () => {
  const list = `/v1/networks/mainnet/blockchains/p-chain/utxos?addresses=${addresses[0]}&pageSize=10`;
  const counted = {
    query: `query ($addresses: [String!]) { ${field} { totalCount totalCountIsExact } }`,
    variables: { addresses: addresses.slice(0, 1) },
  };
  const page = await (await send('203.0.113.2', list)).text();
  const total = `{"data":{"utxos":{"totalCount":${OUTPUTS_EACH},"totalCountIsExact":true}}`;
  const until = { over: false };
  const others = [
    ask(
      () => send('203.0.113.2', list),
      (body) => rowsOf(body) === rowsOf(page),
      until,
    ),
    ask(
      () => send('203.0.113.2', '/graphql', counted),
      (body) => body.startsWith(total),
      until,
    ),
    ask(
      () => send('203.0.113.3', '/health'),
      (body) => body.startsWith('{"status":"ok"'),
      until,
    ),
  ];
  await sleep(500);
  const statuses = await burst();
  until.over = true;
  const [lists = [], counts = [], healths = []] = await Promise.all(others);
  const number = (status: number) => statuses.filter((each) => each === status).length;
  console.log(
    [
      `of ${DOCUMENTS} documents ${number(200)} answered, ${number(503)} refused`,
      tell('list', lists),
      tell('count', counts),
      tell('/health', healths),
    ].join('; '),
  );
  expect(wrong).toEqual([]);
  expect(number(200) + number(503)).toBe(DOCUMENTS);
  expect(number(200)).toBeGreaterThan(0);
});

/** A page without its token, which is another each time. */
const rowsOf = (body: string) => JSON.stringify((JSON.parse(body) as { utxos: unknown }).utxos);

function tell(name: string, sorted: number[]): string {
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed();
  return `${name} of others p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`;
}
