import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networkDayList } from '../../../src/resources/network-stats/list.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import {
  countedTransactions,
  networkDays,
  networkDaySelection,
  type CountedTransaction,
} from '../../harness/day-model.js';

const DAY = 86_400;

interface Day {
  timestamp: number;
  isRunning: boolean;
  messageCount: number;
}
interface Page {
  nodes: Day[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

let gateway: TestApp;
let all: CountedTransaction[];
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' }, { sample: true });
  all = await countedTransactions(gateway.storage, 'fuji');
});
afterAll(() => gateway.close());

/** A page by each executor: a document that was seen before is answered by the other one. */
async function pageOf(given: string, selection = networkDaySelection): Promise<Page> {
  const document = `{ networkStats(network: fuji, ${given}) { nodes { ${selection} } pageInfo { hasNextPage endCursor } } }`;
  const [plain, planned] = [await gateway.graphql(document), await gateway.graphql(document)];
  expect(plain.errors).toBeUndefined();
  expect(planned).toEqual(plain);
  return (plain.data as { networkStats: Page }).networkStats;
}

describe('the days of the sample', () => {
  test('have the numbers that its transactions add up to, from the first to the last, without gaps', async () => {
    const { nodes, pageInfo } = await pageOf('first: 2160');
    expect(pageInfo.hasNextPage).toBe(false);
    const times = all.map(({ time }) => Math.floor(time / DAY)).filter((day) => day > 0);
    const [first, last] = [Math.min(...times), nodes[0]!.timestamp / DAY];
    expect(last).toBeGreaterThanOrEqual(Math.max(...times));
    const days = Array.from({ length: last - first + 1 }, (_none, index) => last - index);
    expect(nodes).toEqual(days.map(networkDays(all)));
    for (const name of ['txCount', 'activeAddresses', 'newAddresses', 'validatorCount', 'delegatorCount'])
      expect(
        nodes.some((node) => Number(node[name as keyof Day]) > 0),
        name,
      ).toBe(true);
  });

  test('are in pages of any size, each once, and within bounds that are both exclusive', async () => {
    const { nodes: whole } = await pageOf('first: 40', 'timestamp');
    const walked: Day[] = [];
    for (let after = ''; walked.length < 40;) {
      const { nodes, pageInfo } = await pageOf(`first: 7${after}`, 'timestamp');
      walked.push(...nodes);
      after = `, after: "${pageInfo.endCursor}"`;
    }
    expect(walked.slice(0, 40)).toEqual(whole);
    const [from, to] = [whole[20]!.timestamp, whole[10]!.timestamp];
    const { nodes } = await pageOf(`startTimestamp: ${from}, endTimestamp: ${to}`, networkDaySelection);
    const days = whole.slice(11, 20).map(({ timestamp }) => timestamp / DAY);
    expect(nodes).toEqual(days.map(networkDays(all)));
    expect((await pageOf('endTimestamp: 0', 'timestamp')).nodes).toEqual([]);
    expect((await pageOf('startTimestamp: "1e30"', 'timestamp')).nodes).toEqual([]);
  });

  test('have the messages that were sent, and chains those of either direction', async () => {
    const { nodes } = await pageOf('first: 2160', 'timestamp messageCount');
    const { rows } = await poolOf(gateway.storage).query<{ day: number; chain: string; sent: boolean }>(
      `SELECT (m.timestamp / ${DAY})::int AS day, c.evm_chain_id::text AS chain, c.id = m.source_id AS sent
       FROM icm_message m JOIN icm_chain c ON c.id IN (m.source_id, m.destination_id) WHERE m.network = 'fuji'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    const sentOn = (day: number) => rows.filter((row) => row.day === day && row.sent).length;
    for (const { timestamp, messageCount } of nodes)
      expect([timestamp, messageCount]).toEqual([timestamp, sentOn(timestamp / DAY)]);

    const document =
      '{ chains(first: 100, network: fuji) { nodes { chainId messageDays(first: 1000) { nodes { timestamp isRunning sentCount receivedCount } } } } }';
    const [plain, planned] = [await gateway.graphql(document), await gateway.graphql(document)];
    expect(planned).toEqual(plain);
    const { chains } = plain.data as {
      chains: { nodes: { chainId: string; messageDays: { nodes: unknown[] } }[] };
    };
    for (const { chainId, messageDays } of chains.nodes) {
      const own = rows.filter(({ chain }) => chain === chainId);
      const days = [...new Set(own.map(({ day }) => day))].sort((a, b) => b - a);
      expect(messageDays.nodes).toEqual(
        days.map((day) => {
          const sent = own.filter((row) => row.day === day && row.sent).length;
          const of = own.filter((row) => row.day === day).length;
          const isRunning = day >= Math.floor(Date.now() / 1000 / DAY);
          return { timestamp: day * DAY, isRunning, sentCount: sent, receivedCount: of - sent };
        }),
      );
    }
    expect(chains.nodes.some(({ messageDays }) => messageDays.nodes.length > 0)).toBe(true);
  });
});

describe('a page of days touches a bounded number of blocks', () => {
  /** Eleven years, each day of three chains with twenty types. */
  const DAYS = 4000;
  let large: TestApp;
  beforeAll(async () => {
    large = await createApp();
    const pool = poolOf(large.storage);
    await pool.query(
      `INSERT INTO transaction_day SELECT 'mainnet', day, chain, 'Type' || type, 1, 1, 1
       FROM generate_series(1, ${DAYS}) day, unnest(enum_range(NULL::primary_chain)) chain, generate_series(1, 20) type;
       INSERT INTO stake_day SELECT 'mainnet', day, 2, 1, 2, 1, 2, 1, 2, 1 FROM generate_series(1, ${DAYS}) day;
       INSERT INTO active_address_day SELECT 'mainnet', day, scope, 1, 1
       FROM generate_series(1, ${DAYS}) day, unnest(enum_range(NULL::activity_scope)) scope;
       ANALYZE transaction_day, stake_day, active_address_day`,
    );
  });
  afterAll(() => large?.close());

  const page = (after: string | null, limit: number) => (storage: Storage) =>
    networkDayList.read(
      storage,
      { network: 'mainnet', startTimestamp: null, endTimestamp: null },
      { direction: 'forward', limit, after, before: null },
    );

  test.each([30, 366])('%i days, the newest as those of long ago', async (limit) => {
    for (const plan of ['generic', 'custom'] as const) {
      const newest = await touchedByReading(large.storage, page(null, limit), plan);
      const old = await touchedByReading(large.storage, page(String(DAYS - 3000), limit), plan);
      expect([newest.rows, old.rows]).toEqual([limit + 1, limit + 1]);
      // The stakes of all days are one row for each; the rest is of the page alone.
      expect(newest.buffers).toBeLessThan(100 + 60 * limit);
      expect(old.buffers).toBeLessThan(1.3 * newest.buffers);
    }
  });

  test('of which those are marked that a followed chain has not read to their end', async () => {
    const pool = poolOf(large.storage);
    const running = async () => {
      const { data } = await large.graphql<{ networkStats: { nodes: Day[] } }>(
        '{ networkStats(network: mainnet, first: 20) { nodes { timestamp isRunning } } }',
      );
      return data.networkStats.nodes.flatMap(({ timestamp, isRunning }) =>
        isRunning ? [timestamp / DAY] : [],
      );
    };
    const follow = (name: string, head: number, lastTime: number) =>
      pool.query(
        `INSERT INTO follow_pipeline (network, name, first_height, next_height, head, last_time, current_at, state, counters, updated_at)
         VALUES ('mainnet', $1, 0, 10, $2, $3, now(), 'following', '{}', now())
         ON CONFLICT (network, name) DO UPDATE SET head = excluded.head`,
        [name, head, lastTime],
      );
    expect(await running()).toEqual([]);
    // Behind its head: what follows may have more of that day.
    await follow('p', 20, DAYS * DAY);
    expect(await running()).toEqual([DAYS]);
    await follow('x', 20, (DAYS - 2) * DAY + 5);
    expect(await running()).toEqual([DAYS, DAYS - 1, DAYS - 2]);
    // At its head, whose block is old: nothing was accepted since.
    await follow('x', 9, (DAYS - 2) * DAY + 5);
    expect(await running()).toEqual([DAYS]);
    await follow('p', 9, DAYS * DAY);
    expect(await running()).toEqual([]);
  });
});
