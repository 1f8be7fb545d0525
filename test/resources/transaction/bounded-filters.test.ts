import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArguments } from '../../../src/arguments/argument.js';
import type { PageRequest } from '../../../src/paging/page-request.js';
import {
  transactionListArguments,
  type TransactionQuery,
} from '../../../src/resources/transaction/arguments.js';
import { chainTransactionList } from '../../../src/resources/transaction/list.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedBy, touchedByReading, type PlanKind } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import { withLateIndexes } from '../../harness/late-indexes.js';

const TRANSACTIONS = 300_000;
const PAGE = 10;
/** Blocks of 8 kB that a page may read; the table and its indexes have over 20,000. */
const BUFFERS = 150;
/** How many more blocks than the first page a later one, or one from the other end, may read. */
const PAGE_MORE = 50;
/** Five transactions a block, two blocks a second. */
const NUMBER = (n: number) => String(Math.floor(n / 5));
const TIME = (n: number) => String(1_600_000_000 + Math.floor(n / 10));

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  const pool = poolOf(gateway.storage);
  // Each of the hot node, the usual subnet, the large subnet and their types has 60,000 and more, and two of
  // them together have all of these, or none but five.
  await withLateIndexes(pool, 'transaction', () =>
    pool.query(
      `INSERT INTO transaction (network, chain, tx_hash, tx_type, block_timestamp, block_number, block_hash, details, tie)
     SELECT 'mainnet', 'p', 'transaction ' || n, kind.type, 1600000000 + n / 10, n / 5, 'block ' || n / 5,
       jsonb_strip_nulls(jsonb_build_object('value', '[]'::jsonb, 'nodeId', kind.node, 'subnetId', kind.subnet)),
       (n * 48271::bigint) % 2147483647
     FROM generate_series(1, ${TRANSACTIONS}) n CROSS JOIN LATERAL (
       SELECT CASE WHEN n % 99999 = 1 THEN 'CreateSubnetTx' WHEN n % 60000 = 8 OR n % 10 IN (4, 5) THEN 'AddPermissionlessDelegatorTx'
           WHEN n % 10 = 6 THEN 'AddPermissionlessValidatorTx' WHEN n % 10 IN (7, 8) THEN 'AddSubnetValidatorTx' ELSE 'BaseTx' END AS type,
         CASE WHEN n % 60000 = 7 OR n % 10 IN (4, 5) THEN 'hot' WHEN n % 10 IN (6, 7, 8) THEN 'node ' || n % 4999 END AS node,
         CASE WHEN n % 10 IN (4, 5, 6) THEN 'usual' WHEN n % 10 IN (7, 8) THEN 'large' END AS subnet) kind`,
    ),
  );
  await pool.query('VACUUM (ANALYZE) transaction');
}, 900_000);
afterAll(() => gateway?.close());

const all = readArguments(transactionListArguments, { network: 'mainnet', blockchainId: 'p-chain' });

function touchedByPage(query: Partial<TransactionQuery>, plan: PlanKind, page: Partial<PageRequest> = {}) {
  const request: PageRequest = { direction: 'forward', limit: PAGE, after: null, before: null, ...page };
  const read = (storage: Storage) => chainTransactionList.read(storage, { ...all, ...query }, request);
  return touchedByReading(gateway.storage, read, plan);
}

const middle = TRANSACTIONS / 2;
const delegations = { txTypes: ['AddPermissionlessDelegatorTx'] } satisfies Partial<TransactionQuery>;
const additions = { txTypes: ['AddSubnetValidatorTx'] } satisfies Partial<TransactionQuery>;
const interval = { since: TIME(middle), until: TIME(middle + 100_000) };
const blocks = { startBlock: NUMBER(middle), endBlock: NUMBER(middle + 100_000) };
const full = PAGE + 1;

