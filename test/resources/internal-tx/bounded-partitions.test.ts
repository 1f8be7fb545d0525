import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArguments } from '../../../src/arguments/argument.js';
import type { List } from '../../../src/lists/read.js';
import type { PageRequest } from '../../../src/paging/page-request.js';
import {
  chainInternalTxArguments,
  internalTxListArguments,
} from '../../../src/resources/internal-tx/arguments.js';
import { chainInternalTxList, internalTxList } from '../../../src/resources/internal-tx/list.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedByReading, type PlanKind } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import { addressAt, generateFrames } from '../../harness/generated-evm.js';

const FRAMES = 200_000;
const PARTITIONS = 20;
const PAGE = 10;

/** One that has all frames in one partition, and one that has them in twenty. */
let whole: TestApp;
let divided: TestApp;
beforeAll(async () => {
  [whole, divided] = await Promise.all([
    createApp({ STATEMENT_TIMEOUT_MS: '300000' }),
    createApp({ STATEMENT_TIMEOUT_MS: '300000' }),
  ]);
  await generateFrames(poolOf(whole.storage), FRAMES);
  await generateFrames(poolOf(divided.storage), FRAMES, { partitions: PARTITIONS });
});
afterAll(() => Promise.all([whole?.close(), divided?.close()]));

interface Page {
  after?: string;
  before?: string;
  filters?: object;
}

async function blocksOf<Query>(
  gateway: TestApp,
  list: List<Query, unknown>,
  query: Query,
  { after, before }: Page,
  plan: PlanKind,
) {
  const request: PageRequest = {
    direction: before === undefined ? 'forward' : 'backward',
    limit: PAGE,
    after: after ?? null,
    before: before ?? null,
  };
  return touchedByReading(gateway.storage, (storage) => list.readBatch(storage, [{ query, request }]), plan);
}

function ofAddress(number: number, filters: object = {}) {
  return {
    evmChainId: '7',
    address: addressAt(number),
    ...readArguments(internalTxListArguments, { ...filters }),
  };
}

/** The id of the frame that page 10,000 of address 1 begins after. */
async function farCursor(): Promise<string> {
  const { rows } = await poolOf(divided.storage).query<{ id: string }>(
    `SELECT id FROM internal_tx WHERE evm_chain_id = 7 AND $1 IN (from_address, to_address)
     ORDER BY block_number DESC, tx_hash DESC, position DESC, tie DESC OFFSET ${9_999 * PAGE - 1} LIMIT 1`,
    [Buffer.from(addressAt(1).slice(2), 'hex')],
  );
  return rows[0]?.id ?? '';
}

describe.each(['generic', 'custom'] as const)('with 20 partitions, under a %s plan,', (plan) => {
  test('page 10,000 of an address touches at most twice the blocks of page 1, and two a partition', async () => {
    const first = await blocksOf(divided, internalTxList, ofAddress(1), {}, plan);
    const far = await blocksOf(divided, internalTxList, ofAddress(1), { after: await farCursor() }, plan);
    expect([first.rows, far.rows]).toEqual([PAGE + 1, PAGE + 1]);
    // To find a cursor's row, each partition is read.
    expect(far.buffers - 2 * PARTITIONS).toBeLessThanOrEqual(2 * first.buffers);
  });

  // Both index ranges are read down to where they begin, in every partition that has nothing for the page
  // too.
  test.each([
    ['an address with 150,000', 1, {}],
    ['one in the middle of what it has', 1, { after: String(FRAMES / 2) }],
    ['one backward from the middle', 1, { before: String(FRAMES / 2) }],
    ['one in a range of blocks', 1, { filters: { startBlock: '3000', endBlock: '4000' } }],
    ['one in a range without any', 1, { filters: { startBlock: '900000' } }],
    ['one that only sends', 4, {}],
  ] as [string, number, Page][])(
    'a page of %s touches at most three blocks a partition more than of one partition',
    async (_title, number, page) => {
      const query = ofAddress(number, page.filters);
      const today = await blocksOf(whole, internalTxList, query, page, plan);
      const now = await blocksOf(divided, internalTxList, query, page, plan);
      expect(now.rows).toBe(today.rows);
      expect(now.buffers).toBeLessThanOrEqual(today.buffers + 3 * PARTITIONS);
    },
  );

  // Two index ranges make the list, and because they end before the page is full both are read in every
  // partition: once down each index, which here has three levels.
  test.each([
    ['ten, one in two partitions', 2],
    ['one', 3],
    ['none', 99],
  ])(
    'a page of an address with %s touches at most three blocks a partition and range more',
    async (_title, number) => {
      const today = await blocksOf(whole, internalTxList, ofAddress(number), {}, plan);
      const now = await blocksOf(divided, internalTxList, ofAddress(number), {}, plan);
      expect(now.rows).toBe(today.rows);
      expect(now.buffers).toBeLessThanOrEqual(today.buffers + 2 * 3 * PARTITIONS);
    },
  );

  test.each([
    ['all', {}],
    ['all, far from the first page', { after: String(Math.floor(FRAMES / 3)) }],
    ['all, backward', { before: String(Math.floor(FRAMES / 3)) }],
    ['a range', { filters: { startBlock: '2000', endBlock: '5000' } }],
    ['a block', { filters: { blockNumber: '1500' } }],
  ] as [string, Page][])(
    "a page of a chain's, %s, touches at most two blocks a partition more",
    async (_title, page) => {
      const query = { evmChainId: '7', ...readArguments(chainInternalTxArguments, { ...page.filters }) };
      const today = await blocksOf(whole, chainInternalTxList, query, page, plan);
      const now = await blocksOf(divided, chainInternalTxList, query, page, plan);
      expect(now.rows).toBe(today.rows);
      expect(now.buffers).toBeLessThanOrEqual(today.buffers + 2 * PARTITIONS);
    },
  );
});
