import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListPage } from '../../../src/lists/read.js';
import type { PageRequest } from '../../../src/paging/page-request.js';
import type { OfReferenced } from '../../../src/resources/reference/list.js';
import {
  delegationList,
  rewardList,
  stakingPeriodList,
  validatorList,
  validatorTransactionList,
} from '../../../src/resources/validator/list.js';
import { readArguments } from '../../../src/arguments/argument.js';
import { ZERO_ID } from '../../../src/avalanche/codec/ids.js';
import { currentDelegationList } from '../../../src/resources/delegation/list.js';
import {
  currentValidatorArguments,
  validatorSorts,
} from '../../../src/resources/subnet-validator/arguments.js';
import { currentValidatorList, subnetValidatorList } from '../../../src/resources/subnet-validator/list.js';
import type { Storage } from '../../../src/storage/open.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { touchedBy, touchedByReading } from '../../harness/buffers.js';
import { poolOf } from '../../harness/connections.js';
import { withLateIndexes } from '../../harness/late-indexes.js';

const TRANSACTIONS = 200_000;
const VALIDATORS = 2_000;
const PAGE = 10;
/** Blocks of 8 kB that a page may read; the table and its indexes have over 4,000. */
const BUFFERS = 200;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ STATEMENT_TIMEOUT_MS: '300000' });
  const pool = poolOf(gateway.storage);
  await withLateIndexes(pool, 'transaction', () =>
    pool.query(
      `INSERT INTO transaction (network, chain, tx_hash, tx_type, block_timestamp, details, tie)
     SELECT 'mainnet', 'p', 'transaction ' || n,
       CASE WHEN n % 50000 = 1 THEN 'AddValidatorTx' WHEN n % 2 = 0 THEN 'RewardValidatorTx' ELSE 'AddDelegatorTx' END,
       1600000000 + n / 10, '{"value":[]}', (n * 48271::bigint) % 2147483647
     FROM generate_series(1, ${TRANSACTIONS}) n`,
    ),
  );
  await pool.query(
    `INSERT INTO validator (network, node_id) SELECT 'mainnet', 'node ' || lpad(n::text, 6, '0')
     FROM generate_series(1, ${VALIDATORS}) n`,
  );
  // Nine of ten name the first one, the others one each.
  await withLateIndexes(pool, 'validator_transaction', () =>
    pool.query(
      `INSERT INTO validator_transaction
     SELECT t.id, CASE WHEN t.id % 10 = 0 THEN (t.id / 10) % ${VALIDATORS} + 1 ELSE 1 END, t.tx_type, t.block_timestamp, t.tie
     FROM transaction t`,
    ),
  );
  await pool.query(
    `INSERT INTO subnet (network, subnet_id) SELECT 'mainnet', 'subnet ' || n FROM generate_series(1, 20) n`,
  );
  await pool.query(
    `INSERT INTO subnet_validator SELECT s, v.node_id, v.id FROM validator v CROSS JOIN generate_series(1, 20) s`,
  );
  await pool.query(
    `INSERT INTO follow_staking (network, chain_time, knows_stakers, knows_l1_validators, excess, accrued, price)
     VALUES ('mainnet', 1700000000, true, true, 0, 0, 512)`,
  );
  // All delegations are to the first one.
  await pool.query(
    `INSERT INTO follow_staker (network, tx_id, tx_type, subnet_id, node_id, priority, start_time, end_time, weight,
       potential_reward, delegatee_reward, shares)
     SELECT 'mainnet', 'stake ' || n, 'AddValidatorTx', '${ZERO_ID}',
       'node ' || lpad((CASE WHEN n <= ${VALIDATORS} THEN n ELSE 1 END)::text, 6, '0'), CASE WHEN n <= ${VALIDATORS} THEN 11 ELSE 10 END,
       1600000000, 1700000000 + n % 99, 2000 + n % 97, 1, 0, 20000 + n % 7
     FROM generate_series(1, ${20 * VALIDATORS}) n`,
  );
  await pool.query(
    'VACUUM (ANALYZE) transaction, validator, validator_transaction, subnet_validator, follow_staker',
  );
}, 600_000);
afterAll(() => gateway?.close());

