import type pg from 'pg';
import { withLateIndexes } from './late-indexes.js';
import { formatAddress } from '../../src/avalanche/address.js';
import { waitPatiently } from '../../src/storage/connection.js';

/** How the generated outputs are spread over their owners. */
export interface GeneratedLedger {
  /** Number of outputs. */
  outputs: number;
  /** Outputs of each of the hot addresses; all others own a few each. */
  hot: readonly number[];
  /** Every how many outputs on the X-chain hold a rare asset; 0 for none. */
  rareEvery?: number;
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/**
 * Fills an empty database with a skewed ledger of mainnet outputs, made in the database itself: half of them
 * spent, ten outputs a second, P-chain unless `rareEvery` is given (then X-chain).
 *
 * @returns the hot addresses, hottest first
 */
export async function generateLedger(
  pool: pg.Pool,
  { outputs, hot, rareEvery = 0 }: GeneratedLedger,
): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    waitPatiently(client);
    await client.query(`SET synchronous_commit = off`);
    await client.query(`
      INSERT INTO asset (network, asset_id, name, symbol, denomination, type) VALUES
        ('mainnet', 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z', 'Avalanche', 'AVAX', 9, 'secp256k1'),
        ('mainnet', 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK', 'Rare', 'RARE', 0, 'secp256k1')
      ON CONFLICT DO NOTHING`);
    const cold = Math.max(1, Math.floor((outputs - hot.reduce((sum, each) => sum + each, 0)) / 5));
    // Addresses only have to be texts here; nobody decodes the cold ones.
    await client.query(
      `INSERT INTO address (network, address) SELECT 'mainnet', 'avax1cold' || n FROM generate_series(1, $1::int) n`,
      [cold],
    );
    // 20 equal bytes: well-formed, and nobody can hold the key.
    const addresses = hot.map((_, index) => formatAddress('mainnet', new Uint8Array(20).fill(index)));
    await client.query(`INSERT INTO address (network, address) SELECT 'mainnet', unnest($1::text[])`, [
      addresses,
    ]);
    const bounds = hot.map((_, index) => hot.slice(0, index + 1).reduce((sum, each) => sum + each, 0));
    const chain = rareEvery > 0 ? 'x' : 'p';
    const rare = rareEvery > 0 ? `n % ${rareEvery} = 0` : 'false';
    const owner = addresses
      .map((address, index) => `WHEN slot < ${bounds[index]} THEN '${address}'`)
      .join(' ');
    await withLateIndexes(client, 'utxo', () =>
      client.query(`
      INSERT INTO utxo (network, utxo_id, tx_hash, output_index, created_on, consumed_on, asset_row_id, amount,
        addresses, threshold, utxo_type, staked, block_number, block_timestamp, consuming_tx_hash,
        consuming_block_number, consuming_block_timestamp, platform_locktime, utxo_bytes, tie)
      SELECT 'mainnet', rpad(${base58('tie')}, 49, 'Moraine'), rpad('tx' || translate(n::text, '0', 'A'), 51, 'Moraine'),
        n % 4, '${chain}', '${chain}', CASE WHEN ${rare} THEN 2 ELSE 1 END, (n * 7919::bigint) % 1000000007,
        ARRAY[CASE ${owner} ELSE 'avax1cold' || (slot % ${cold} + 1) END], 1, 'TRANSFER', false, n / 10,
        1600000000 + n / 10, CASE WHEN n % 2 = 0 THEN substr(repeat('Consumer', 7), 1, 50) END,
        CASE WHEN n % 2 = 0 THEN n END, CASE WHEN n % 2 = 0 THEN 1700000000 + n END, 0, sha256(n::text::bytea), tie
      FROM (
        SELECT n, (n * 48271::bigint) % ${outputs} AS slot,
          ('x' || substr(md5('tie' || n), 1, 14))::bit(56)::bigint AS tie
        FROM generate_series(0, ${outputs} - 1) n
        -- Keeps PostgreSQL from working out the tie anew for each of the digits that are made of it.
        OFFSET 0) row`),
    );
    await withLateIndexes(client, 'utxo_owner', () =>
      client.query(`
      INSERT INTO utxo_owner (utxo_row_id, address_id, chain, asset_row_id, spent, time, amount, tie)
      SELECT u.id, a.id, '${chain}', u.asset_row_id, u.consuming_tx_hash IS NOT NULL, u.block_timestamp, u.amount, u.tie
      FROM utxo u CROSS JOIN LATERAL unnest(u.addresses || ''::text) AS owner(name)
      JOIN address a ON a.network = 'mainnet' AND a.address = owner.name`),
    );
    await client.query(`
      INSERT INTO address_balance
      SELECT address_id, chain, asset_row_id, outputs, unspent, received, outputs, unspent, received
      FROM (SELECT address_id, chain, asset_row_id, count(*) AS outputs, sum(amount) AS received,
              coalesce(sum(amount) FILTER (WHERE NOT spent), 0) AS unspent
            FROM utxo_owner JOIN address a ON a.id = address_id WHERE a.address <> '' GROUP BY 1, 2, 3) sums`);
    await client.query('VACUUM (ANALYZE) utxo, utxo_owner, address, address_balance, asset');
    return addresses;
  } finally {
    client.release(true);
  }
}

/** SQL of the ten base58 characters that sort as a number below 58^10 does. */
function base58(column: string): string {
  const digits = Array.from(
    { length: 10 },
    (_, index) => `(${column} / ${58n ** BigInt(9 - index)} % 58)::int`,
  );
  return digits.map((digit) => `substr('${BASE58}', ${digit} + 1, 1)`).join(' || ');
}