const cases: [title: string, query: Partial<TransactionQuery>, rows: number][] = [
  ['everything', {}, full],
  ['a usual type', delegations, full],
  ['three types', { txTypes: ['AddPermissionlessDelegatorTx', 'BaseTx', 'CreateSubnetTx'] }, full],
  ['a rare type', { txTypes: ['CreateSubnetTx'] }, 4],
  ['a type that none has', { txTypes: ['ExportTx'] }, 0],
  ['a node with many', { nodeId: 'hot' }, full],
  ['a node with few', { nodeId: 'node 17' }, full],
  ['a node with none', { nodeId: 'nobody' }, 0],
  ['a subnet with many', { subnetId: 'large' }, full],
  ['a subnet with none', { subnetId: 'nothing' }, 0],
  ['an interval', interval, full],
  ['blocks', blocks, full],
  ['a type and a node with all of it', { ...delegations, nodeId: 'hot' }, full],
  ['a type and a node with few of it', { ...additions, nodeId: 'hot' }, 5],
  ['a type and a node with none of it', { txTypes: ['BaseTx'], nodeId: 'hot' }, 0],
  ['a type and a subnet with all of it', { ...additions, subnetId: 'large' }, full],
  ['a type and a subnet with few of it', { ...delegations, subnetId: 'large' }, 5],
  ['a type and a subnet with none of it', { txTypes: ['BaseTx'], subnetId: 'usual' }, 0],
  ['a node and a subnet with all of it', { nodeId: 'hot', subnetId: 'usual' }, full],
  ['a node and a subnet with few of it', { nodeId: 'hot', subnetId: 'large' }, 5],
  ['a node and a subnet with none of it', { nodeId: 'hot', subnetId: 'nothing' }, 0],
  ['a type and an interval', { ...delegations, ...interval }, full],
  ['a type and blocks', { ...delegations, ...blocks }, full],
  ['a rare type and blocks', { txTypes: ['CreateSubnetTx'], ...blocks }, 1],
  ['a node and an interval', { nodeId: 'hot', ...interval }, full],
  ['a node and blocks', { nodeId: 'hot', ...blocks }, full],
  ['a subnet and an interval', { subnetId: 'large', ...interval }, full],
  ['a subnet and blocks', { subnetId: 'large', ...blocks }, full],
  ['an interval and blocks', { ...blocks, since: TIME(middle + 50_000), until: TIME(middle + 60_000) }, full],
  ['an interval and blocks apart', { ...blocks, until: TIME(middle - 1000) }, 0],
  ['a moment in one second', { since: TIME(middle), until: TIME(middle + 10) }, 10],
  ['one block', { startBlock: NUMBER(middle), endBlock: NUMBER(middle + 5) }, 5],
  ['blocks from one that is to come', { startBlock: NUMBER(TRANSACTIONS * 2) }, 0],
  [
    'a type, a node and a subnet',
    { ...delegations, nodeId: 'hot', subnetId: 'usual', ...interval, ...blocks },
    full,
  ],
  ['a type, a node and a subnet with few of them', { ...additions, nodeId: 'hot', subnetId: 'large' }, 5],
];

describe.each(['generic', 'custom'] as const)(
  `a page of ${TRANSACTIONS} transactions touches a bounded number of blocks (%s plan)`,
  (plan) => {
    test.each(cases)('%s', async (_title, query, expected) => {
      const first = await touchedByPage(query, plan);
      expect(first.rows).toBe(expected);
      const pages: Partial<PageRequest>[] = [{ direction: 'backward' }];
      // The row after which page 1,001 begins, or the last one.
      const request: PageRequest = {
        direction: 'forward',
        limit: 1000 * PAGE - 1,
        after: null,
        before: null,
      };
      const far = (await chainTransactionList.read(gateway.storage, { ...all, ...query }, request)).at(-1);
      if (far) pages.push({ after: far.id }, { direction: 'backward', before: far.id });
      for (const page of pages)
        expect((await touchedByPage(query, plan, page)).buffers).toBeLessThan(first.buffers + PAGE_MORE);
      expect(first.buffers).toBeLessThan(BUFFERS);
    });
  },
);

test('the measurement can tell: reading the whole history touches far more', async () => {
  const everything = { name: '', text: 'SELECT max(block_hash) FROM transaction', parameters: [] };
  expect((await touchedBy(gateway.storage, everything, {})).buffers).toBeGreaterThan(BUFFERS * 10);
});