const pageAfter = (after: string | null): PageRequest => ({
  direction: 'forward',
  limit: PAGE,
  after,
  before: null,
});
const all = { rowId: '1', txType: null, txTypes: null, since: null, until: null };
const FAR = '20000';
const readCurrent = (storage: Storage, given: object) =>
  currentValidatorList.read(
    storage,
    readArguments(currentValidatorArguments, { network: 'mainnet', ...given }),
    pageAfter(null),
  );
/** Filters that nothing matches, which no index has as a range. */
const none = { active: false, minDelegationCapacity: '1', nodeIdContains: 'zzz' };

describe.each(['generic', 'custom'] as const)(
  'a page touches a bounded number of blocks (%s plan)',
  (plan) => {
    const touched = (read: (storage: Storage) => Promise<unknown>) =>
      touchedByReading(gateway.storage, read, plan);

    test.each<[string, (storage: Storage) => Promise<unknown>, rows?: number]>([
      ['all validators', (storage) => validatorList.read(storage, { network: 'mainnet' }, pageAfter('900'))],
      ['those of a subnet', (storage) => subnetValidatorList.read(storage, { rowId: '7' }, pageAfter('900'))],
      ...validatorSorts.flatMap((sortBy): [string, (storage: Storage) => Promise<unknown>, number?][] => [
        [`those of now by ${sortBy}`, (storage) => readCurrent(storage, { sortBy })],
        [`none of now by ${sortBy}`, (storage) => readCurrent(storage, { sortBy, ...none }), 0],
      ]),
      [
        'its delegations of now',
        (storage) =>
          currentDelegationList.read(
            storage,
            { network: 'mainnet', subnetId: ZERO_ID, nodeId: 'node 000001' },
            pageAfter(null),
          ),
      ],
      ['its transactions', (storage) => validatorTransactionList.read(storage, all, pageAfter(FAR))],
      [
        'its transactions of two types',
        (storage) =>
          validatorTransactionList.read(
            storage,
            { ...all, txTypes: ['AddDelegatorTx', 'AddValidatorTx'] },
            pageAfter(FAR),
          ),
      ],
      ['its staking periods', (storage) => stakingPeriodList.read(storage, all, pageAfter(null)), 4],
      ['its delegations', (storage) => delegationList.read(storage, all, pageAfter(FAR))],
      ['its rewards', (storage) => rewardList.read(storage, all, pageAfter(FAR))],
    ])('of %s', async (_title, read, expected = PAGE + 1) => {
      const { buffers, rows } = await touched(read);
      expect(rows).toBe(expected);
      expect(buffers).toBeLessThan(BUFFERS);
    });

    test('of the staking periods and delegations of each of ten validators in one statement', async () => {
      const pages = Array.from({ length: 10 }, (_, index) => ({
        query: { rowId: String(index + 1) },
        request: pageAfter(null),
      })) as [ListPage<OfReferenced>, ...ListPage<OfReferenced>[]];
      for (const [list, expected] of [
        [stakingPeriodList, 4],
        [delegationList, PAGE + 1],
      ] as const) {
        const { buffers, rows } = await touched((storage) => list.readBatch(storage, pages));
        expect(rows).toBe(expected);
        expect(buffers).toBeLessThan(BUFFERS);
      }
    });
  },
);

test('the measurement can tell: reading all links touches far more', async () => {
  const everything = { name: '', text: 'SELECT sum(time) FROM validator_transaction', parameters: [] };
  expect((await touchedBy(gateway.storage, everything, {})).buffers).toBeGreaterThan(BUFFERS * 5);
});
