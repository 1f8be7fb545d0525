import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFilled, type FilledDatabase } from '../harness/filled-again.js';

const names = [
  ...['20261122005000_subnets', '20261122005010_vacuum_subnets', '20261122005020_staking_tx_hash_index'],
  ...['20261122005030_validators', '20261122005040_vacuum_validators'],
  ...['20261122005050_l1_validators', '20261122005060_vacuum_l1_validators'],
  ...['20261122060000_l1_validator_places', '20261122060010_fill_l1_validator_places'],
  ...['20261122060020_l1_validator_subnet_index', '20261122060030_l1_validator_node_index'],
  '20261122060040_vacuum_l1_validator_places',
  ...['20261122060100_subnet_validators', '20261122060110_vacuum_subnet_validators'],
];
const drops =
  'DROP TABLE subnet, subnet_transaction, validator, validator_transaction, l1_validator, l1_validator_transaction, subnet_validator; DROP INDEX chain_subnet_id_idx, transaction_staking_tx_hash_idx';

let database: FilledDatabase;
beforeAll(async () => {
  database = await openFilled(names, drops);
});
afterAll(() => database.close());

/** Everything that the migration fills, without the ids that differ. */
const filled = async () => {
  const { rows } = await database.client.query<{ row: string }>(
    `SELECT concat_ws(' ', network, subnet_id) AS row FROM subnet
     UNION ALL SELECT concat_ws(' ', l.transaction_id, s.subnet_id, l.tx_type, l.time, l.tie)
     FROM subnet_transaction l JOIN subnet s ON s.id = l.subnet_row_id
     UNION ALL SELECT concat_ws(' ', network, node_id) FROM validator
     UNION ALL SELECT concat_ws(' ', l.transaction_id, v.node_id, l.tx_type, l.time, l.tie)
     FROM validator_transaction l JOIN validator v ON v.id = l.validator_row_id
     UNION ALL SELECT concat_ws(' ', e.network, e.validation_id, coalesce(s.subnet_id, '?'), coalesce(v.node_id, '?'))
     FROM l1_validator e LEFT JOIN subnet s ON s.id = e.subnet_row_id LEFT JOIN validator v ON v.id = e.validator_row_id
     UNION ALL SELECT concat_ws(' ', l.transaction_id, e.validation_id, l.tx_type, l.time, l.tie)
     FROM l1_validator_transaction l JOIN l1_validator e ON e.id = l.l1_validator_row_id
     UNION ALL SELECT concat_ws(' ', s.subnet_id, b.node_id, v.node_id, v.network) FROM subnet_validator b
     JOIN subnet s ON s.id = b.subnet_row_id JOIN validator v ON v.id = b.validator_row_id
     ORDER BY row`,
  );
  return rows;
};

test('the migration fills the tables with what imports would have written', async () => {
  const written = await filled();
  expect(written.length).toBeGreaterThan(200);
  await database.forget();
  expect(await database.migrate()).toEqual(names);
  expect(await filled()).toEqual(written);
});

test('it waits for imports that are writing, and readers go on meanwhile', async () => {
  await database.forget();
  const migrated = await database.migrateBeside(['fuji', null], async (batch) => {
    await batch.query(
      `INSERT INTO transaction (network, chain, tx_hash, tx_type, block_timestamp, details, tie)
         VALUES ('fuji', 'p', $1, 'CreateSubnetTx', 1, '{}', 1)`,
      ['L'.repeat(40)],
    );
  });
  expect(migrated).toEqual(names);
  expect((await filled()).filter(({ row }) => row.includes('L'.repeat(40)))).toHaveLength(2);
});
