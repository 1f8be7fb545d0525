import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { createKeyStore, type KeyStore } from '../../src/access/key-store.js';
import { loadConfig } from '../../src/config.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { listPath, listQuery } from '../harness/keys.js';
import { until } from '../harness/raw-client.js';
import { redisMissing, startRedis, type TestRedis } from '../harness/redis.js';
import { askOnce, launchProcesses, type Reply, type SeveralProcesses } from '../harness/several-processes.js';

const PROCESSES = 4;
/**
 * Refusals in a row before a caller is blocked: so many that a refusal of 200 requests is mostly not of a
 * block.
 */
const TOLERANCE = 100;
const log = pino({ level: 'silent' });
const plans = {
  fifty: { requests: 50, seconds: 3600 },
  'fifty-a-day': { requests: 50, seconds: 1, perDay: 50 },
  endless: { requests: 1_000_000, seconds: 3600, perDay: null },
  'fifty-calls': {
    requests: 1_000_000,
    seconds: 3600,
    perDay: null,
    fields: { 'Query.utxos': { calls: 50, seconds: 3600 } },
  },
};

let database: TestDatabase;
let storage: Storage;
let keys: KeyStore;

beforeAll(async () => {
  database = await createDatabase();
  storage = await openStorage(loadConfig({ DATABASE_URL: database.url, DATABASE_POOL: '2' }), log);
  keys = createKeyStore(storage.prisma, { log, now: Date.now });
});
afterAll(async () => {
  await storage.close();
  await database.drop();
});

async function newKey(plan: keyof typeof plans): Promise<string> {
  return (await keys.create({ name: 'test', plan, rights: null, expiresAt: null })).key;
}

/**
 * Four processes, where operations pay by their cost: because starting them is expensive, all tests of a
 * describe use the same.
 */
function start(env: Record<string, string> = {}): Promise<SeveralProcesses> {
  return launchProcesses(PROCESSES, {
    DATABASE_URL: database.url,
    PLANS: JSON.stringify(plans),
    SAMPLE: 'off',
    WORKER: 'off',
    // A caller's quarter of each process is wider than 50.
    DATABASE_POOL: '32',
    MAX_REQUESTS_IN_FLIGHT: '4000',
    COST_PER_REQUEST: '5',
    RATE_LIMIT_TOLERANCE: String(TOLERANCE),
    ...env,
  });
}

const header = (key: string) => ({ 'x-service-api-key': key });
const rest = ({ url }: SeveralProcesses, key: string) => askOnce(url + listPath, { headers: header(key) });
const asking =
  (query: string) =>
  ({ url }: SeveralProcesses, key: string) =>
    askOnce(`${url}/graphql`, { headers: header(key), body: { query } });
/** Costs 3, and so pays one request as REST does. */
const graphql = asking('{ utxos(network: fuji, blockchainId: "p-chain", first: 1) { nodes { utxoId } } }');
/** Costs 12, which are 3 requests of 5. */
const dearGraphql = asking(listQuery);

/** Of 200 requests at once, by all processes and the given doors. */
async function admittedOf200(
  gateway: SeveralProcesses,
  doors: (typeof rest)[],
  plan: keyof typeof plans = 'fifty',
): Promise<number> {
  const key = await newKey(plan);
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, index) => doors[index % doors.length]!(gateway, key)),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
  return replies.filter(({ status }) => status === 200).length;
}

async function expectExact(gateway: SeveralProcesses): Promise<void> {
  expect(await admittedOf200(gateway, [rest])).toBe(50);
  expect(await admittedOf200(gateway, [graphql])).toBe(50);
  expect(await admittedOf200(gateway, [rest, graphql])).toBe(50);
  expect(await admittedOf200(gateway, [rest, graphql], 'fifty-a-day')).toBe(50);
  for (const doors of [[rest], [graphql], [rest, graphql]])
    expect(await admittedOf200(gateway, doors, 'fifty-calls')).toBe(50);
  expect(gateway.answered().size).toBe(PROCESSES);
}

/** Of 3 requests each there is room for 16. */
async function expectExactByCost(gateway: SeveralProcesses): Promise<void> {
  expect(await admittedOf200(gateway, [dearGraphql])).toBe(16);
  expect(await admittedOf200(gateway, [rest])).toBe(50);
}

describe('four processes without Redis', () => {
  let gateway: SeveralProcesses;
  beforeAll(async () => {
    gateway = await start();
  });
  afterAll(() => gateway.stop());

  test('admit exactly the 50 of a limit of 200 requests at once, through either door and both', () =>
    expectExact(gateway));

  test('take what operations cost from one plan, whichever process answers', () =>
    expectExactByCost(gateway));

  test('tell what is left of it as one', async () => {
    const key = await newKey('fifty');
    const left = [];
    for (let request = 0; request < 2 * PROCESSES; request += 1)
      left.push(Number((await rest(gateway, key)).headers['ratelimit-remaining']));
    expect(left).toEqual([49, 48, 47, 46, 45, 44, 43, 42]);
  });

  test('all block whoever goes on after refusals', async () => {
    const key = await newKey('fifty-a-day');
    const replies: Reply[] = [];
    for (let request = 0; request < 50 + TOLERANCE + 12; request += 1) replies.push(await rest(gateway, key));
    const blocked = replies.map(({ text }) => text.includes('so this client is blocked'));
    // The refusals that are tolerated in a row, and from the next one on the block.
    expect(blocked.indexOf(true)).toBe(50 + TOLERANCE);
    expect(blocked.slice(50 + TOLERANCE).every(Boolean)).toBe(true);
  });

  test('one that is killed takes no counts with it', async () => {
    const key = await newKey('fifty');
    for (let request = 0; request < 45; request += 1) await rest(gateway, key);
    await gateway.kill(2);
    const replies = await Promise.all(Array.from({ length: 40 }, () => rest(gateway, key)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
  });
});

describe.skipIf(redisMissing)(`four processes on Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  let redis: TestRedis;
  let gateway: SeveralProcesses;
  beforeAll(async () => {
    redis = await startRedis();
    gateway = await start({ REDIS_URL: redis.url });
    // A process counts by itself until it is connected.
    await countTogether();
  });
  afterAll(async () => {
    await gateway.stop();
    await redis.stop();
  });

  const countTogether = async () =>
    expect(await until(async () => (await leftOfEight()) === 42, 300)).toBe(true);

  test('admit exactly the 50 of a limit of 200 requests at once', () => expectExact(gateway));

  test('take what operations pay by their cost from one plan', () => expectExactByCost(gateway));

  test('do so as well when Redis is lost', async () => {
    await redis.kill();
    await countTogether();
    await expectExact(gateway);
  });

  /**
   * What is left of 50 after as many requests as both rounds of all processes: 42 once they count together.
   */
  async function leftOfEight(): Promise<number> {
    const key = await newKey('fifty');
    let left = 0;
    for (let request = 0; request < 2 * PROCESSES; request += 1)
      left = Number((await rest(gateway, key)).headers['ratelimit-remaining']);
    return left;
  }
});
