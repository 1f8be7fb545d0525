import { ZERO_ID } from '../../src/avalanche/codec/ids.js';
import { COUNT_DELEGATIONS, SUM_STAKES } from '../../src/state/delegations.js';
import type { Connection } from '../../src/storage/session.js';
import { withLateIndexes } from '../../test/harness/late-indexes.js';

/** Of each so many transactions one begins a stake, and one is of each other kind. */
const KINDS = 4;
/** Row id of a transaction that emitted and consumed outputs, as many as a list has. */
export const LARGE_ROW = String(KINDS);
/** Of each so many of these stakes one has not ended. */
const PRESENT = 100;
/** On the P-chain, which has as many of another type. */
export const TX_TYPE = 'AddValidatorTx';
/** Of the X-chain's block with as many transactions as a list has. */
export const BLOCK = '7';

const insert = (client: Connection, table: string, text: string) =>
  withLateIndexes(client, table, () => client.query(`INSERT INTO ${table} ${text}`));

/**
 * What belongs to the outputs of a generated ledger: holdings of its hot address, holders of the rare asset,
 * and assets, which one address has all of.
 *
 * @param rows of each list
 */
export async function makeHoldings(client: Connection, rows: number, hot: string): Promise<void> {
  await client.query(
    `INSERT INTO address (network, address) SELECT 'mainnet', 'avax1holder' || n FROM generate_series(1, ${rows}) n`,
  );
  await client.query(
    `INSERT INTO asset (network, asset_id, name, symbol, denomination, type)
     SELECT 'mainnet', md5(n::text), 'Asset ' || n, '', 0, 'nft' FROM generate_series(1, ${rows}) n`,
  );
  await insert(
    client,
    'address_balance',
    `SELECT a.id, 'x'::primary_chain, 2, 1, a.id % 9999 + 1, a.id, 1, a.id % 9999 + 1, a.id FROM address a WHERE a.address LIKE 'avax1holder%'
     UNION ALL SELECT a.id, 'x', asset.id, 1, 1, 1, 1, 1, 1 FROM address a, asset
     WHERE a.address = 'avax1holder1' AND asset.id > 2`,
  );
  await client.query(
    `INSERT INTO address_holding
       (address_id, kind, created_on, consumed_on, until, opens, asset_row_id, shared, owner_set, outputs, amount)
     SELECT id, 'plain', 'x', 'x', 0, 0, 1, false, 0, 1, 1 FROM address WHERE address = $1`,
    [hot],
  );
  await insert(
    client,
    'holding_output',
    `SELECT h.id, o.time, o.tie, o.utxo_row_id, o.amount FROM address_holding h
     JOIN utxo_owner o ON o.address_id = h.address_id AND NOT o.spent`,
  );
}

/**
 * Transactions: of each four one on the P-chain that names what there is, one that delegates, one that pays
 * a reward, and one of one block of the X-chain; the history of an address; an output of each but those
 * that delegate, and many of one transaction.
 */
