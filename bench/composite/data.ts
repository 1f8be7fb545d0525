import type pg from 'pg';
import { waitPatiently } from '../../src/storage/connection.js';

export const ADDRESSES = 5_000_000;
/** A separate chain, in case the database has other data. */
export const CHAIN = 999_001;
/** 30 days, as day numbers. */
export const FIRST = 20_700;
export const LAST = FIRST + 29;
/** 2,000,000 addresses have at least this on every day. */
export const HIGH = '1000000000000000000';
/** 500,000 addresses have at least this on some day. */
export const SPIKE = '1000000000000000000000';

/**
 * Makes the balances in the database, unless they exist: for each address a row on the first day and on two
 * more. Of 20 addresses 8 are high on every day and 2 have a spike; one has both.
 */
export async function loadBalances(pool: pg.Pool, say: (line: string) => void): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    waitPatiently(client);
    const held = await client.query<{ id: number }>('SELECT id FROM evm_holding WHERE evm_chain_id = $1', [
      CHAIN,
    ]);
    if (held.rowCount !== 0) return say('the balances are there');
    const steps: [string, string][] = [
      ['addresses', addresses],
      ['balances', balances],
    ];
    await client.query('BEGIN');
    await client.query(`SET LOCAL maintenance_work_mem = '512MB'`);
    const indexes = await client.query<{ name: string; definition: string }>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE tablename = 'evm_balance' AND indexname LIKE '%_idx'`,
    );
    for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`);
    await client.query(
      `INSERT INTO evm_holding (evm_chain_id, kind, contract) VALUES (${CHAIN}, 'native', '')`,
    );
    await client.query(
      `INSERT INTO evm_holding_version (holding_id, from_day) SELECT id, ${FIRST} ${HOLDING}`,
    );
    for (const [name, sql] of steps) {
      const start = performance.now();
      const { rowCount } = await client.query(sql);
      say(`${name}: ${rowCount} rows in ${((performance.now() - start) / 1000).toFixed(0)} s`);
    }
    const start = performance.now();
    for (const { definition } of indexes.rows) await client.query(definition);
    await client.query('COMMIT');
    await client.query('VACUUM (ANALYZE) evm_balance, evm_address');
    say(`indexes and statistics in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  } finally {
    client.release(true);
  }
}

const HOLDING = `FROM evm_holding WHERE evm_chain_id = ${CHAIN}`;

const addresses = `
  INSERT INTO evm_address (address, checksummed)
  SELECT address, '0x' || encode(address, 'hex') FROM (
    SELECT substr(sha256(int4send(n)), 1, 20) AS address FROM generate_series(1, ${ADDRESSES}) n) made`;

const balances = `
  INSERT INTO evm_balance (holding_id, address_id, day, until_day, previous, balance)
  SELECT (SELECT id ${HOLDING}), id, day,
    coalesce(lead(day) OVER days - 1, 2147483647), coalesce(lag(balance) OVER days, 0), balance
  FROM (
    SELECT n.id, ${FIRST} + change.day AS day,
      1e15::numeric * (
        CASE WHEN n.id % 20 < 8 THEN 1000 ELSE 1 END
        + (n.id * 7919::bigint + change.day * 31) % 500
        + CASE WHEN n.id % 20 IN (0, 13) AND change.place = 2 THEN 1000000 ELSE 0 END) AS balance
    FROM (SELECT id FROM evm_address ORDER BY id DESC LIMIT ${ADDRESSES}) n
    CROSS JOIN LATERAL (VALUES (0, 0), (1, 1 + n.id % 14), (2, 15 + n.id % 15)) change(place, day)) made
  WINDOW days AS (PARTITION BY id ORDER BY day)`;
