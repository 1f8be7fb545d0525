import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { addresses, chainRow, frameRow, hashAt } from '../../harness/evm-rows.js';
import { importRows as importBatch } from '../../harness/import-rows.js';
import { importRows } from '../../harness/seed.js';

const CHAIN = '43114';
const fileOf = (chain: string) => `evm.${chain}.internal-transactions`;
const WIDTH = 4_000_000;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
  await importRows(gateway.storage, 'evm.chains', [chainRow(CHAIN), chainRow('7')]);
});
afterAll(() => gateway?.close());
beforeEach(async () => {
  for (const name of await partitions()) await poolOf(gateway.storage).query(`DROP TABLE ${name}`);
});

async function partitions(): Promise<string[]> {
  const { rows } = await poolOf(gateway.storage).query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'internal_tx'::regclass`,
  );
  return rows.map(({ name }) => name);
}

/** The values of all frames of the chain in the order of its list, page by page. */
async function listed(chain = CHAIN): Promise<string[]> {
  const values: string[] = [];
  for (let after: string | null = null, more = true; more;) {
    const { data }: { data: Data } = await gateway.graphql<Data>(
      `query ($chain: String!, $after: String) { internalTransactions(chainId: $chain, first: 7, after: $after) {
        nodes { value } pageInfo { hasNextPage endCursor } } }`,
      { chain, after },
    );
    values.push(...data.internalTransactions.nodes.map(({ value }) => value));
    ({ hasNextPage: more, endCursor: after } = data.internalTransactions.pageInfo);
  }
  return values;
}
interface Data {
  internalTransactions: {
    nodes: { value: string }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
}

const frame = fc.record({
  tx: fc.integer({ min: 0, max: 6 }),
  position: fc.integer({ min: 0, max: 2 }),
  // Several of one partition, and of partitions that are made in any order.
  block: fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 2 })),
  value: fc.integer({ min: 1, max: 3 }),
});
type Frame = typeof frame extends fc.Arbitrary<infer T> ? T : never;
const blockOf = ({ block: [partition, index] }: Frame) => partition * WIDTH + index;
const rowOf = (each: Frame) =>
  frameRow({
    txHash: hashAt(each.tx),
    position: each.position,
    value: String(each.value),
    blockNumber: String(blockOf(each)),
  });
const newestFirst = (a: Frame, b: Frame) => blockOf(b) - blockOf(a) || b.tx - a.tx || b.position - a.position;

describe('internal transactions in partitions', () => {
  test('are what imports of random frames, again and in other blocks, say they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(frame, { maxLength: 15 }), { maxLength: 6 }), async (batches) => {
        await poolOf(gateway.storage).query('TRUNCATE internal_tx');
        const held = new Map<string, Frame>();
        for (const batch of batches) {
          const last = new Map(batch.map((each) => [`${each.tx} ${each.position}`, each]));
          const changed = [...last].filter(([key, each]) => {
            const old = held.get(key);
            return !old || old.value !== each.value || blockOf(old) !== blockOf(each);
          }).length;
          for (const [key, each] of last) held.set(key, each);
          const { written, unchanged } = await importBatch(gateway.storage, fileOf(CHAIN), batch.map(rowOf));
          expect({ written, unchanged }).toEqual({ written: changed, unchanged: batch.length - changed });
        }
        const expected = [...held.values()].sort(newestFirst).map(({ value }) => String(value));
        expect(await listed()).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  test('keep their ids, which cursors name, when they are imported in another block', async () => {
    const ids = async () =>
      (await poolOf(gateway.storage).query('SELECT id, block_number FROM internal_tx ORDER BY id')).rows;
    const row = (block: number) => frameRow({ position: 0, blockNumber: String(block) });
    await importRows(gateway.storage, fileOf(CHAIN), [row(5)]);
    const [first] = await ids();
    await importRows(gateway.storage, fileOf(CHAIN), [row(3 * WIDTH)]);
    expect(await ids()).toEqual([{ ...first, block_number: String(3 * WIDTH) }]);
  });

  test('have a partition for each 4,000,000 blocks of a chain', async () => {
    const rows = [0, WIDTH - 1, WIDTH, 7 * WIDTH + 1].map((block) =>
      frameRow({ blockNumber: String(block) }),
    );
    await importRows(gateway.storage, fileOf(CHAIN), rows);
    expect((await partitions()).sort()).toEqual(
      [0, 28_000_000, 4_000_000].map((block) => `internal_tx_43114_${block}`),
    );
  });

  test('never have more than 50 partitions, whatever chains and blocks come in whatever order', async () => {
    let seed = 1;
    const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
    const counts = new Map<number, number>();
    for (let round = 0; round < 40; round += 1) {
      const chain = 40 + random(60);
      const blocks = Array.from({ length: 3 }, () => random(90) * WIDTH + random(WIDTH));
      const rows = blocks.map((block, index) =>
        frameRow({ blockNumber: String(block), txHash: hashAt(round * 10 + index) }),
      );
      await importRows(gateway.storage, fileOf(String(chain)), rows);
      counts.set(chain, (counts.get(chain) ?? 0) + rows.length);
    }
    // A stored chain continues in partitions of its own blocks.
    expect((await partitions()).length).toBeGreaterThan(14);
    await importRows(
      gateway.storage,
      fileOf(CHAIN),
      Array.from({ length: 60 }, (_, index) => frameRow({ blockNumber: String(index * WIDTH) })),
    );
    expect((await partitions()).length).toBeLessThanOrEqual(50);
    const { rows } = await poolOf(gateway.storage).query<{ chain: string; held: string }>(
      `SELECT evm_chain_id AS chain, count(*) AS held FROM internal_tx WHERE evm_chain_id <> ${CHAIN} GROUP BY 1`,
    );
    expect(new Map(rows.map(({ chain, held }) => [Number(chain), Number(held)]))).toEqual(counts);
    expect(await listed()).toHaveLength(60);
  });
});

test('an old partition is detached while requests and an import go on, and no request fails', async () => {
  const blocks = Array.from({ length: 4 * 30 }, (_, index) => (index % 4) * WIDTH + index);
  const rows = blocks.map((block) => frameRow({ blockNumber: String(block), txHash: hashAt(block) }));
  await importRows(gateway.storage, fileOf(CHAIN), rows);
  const path = `/v1/chains/${CHAIN}/addresses/${addresses[0]}/transactions:listInternals?pageSize=100`;
  const read = async () => {
    const { status, body } = await gateway.get(path.replace(':list', '%3Alist'));
    return { status, rows: (body.transactions as { blockNumber: string }[]).map((each) => each.blockNumber) };
  };
  let going = true;
  const statuses = new Set<number>();
  let replies = 0;
  const reading = [1, 2, 3].map(async () => {
    while (going) {
      const { status, rows: found } = await read();
      statuses.add(status);
      replies += 1;
      // The newest are there at any time.
      expect(found.slice(0, 30).every((block) => Number(block) >= 3 * WIDTH)).toBe(true);
    }
  });
  const importing = (async () => {
    for (let index = 1; going; index += 1)
      await importBatch(gateway.storage, fileOf(CHAIN), [
        frameRow({ blockNumber: String(3 * WIDTH + 1000 + index), txHash: hashAt(3 * WIDTH + 1000 + index) }),
      ]);
  })();
  await sleep(300);
  const before = replies;
  await poolOf(gateway.storage).query(
    `ALTER TABLE internal_tx DETACH PARTITION internal_tx_43114_0 CONCURRENTLY`,
  );
  while (replies < before + 10) await sleep(5);
  going = false;
  await Promise.all([...reading, importing]);
  expect([...statuses]).toEqual([200]);
  expect(await partitions()).not.toContain('internal_tx_43114_0');
  const { rows: left } = await poolOf(gateway.storage).query(
    `SELECT count(*)::int AS count FROM internal_tx WHERE block_number < ${WIDTH}`,
  );
  expect(left).toEqual([{ count: 0 }]);
  // What is imported of those blocks again has its own partition in addition to the detached table.
  await importRows(gateway.storage, fileOf(CHAIN), rows.slice(0, 1));
  expect(await partitions()).toContain('internal_tx_43114_0_again_2');
  await poolOf(gateway.storage).query('DROP TABLE internal_tx_43114_0');
});
