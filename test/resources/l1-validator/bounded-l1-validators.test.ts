import { afterAll, beforeAll, expect, test } from 'vitest';
import { readArguments } from '../../../src/arguments/argument.js';
import type { ListPage } from '../../../src/lists/read.js';
import type { PageRequest } from '../../../src/paging/page-request.js';
import {
  findL1Validators,
  l1ValidatorChangeList,
  l1ValidatorList,
  nodeL1ValidatorList,
  subnetL1ValidatorList,
} from '../../../src/resources/l1-validator/list.js';
import { validationTransactionList } from '../../../src/resources/l1-validator/transaction-list.js';
import type { OfReferenced } from '../../../src/resources/reference/list.js';
import { transactionListArguments } from '../../../src/resources/transaction/arguments.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedBy, touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import { withLateIndexes } from '../../harness/late-indexes.js';

const TRANSACTIONS = 100_000;
const VALIDATORS = 5_000;
const PAGE = 10;
/** Blocks of 8 kB that a page may read; the tables have over 4,000. */
const BUFFERS = 250;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  const pool = poolOf(gateway.storage);
  await pool.query(
    `INSERT INTO l1_validator (network, validation_id, subnet_row_id, validator_row_id)
     SELECT 'mainnet', 'validation ' || lpad(n::text, 6, '0'), n % 2, n % 2
     FROM generate_series(1, ${VALIDATORS}) n`,
  );
  // Half change the first one, the others one each.
  await withLateIndexes(pool, 'transaction', () =>
    pool.query(
      `INSERT INTO transaction (network, chain, tx_hash, tx_type, block_timestamp, details, tie)
     SELECT 'mainnet', 'p', 'transaction ' || n, 'SetL1ValidatorWeightTx', 1600000000 + n / 10,
       jsonb_build_object('l1ValidatorDetails', jsonb_build_array(jsonb_build_object('validationId', e.validation_id,
         'nodeId', 'node', 'subnetId', 'subnet', 'weight', n, 'remainingBalance', n))), (n * 48271::bigint) % 2147483647
     FROM generate_series(1, ${TRANSACTIONS}) n
     JOIN l1_validator e ON e.id = CASE WHEN n % 2 = 0 THEN 1 ELSE (n / 2) % ${VALIDATORS} + 1 END`,
    ),
  );
  await pool.query(
    `INSERT INTO l1_validator_transaction
     SELECT t.id, e.id, t.tx_type, t.block_timestamp, t.tie FROM transaction t
     JOIN l1_validator e ON e.validation_id = t.details->'l1ValidatorDetails'->0->>'validationId'`,
  );
  await pool.query('VACUUM (ANALYZE) transaction, l1_validator, l1_validator_transaction');
}, 600_000);
afterAll(() => gateway?.close());

const pageAfter = (after: string | null): PageRequest => ({
  direction: 'forward',
  limit: PAGE,
  after,
  before: null,
});
const ids = Array.from({ length: 10 }, (_, index) => index + 1);
const pages = ids.map((id) => ({ query: { rowId: String(id) }, request: pageAfter(null) })) as [
  ListPage<OfReferenced>,
  ...ListPage<OfReferenced>[],
];
const keys = ids.map((id) => ({
  network: 'mainnet' as const,
  validationId: `validation ${String(id).padStart(6, '0')}`,
}));

const all = readArguments(transactionListArguments, { network: 'mainnet', blockchainId: 'p-chain' });

const reads: [string, rows: number, read: (storage: Storage) => Promise<unknown>][] = [
  [
    'all L1 validators',
    PAGE + 1,
    (storage) => l1ValidatorList.read(storage, { network: 'mainnet' }, pageAfter('900')),
  ],
  [
    'the changes of one',
    PAGE + 1,
    (storage) => l1ValidatorChangeList.read(storage, { rowId: '1' }, pageAfter(null)),
  ],
  [
    'the changes of each of ten in one statement',
    10 * (PAGE + 1) - 9,
    (storage) => l1ValidatorChangeList.readBatch(storage, pages),
  ],
  [
    'those of a subnet that has half of all',
    PAGE + 1,
    (storage) => subnetL1ValidatorList.read(storage, { rowId: '1' }, pageAfter('901')),
  ],
  [
    'those of a node that has half of all',
    PAGE + 1,
    (storage) => nodeL1ValidatorList.read(storage, { rowId: '1' }, pageAfter('901')),
  ],
  ...[
    ['the first', 'validation 000001', null, PAGE + 1],
    ['the first, far from its newest', 'validation 000001', '50000', PAGE + 1],
    ['one that few changed', 'validation 000007', null, PAGE],
    ['one that is not stored', 'validation', null, 0],
  ].map(([title, l1ValidationId, after, rows]): (typeof reads)[number] => [
    `the transactions that changed ${title}`,
    rows as number,
    (storage) =>
      validationTransactionList.read(
        storage,
        { ...all, l1ValidationId: l1ValidationId as string },
        pageAfter(after as string | null),
      ),
  ]),
  ['ten by key', 10, (storage) => findL1Validators(storage, keys)],
];

test.each(reads)('a page of %s touches a bounded number of blocks', async (_title, expected, read) => {
  for (const plan of ['generic', 'custom'] as const) {
    const { buffers, rows } = await touchedByReading(gateway.storage, read, plan);
    expect(rows).toBe(expected);
    expect(buffers).toBeLessThan(rows > PAGE + 1 ? BUFFERS * 10 : BUFFERS);
  }
});

test('the measurement can tell: reading all changes touches far more', async () => {
  const everything = { name: '', text: 'SELECT count(details) FROM transaction', parameters: [] };
  expect((await touchedBy(gateway.storage, everything, {})).buffers).toBeGreaterThan(BUFFERS * 10);
});
