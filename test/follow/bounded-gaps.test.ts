import { afterAll, beforeAll, expect, test } from 'vitest';
import { gapCountStatement, nextGapText } from '../../src/follow/gaps.js';
import { chainStatusStatement } from '../../src/resources/chain-status/store.js';
import type { CompiledStatement } from '../../src/storage/statement.js';
import { createApp, type TestApp } from '../harness/app.js';
import { touchedBy } from '../harness/buffers.js';
import { poolOf } from '../harness/connections.js';

const GAPS = 100_000;
const streams = ['internals:43113', 'balances:43113'];

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  const { prisma } = gateway.storage;
  const followed = { network: 'fuji', firstHeight: 0n, counters: {}, state: 'following' } as const;
  await prisma.followPipeline.createMany({
    data: ['c-atomic', ...streams].map((name) => ({
      ...followed,
      name,
      nextHeight: 200_000n,
      head: 199_999n,
    })),
  });
  await prisma.followNetwork.create({
    data: {
      network: 'fuji',
      networkId: 5n,
      genesis: '',
      xChainId: '',
      cChainId: '',
      avaxAssetId: '',
      cEvmChainId: 43113n,
      hrp: 'fuji',
    },
  });
});
afterAll(() => gateway?.close());

/** Of every second block from the first one on, in both streams. */
async function makeGaps(count: number): Promise<void> {
  const pool = poolOf(gateway.storage);
  await pool.query('TRUNCATE follow_gap');
  for (const name of streams)
    await pool.query(
      `INSERT INTO follow_gap (network, name, height, block_id, transactions, reason, next_try)
       SELECT 'fuji', $1, 2 * i, '0x' || i, ARRAY['0x' || repeat('5a', 32)], 'execution timeout', now()
       FROM generate_series(1, $2::int) i`,
      [name, count],
    );
  await pool.query('VACUUM ANALYZE follow_gap');
}

const blocksOf = async (statement: CompiledStatement) =>
  (await touchedBy(gateway.storage, statement, {})).buffers;

test.each([
  ['/ready and metrics', gapCountStatement],
  ['chainStatus', chainStatusStatement],
])('%s read no more blocks of 100,000 gaps than of 2,000', async (_, statement) => {
  await makeGaps(2000);
  const few = await blocksOf(statement);
  await makeGaps(GAPS);
  const many = await blocksOf(statement);
  // The way down a larger index may be a block longer, in each of the C-chain's five streams, and in both
  // that have gaps more than one block may be read.
  expect(many).toBeLessThanOrEqual(few + 5 + streams.length);
});

test('a count is exact below 1,000, and from there on says that there may be more', async () => {
  const query = '{ chainStatus(network: testnet) { blockchainAlias blocksWithGaps } }';
  for (const [count, ready, shown] of [
    [999, '999 blocks have gaps, the first is 2;', '999'],
    [GAPS, 'at least 1,000 blocks have gaps, the first is 2;', '1000'],
  ] as const) {
    await makeGaps(count);
    await expect
      .poll(async () => (await gateway.get('/ready')).text, { timeout: 60_000 })
      .toContain(`fuji internals:43113: up to date (${ready}`);
    const { data } = await gateway.graphql<{ chainStatus: object[] }>(query);
    expect(data.chainStatus).toContainEqual({ blockchainAlias: 'c-chain', blocksWithGaps: shown });
  }
});

test('the gap that is asked for next is found by a few blocks', async () => {
  await makeGaps(GAPS);
  const pool = poolOf(gateway.storage);
  const [first] = streams;
  for (const until of [null, '2999-01-01']) {
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
      text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${nextGapText}`,
      values: ['fuji', first, until],
    });
    const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
    expect((plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN)).toBeLessThan(20);
  }
});
