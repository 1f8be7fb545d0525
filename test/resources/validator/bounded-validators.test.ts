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
import { nativeAssetIds } from '../../../src/avalanche/networks.js';
import { currentDelegationList } from '../../../src/resources/delegation/list.js';
import {
  currentValidatorArguments,
  validatorSorts,
} from '../../../src/resources/subnet-validator/arguments.js';
import { currentValidatorList, subnetValidatorList } from '../../../src/resources/subnet-validator/list.js';
import { historicalRewardList, networkPendingList } from '../../../src/resources/reward/network-list.js';
import {
  delegatorStakeArguments,
  stakingTransactionArguments,
  validatorStakeArguments,
  validatorStakeSorts,
} from '../../../src/resources/stake/arguments.js';
import { delegatorStakeList } from '../../../src/resources/stake/delegator-list.js';
import { validatorStakeList } from '../../../src/resources/stake/list.js';
import { stakingTransactionList } from '../../../src/resources/stake/transaction-list.js';
import { COUNT_DELEGATIONS, SUM_STAKES } from '../../../src/state/delegations.js';
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
/** The same of stakes, of which each row looks up several others. */
const STAKES = 450;

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
       1690000000 + n, 1700000000 + n % 99, 2000 + n % 97, 1, 0, 20000 + n % 7
     FROM generate_series(1, ${20 * VALIDATORS}) n`,
  );
  await pool.query(
    `INSERT INTO follow_staker (network, tx_id, tx_type, subnet_id, node_id, priority, start_time, end_time, weight,
       potential_reward, delegatee_reward, shares)
     SELECT 'mainnet', 'waiting ' || n, 'AddDelegatorTx', '${ZERO_ID}', 'node 000007', 1, 1701000000, 1710000000, 1, 0, 0, 0
     FROM generate_series(1, 3) n`,
  );
  await makeStakes(pool);
  await pool.query(COUNT_DELEGATIONS);
  await pool.query(SUM_STAKES);
  await pool.query(
    'VACUUM (ANALYZE) transaction, validator, validator_transaction, subnet_validator, follow_staker, follow_stake_total, reward_transaction, address_transaction, transaction_output, utxo',
  );
}, 600_000);
afterAll(() => gateway?.close());

const ENDED = 60_000;
const owner = 'avax1owner';

/**
 * The transactions of the stakes of now, and of as many validators and delegators that ended long before,
 * some of them in subnets; all delegations are of one owner, whom as many transactions paid a reward.
 */
async function makeStakes(pool: ReturnType<typeof poolOf>): Promise<void> {
  const node = (number: string) => `'node ' || lpad((${number})::text, 6, '0')`;
  await pool.query(
    `INSERT INTO transaction (network, chain, tx_hash, tx_type, block_timestamp, details, tie)
     SELECT 'mainnet'::network, 'p'::primary_chain, 'stake ' || n, CASE WHEN n <= ${VALIDATORS} THEN 'AddValidatorTx' ELSE 'AddDelegatorTx' END,
       1690000000 + n, jsonb_build_object('nodeId', ${node(`CASE WHEN n <= ${VALIDATORS} THEN n ELSE 1 END`)},
         'startTimestamp', 1690000000 + n, 'endTimestamp', 1700000000 + n % 99), n
     FROM generate_series(1, ${20 * VALIDATORS}) n
     UNION ALL SELECT 'mainnet', 'p', 'ended ' || n, (ARRAY['AddPermissionlessValidatorTx', 'AddPermissionlessDelegatorTx',
         'RewardValidatorTx'])[1 + n % 3],
       1600000000 + n, jsonb_build_object('nodeId', ${node(`CASE WHEN n % 6 = 1 THEN 1 ELSE 1 + n % ${VALIDATORS} END`)},
         'subnetId', CASE WHEN n % 3000 = 0 THEN 'subnet' ELSE '${ZERO_ID}' END, 'startTimestamp', 1600000000 + n,
         'endTimestamp', 1600000100 + n, 'rewardTxHash', 'reward'), n
     FROM generate_series(1, ${ENDED}) n
     UNION ALL SELECT 'mainnet', 'p', 'waiting ' || n, 'AddDelegatorTx', 1692000000 + n,
       jsonb_build_object('nodeId', ${node('7')}, 'startTimestamp', 1701000000, 'endTimestamp', 1710000000), n
     FROM generate_series(1, 3) n
     UNION ALL SELECT 'mainnet', 'p', 'ended later ' || n, 'AddDelegatorTx', 1695000000 + n,
       jsonb_build_object('nodeId', ${node('1')}, 'subnetId', '${ZERO_ID}', 'startTimestamp', 1695000000 + n,
         'endTimestamp', 1695000100 + n, 'rewardTxHash', 'reward'), n
     FROM generate_series(1, ${ENDED}) n
     UNION ALL SELECT 'mainnet', 'p', 'ended with all of these', 'AddPermissionlessValidatorTx', 1695000000,
       jsonb_build_object('nodeId', ${node('1')}, 'subnetId', '${ZERO_ID}', 'startTimestamp', 1695000000,
         'endTimestamp', 1695000200 + ${ENDED}, 'rewardTxHash', 'reward'), 1`,
  );
  await pool.query(
    `INSERT INTO address (network, address) VALUES ('mainnet', $1), ('mainnet', 'avax1nobody')`,
    [owner],
  );
  for (const [table, columns] of [
    [
      'reward_transaction',
      "t.id, a.id, t.tx_type, t.block_timestamp, t.tie, v.id, NOT t.details ? 'rewardTxHash'",
    ],
    [
      'address_transaction',
      "t.id, a.id, t.chain, t.tx_type, t.block_timestamp, t.tie, nullif(NOT t.details ? 'rewardTxHash', false)",
    ],
  ])
    await pool.query(
      `INSERT INTO ${table} SELECT ${columns} FROM transaction t JOIN address a ON a.address = $1
       JOIN validator v ON v.network = t.network AND v.node_id = t.details->>'nodeId'
       WHERE t.tx_hash ~ '^(stake|waiting|ended)' AND t.tx_type NOT IN ('AddValidatorTx', 'AddPermissionlessValidatorTx')`,
      [owner],
    );
  await pool.query(
    `WITH asset AS (
       INSERT INTO asset (network, asset_id, name, symbol, denomination, type)
       VALUES ('mainnet', '${nativeAssetIds.mainnet}', '', '', 0, 'secp256k1') RETURNING id),
     paid AS (
       INSERT INTO utxo (network, utxo_id, tx_hash, output_index, created_on, consumed_on, asset_row_id, amount,
         addresses, utxo_type, reward_type, tie)
       SELECT 'mainnet', 'output ' || t.id, t.tx_hash, 0, 'p', 'p', asset.id, 1, ARRAY[$1], 'TRANSFER', 'DELEGATOR', t.id
       FROM transaction t, asset WHERE t.tx_hash LIKE 'ended %' AND t.tx_type = 'RewardValidatorTx' RETURNING id, tie)
     INSERT INTO transaction_output SELECT tie, 0, id FROM paid`,
    [owner],
  );
  // One reward in a thousand for another node.
  await pool.query(
    `UPDATE reward_transaction l SET validator_row_id = CASE WHEN t.tie % 1000 = 0 THEN 3 ELSE 2 END
     FROM transaction t WHERE t.id = l.transaction_id AND t.tx_type = 'RewardValidatorTx'`,
  );
  await pool.query(
    `INSERT INTO validator_transaction SELECT t.id, 2, t.tx_type, t.block_timestamp, t.tie FROM transaction t
     WHERE t.tx_hash LIKE 'ended %' AND t.tx_type = 'RewardValidatorTx'`,
  );
}

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

    const network = 'mainnet';
    const validatorStakes = (given: object) => (storage: Storage) =>
      validatorStakeList.read(
        storage,
        { ...readArguments(validatorStakeArguments, { network }), ...given },
        pageAfter(null),
      );
    const delegatorStakes =
      (given: object, after: string | null = null) =>
      (storage: Storage) =>
        delegatorStakeList.read(
          storage,
          { ...readArguments(delegatorStakeArguments, { network }), ...given },
          pageAfter(after),
        );
    const staking = (given: object) => (storage: Storage) =>
      stakingTransactionList.read(
        storage,
        { ...readArguments(stakingTransactionArguments, { network }), ...given },
        pageAfter(null),
      );
    const rewards = (list: typeof historicalRewardList, given: object) => (storage: Storage) =>
      list.read(
        storage,
        { network, addresses: null, nodeIds: null, sortOrder: 'desc', ...given },
        pageAfter(null),
      );
    const pending = networkPendingList as unknown as typeof historicalRewardList;
    const [oldest, nobody] = [{ sortOrder: 'asc' }, { addresses: ['avax1nobody'] }];
    const active = { delegationStatus: 'active' };
    const waiting = { delegationStatus: 'pending' };

    test.each<[string, (storage: Storage) => Promise<unknown>, rows?: number]>([
      ['validators, the newest', validatorStakes({})],
      ['validators, the oldest', validatorStakes(oldest)],
      ['validators of now', validatorStakes({ validationStatus: 'active' })],
      [
        'validators that wait for their start, of which there are none',
        validatorStakes({ validationStatus: 'pending' }),
        0,
      ],
      ['validators of a subnet that few stake in', validatorStakes({ subnetId: 'subnet' }), PAGE + 1],
      ['validators of a subnet in which nobody stakes', validatorStakes({ subnetId: 'other' }), 0],
      ['a node', validatorStakes({ nodeId: 'node 000002' }), 11],
      ['delegators, the newest', delegatorStakes({})],
      // A row of those that ended.
      [
        'delegators, far from the newest',
        delegatorStakes({}, String(TRANSACTIONS + 20 * VALIDATORS + ENDED / 2)),
      ],
      ['delegators of now, the newest', delegatorStakes(active)],
      ['delegators of now, the oldest', delegatorStakes({ ...active, ...oldest })],
      ['delegators of now to a node', delegatorStakes({ ...active, nodeIds: ['node 000001'] })],
      ['delegators of now of an address', delegatorStakes({ ...active, rewardAddresses: [owner] })],
      ['delegators that wait for their start', delegatorStakes(waiting), 3],
      ['those to a node', delegatorStakes({ ...waiting, nodeIds: ['node 000007'] }), 3],
      ['those of an address', delegatorStakes({ ...waiting, rewardAddresses: [owner] }), 3],
      ['delegators to a node', delegatorStakes({ nodeIds: ['node 000001'], ...oldest })],
      ['delegators of an address', delegatorStakes({ rewardAddresses: [owner] })],
    ])('stakes of %s', async (_title, read, expected = PAGE + 1) => {
      const { buffers, rows } = await touched(read);
      expect(rows).toBe(expected);
      expect(buffers).toBeLessThan(STAKES);
    });

    test('stakes of validators that nobody can delegate to: a look at each of now, not at those that ended', async () => {
      const { buffers, rows } = await touched(validatorStakes({ maxDelegationCapacity: '-1' }));
      expect(rows).toBe(0);
      expect(buffers).toBeLessThan(4 * VALIDATORS);
    });

    test.each(validatorStakeSorts.slice(1))('stakes by %s: a look at each of now', async (sortBy) => {
      const { buffers, rows } = await touched(validatorStakes({ sortBy }));
      expect(rows).toBe(PAGE + 1);
      expect(buffers).toBeLessThan(6 * VALIDATORS);
    });

    test.each<[string, (storage: Storage) => Promise<unknown>, rows?: number]>([
      ['transactions of stakes of now, the newest', staking({})],
      ['the oldest of these', staking(oldest)],
      ['those of an address, behind many that ended', staking({ addresses: [owner] })],
      ['those of an address, the oldest', staking({ addresses: [owner], ...oldest })],
      ['those of an address without any', staking(nobody), 0],
      ['rewards of an address', rewards(historicalRewardList, { addresses: [owner] })],
      [
        'rewards for a node, the oldest',
        rewards(historicalRewardList, { nodeIds: ['node 000002'], ...oldest }),
      ],
      ['rewards of an address without any', rewards(historicalRewardList, nobody), 0],
      [
        'rewards that an address will be paid, the oldest',
        rewards(pending, { addresses: [owner], ...oldest }),
      ],
      ['rewards that nobody will be paid', rewards(pending, nobody), 0],
      [
        'rewards of an address for one of its nodes',
        rewards(historicalRewardList, { addresses: [owner], nodeIds: ['node 000003'] }),
      ],
      [
        'rewards of an address for a node with which it has none',
        rewards(historicalRewardList, { addresses: [owner], nodeIds: ['node 000004'] }),
        0,
      ],
      ['rewards that are to be paid for a node', rewards(pending, { nodeIds: ['node 000001'] })],
      ['those of an address', rewards(pending, { addresses: [owner], nodeIds: ['node 000007'] }), 3],
      [
        'those of an address for a node with which it stakes nothing',
        rewards(pending, { addresses: [owner], nodeIds: ['node 000002'] }),
        0,
      ],
    ])('%s', async (_title, read, expected = PAGE + 1) => {
      const { buffers, rows } = await touched(read);
      expect(rows).toBe(expected);
      expect(buffers).toBeLessThan(STAKES);
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