export async function makeTransactions(client: Connection, rows: number, hot: string): Promise<void> {
  await insert(
    client,
    'transaction',
    `(network, chain, tx_hash, tx_type, block_timestamp, block_number, details, tie)
     SELECT 'mainnet', (CASE n % ${KINDS} WHEN 2 THEN 'x' ELSE 'p' END)::primary_chain, 'transaction ' || n,
       (ARRAY['${TX_TYPE}', 'AddDelegatorTx', 'BaseTx', 'RewardValidatorTx'])[1 + n % ${KINDS}], 1600000000 + n / 10,
       CASE n % ${KINDS} WHEN 2 THEN ${BLOCK} ELSE n / 5 END,
       CASE n % ${KINDS} WHEN 0 THEN jsonb_build_object('nodeId', 'node', 'subnetId', 'subnet',
         'startTimestamp', 1600000000 + n / 10, 'endTimestamp', 1600000002 + n / 10,
         'l1ValidatorDetails', (SELECT jsonb_agg(jsonb_build_object('validationId', 'validation ' || lpad(id::text, 7, '0'),
           'nodeId', 'node', 'subnetId', 'subnet', 'weight', n, 'remainingBalance', n)) FROM unnest(ARRAY[1, n / ${KINDS}]) id))
           || '{"delegationFeePercent": "2"}' || CASE WHEN n / ${KINDS} % ${PRESENT} = 0 THEN '{}' ELSE '{"rewardTxHash": "reward"}'::jsonb END
         WHEN 1 THEN jsonb_build_object('nodeId', 'node', 'subnetId', 'subnet', 'startTimestamp', 1600000000 + n / 10,
           'endTimestamp', 1600000001 + n / 10)
         ELSE '{"value": []}' END, (n * 48271::bigint) % 2147483647
     FROM generate_series(1, ${KINDS * rows}) n`,
  );
  await insert(
    client,
    'address_transaction',
    `SELECT t.id, a.id, t.chain, t.tx_type, t.block_timestamp, t.tie,
       CASE WHEN t.details ? 'endTimestamp' AND NOT t.details ? 'rewardTxHash' THEN true END
     FROM transaction t JOIN address a ON a.address = '${hot}' WHERE t.chain = 'p'`,
  );
  await insert(
    client,
    'asset_transaction',
    `SELECT id, 2, tx_type, block_timestamp, tie FROM transaction WHERE chain = 'x'`,
  );
  for (const side of ['output', 'input'])
    await insert(
      client,
      `transaction_${side}`,
      `SELECT ${LARGE_ROW}, u.id, u.id FROM utxo u WHERE u.id > (SELECT max(id) FROM utxo) - ${rows}`,
    );
  // Each has an output of the hot address, which does not own all. These are others than those of above,
  // because one transaction makes an output.
  await client.query(
    `INSERT INTO transaction_output
     SELECT t.id, 0, owned.id FROM transaction t JOIN (
       SELECT o.utxo_row_id AS id, row_number() OVER (ORDER BY o.utxo_row_id) AS place
       FROM utxo_owner o JOIN address a ON a.id = o.address_id WHERE a.address = '${hot}') owned
       ON owned.place = 3 * (t.id / ${KINDS}) + greatest(t.id % ${KINDS}, 1)
     WHERE t.id % ${KINDS} <> 1 AND t.id <> ${LARGE_ROW}`,
  );
  await client.query(
    `UPDATE utxo SET reward_type = 'VALIDATOR' WHERE id IN (SELECT utxo_row_id FROM transaction_output)`,
  );
}

/** Blocks of the P-chain, each proposed by one of two nodes. */
export async function makeBlocks(client: Connection, rows: number): Promise<void> {
  await insert(
    client,
    'block',
    `(network, chain, number, timestamp, hash, proposer_node_id)
     SELECT 'mainnet', 'p', n, 1600000000 + n, md5('block ' || n), 'node ' || n % 2 FROM generate_series(1, ${2 * rows}) n`,
  );
}

/** As many of each of what transactions name: row 1 of each is named by all on the P-chain of one type. */
export async function makeNamed(client: Connection, rows: number, hot: string): Promise<void> {
  const ids = `SELECT 'mainnet', lpad(n::text, 7, '0') FROM generate_series(1, ${rows}) n`;
  await client.query(`INSERT INTO subnet (network, subnet_id) ${ids}`);
  await client.query(`INSERT INTO validator (network, node_id) ${ids}`);
  await client.query(
    `INSERT INTO l1_validator (network, validation_id, subnet_row_id, validator_row_id)
     SELECT 'mainnet', 'validation ' || lpad(n::text, 7, '0'), 1, 1 FROM generate_series(1, ${rows}) n`,
  );
  await insert(client, 'subnet_validator', 'SELECT 1, v.node_id, v.id FROM validator v');
  // Each has one of its own, and the first ones all of a type each.
  const links = (types: readonly string[]) =>
    `SELECT t.id, named.id, named.type, t.block_timestamp, t.tie FROM transaction t
     CROSS JOIN LATERAL (
       SELECT DISTINCT ON (id) id, type FROM (
         SELECT place AS id, type FROM unnest(ARRAY['${types.join("','")}']) WITH ORDINALITY AS each(type, place)
         UNION ALL SELECT t.id / ${KINDS}, t.tx_type) every ORDER BY id) named
     WHERE t.id % ${KINDS} = 0 AND t.id <> ${LARGE_ROW}`;
  await insert(client, 'subnet_transaction', links(['CreateChainTx', 'ConvertSubnetToL1Tx']));
  await insert(
    client,
    'validator_transaction',
    links(['AddValidatorTx', 'AddDelegatorTx', 'RewardValidatorTx']),
  );
  await insert(client, 'l1_validator_transaction', links(['SetL1ValidatorWeightTx']));
  await makeRewards(client, hot);
  await makePresent(client, rows);
  await insert(
    client,
    'vertex',
    `(network, vertex_hash, parent_hashes, height, index, timestamp, tx_count, size_bytes)
     SELECT 'mainnet', md5('vertex ' || n), '{}', CASE n % 2 WHEN 0 THEN 1 ELSE n END, 0, 1600000000 + n / 10, 0, 100
     FROM generate_series(1, ${2 * rows}) n`,
  );
}

