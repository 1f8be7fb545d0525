import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { openStorage, type Storage } from '../../src/storage/open.js';
import { addressOf, dateOf, type CompositePage } from '../harness/composite.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { importRows } from '../harness/import-rows.js';
import { askOnce, launchProcesses, type SeveralProcesses } from '../harness/several-processes.js';

const CHAIN = 4242;

let database: TestDatabase;
let storage: Storage;
let gateway: SeveralProcesses;

beforeAll(async () => {
  database = await createDatabase();
  storage = await openStorage(
    loadConfig({ DATABASE_URL: database.url, DATABASE_POOL: '2' }),
    pino({ level: 'silent' }),
  );
  gateway = await launchProcesses(3, {
    ...{ DATABASE_URL: database.url, SAMPLE: 'off', WORKER: 'off', RATE_LIMITS: 'off' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await storage.close();
  await database.drop();
});

const balances = (rows: [address: number, balance: number][]) =>
  importRows(
    storage,
    `evm.${CHAIN}.native-balances`,
    rows.map(([address, balance]) => ({
      ...{ date: dateOf(1), address: addressOf(address), balance: String(balance) },
    })),
  );

/** Whoever has at least `least`, and beside them whoever has at least 1 of a token that nobody holds. */
const query = (least: number) => ({
  operator: 'OR',
  queries: [
    { type: 'LatestBalance', id: 'a', minBalance: String(least), tokenType: 'NATIVE' },
    { type: 'LatestBalance', id: 'b', minBalance: '1', tokenType: 'ERC20', contractAddress: addressOf(9) },
  ].map(({ type, id, ...params }) => ({ id, type, params: { evmChainId: String(CHAIN), ...params } })),
});

async function page(least: number, pageToken?: string): Promise<{ status: number; body: CompositePage }> {
  const { status, text } = await askOnce(`${gateway.url}/v2/lookingGlass/compositeQuery`, {
    body: { ...query(least), pageSize: 2, pageToken },
  });
  return { status, body: JSON.parse(text) as CompositePage };
}

/** The addresses of all pages, each asked of the next process; `between` runs after the first one. */
async function walk(
  least: number,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<number[]> {
  const found: number[] = [];
  for (let token: string | undefined; ;) {
    const { status, body } = await page(least, token);
    expect([status, body.message]).toEqual([200, undefined]);
    if (token === undefined) await between();
    found.push(...body.addresses.map(Number));
    token = body.nextPageToken;
    if (token === undefined) return found;
  }
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a walk over the pages of a composite query, each by another process,', () => {
  test('finds what one process would', async () => {
    await balances(numbers(1, 13).map((address) => [address, 10]));
    expect(await walk(10)).toEqual(numbers(1, 13));
    expect(gateway.answered().size).toBe(3);
  });

  test('goes on with the set that it began with when an import has changed the data', async () => {
    const changed = numbers(101, 107).map((address): [number, number] => [address, 20]);
    const before = await walk(5);
    expect(await walk(5, () => balances(changed))).toEqual(before);
    // Twice: who has borrowed a set remembers it, and answers a new walk of what is there now.
    expect(await walk(5)).toEqual([...before, ...numbers(101, 107)]);
  });

  test('is refused when nobody remembers its set any more', async () => {
    const { body } = await page(3);
    await balances([[201, 20]]);
    for (const place of [1, 2, 3]) await gateway.kill(place);
    const { status, body: refusal } = await page(3, body.nextPageToken);
    expect(status).toBe(400);
    expect(String(refusal.message)).toContain('an import has changed their data since');
  });
});