/** What pays one address: stakes with one node, and rewards of two others. */
async function makeRewards(client: Connection, hot: string): Promise<void> {
  await client.query(`INSERT INTO validator (network, node_id) VALUES ('mainnet', 'node')`);
  await insert(
    client,
    'reward_transaction',
    `SELECT t.id, a.id, t.tx_type, t.block_timestamp, t.tie, v.id, t.details ? 'endTimestamp' AND NOT t.details ? 'rewardTxHash'
     FROM transaction t JOIN address a ON a.address = '${hot}'
     JOIN validator v ON v.node_id = CASE WHEN t.tx_type <> 'RewardValidatorTx' THEN 'node'
       WHEN t.id / ${KINDS} % 2 = 0 THEN '0000003' ELSE '0000009' END
     WHERE t.chain = 'p'`,
  );
}

/**
 * Who stakes now: as many validators of the primary network, delegations to one, and L1 validators. Of
 * transactions that began a stake all delegations are of now, and of the others one in a hundred. One L1
 * validator in twenty is of another subnet: were all of one, PostgreSQL would expect as many of each.
 */
async function makePresent(client: Connection, rows: number): Promise<void> {
  await client.query(
    `INSERT INTO follow_staking (network, chain_time, knows_stakers, knows_l1_validators, excess, accrued, price)
     VALUES ('mainnet', 1700000000, true, true, 0, 1000, 512)`,
  );
  const staker = (tx: string, node: string, priority: number) =>
    `SELECT 'mainnet', ${tx}, 'AddPermissionlessValidatorTx', '${ZERO_ID}', ${node}, ${priority},
       1600000000, 1700000000 + n % 1000, 1000000000 + n % 5000, 1, 0, 20000 + n % 50 FROM generate_series(1, ${rows}) n`;
  const columns =
    '(network, tx_id, tx_type, subnet_id, node_id, priority, start_time, end_time, weight, potential_reward, delegatee_reward, shares)';
  await insert(
    client,
    'follow_staker',
    `${columns} ${staker(`CASE n % ${PRESENT} WHEN 0 THEN 'transaction ' ELSE 'v' END || ${KINDS} * n`, `lpad(n::text, 7, '0')`, 11)}`,
  );
  await insert(
    client,
    'follow_staker',
    `${columns} ${staker(`'transaction ' || ${KINDS} * n - ${KINDS - 1}`, `'0000001'`, 10)}`,
  );
  await client.query(COUNT_DELEGATIONS);
  await client.query(SUM_STAKES);
  await insert(
    client,
    'follow_l1_validator',
    `(network, validation_id, subnet_id, node_id, weight, end_fee, owner)
     SELECT 'mainnet', 'validation ' || lpad(n::text, 7, '0'),
       lpad(greatest(1, n - ${rows})::text, 7, '0'), lpad(n::text, 7, '0'), 1 + n % 100, 2000 + n % 1000, '{}'
     FROM generate_series(1, ${rows + Math.ceil(rows / 20)}) n`,
  );
}
