import type { Connection } from '../../src/storage/session.js';
import { withLateIndexes } from './late-indexes.js';
import { idOf } from './evm-rows.js';

/**
 * An address made of a number, as PostgreSQL's text of a bytea and as replies write it before checksumming.
 */
export const addressAt = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`;
export const addressSql = (number: string) => `decode(lpad(to_hex(${number}), 40, '0'), 'hex')`;
export const hashSql = (text: string) => `sha256((${text})::text::bytea)`;

/** How many chains generated messages have; row ids begin with 1. */
export const CHAINS = 70;
/** The chain with this row id in generated messages. */
export const chainAt = (id: number): string => idOf(`generated ${id}`);
/** That chain's EVM id. */
export const evmIdAt = (id: number): string => String(1000 + id);

/** Messages as insertMessages() makes them, vacuumed and analysed. */
export async function generateMessages(client: Connection, count: number): Promise<void> {
  await insertMessages(client, count);
  await client.query('VACUUM (ANALYZE) icm_message, icm_chain');
}

/**
 * Messages of mainnet among 59 of its chains and 20,000 addresses. Of four in eight, chain 1 is the source,
 * or chain 2 the destination, or address 1 the sender, or address 2 the recipient, never two of these at
 * once: each is dense alone, and all sets of them are empty. One in eight is from address 3 on chain 3 to
 * address 4 on chain 4: every set of these is dense. One in eight goes between them on the other chains, from
 * 4 to 3, so that both are dense on either side.
 *
 * @param insertOthers inserts more, while there are no indexes
 */
export async function insertMessages(
  client: Connection,
  count: number,
  insertOthers?: () => Promise<void>,
): Promise<void> {
  const chains = Array.from({ length: CHAINS }, (_, index) => chainAt(index + 1));
  await client.query(
    `INSERT INTO icm_chain (network, blockchain_id, evm_chain_id)
     SELECT 'mainnet', id, 1000 + nth FROM unnest($1::text[]) WITH ORDINALITY AS chain(id, nth) ORDER BY nth`,
    [chains],
  );
  const choose = (hot: number, at: number, there: number, back: number, rest: string) =>
    `CASE i % 8 WHEN ${at} THEN ${hot} WHEN 7 THEN ${there} WHEN 6 THEN ${back} ELSE ${rest} END`;
  const chain = (seed: number) => `5 + (i * ${seed} % 55)::int`;
  const address = (seed: number) => `100 + (i * ${seed} % 19997)::int`;
  const insert = async () => {
    await client.query(
      `INSERT INTO icm_message (network, message_id, source_id, destination_id, from_address, to_address, timestamp, details)
     SELECT 'mainnet', ${hashSql('i')}, ${choose(1, 0, 3, 4, chain(7919))}, ${choose(2, 1, 4, 3, chain(104729))},
       ${addressSql(choose(1, 2, 3, 3, address(31)))}, ${addressSql(choose(2, 3, 4, 4, address(37)))},
       1700000000 + i / 10, '{"status": "pending"}'
     FROM generate_series(1, ${count}::bigint) i ORDER BY ${hashSql('i')}`,
    );
    await insertOthers?.();
  };
  await withLateIndexes(client, 'icm_message', insert, '%time_idx');
}

/** Internal transactions as insertFrames() makes them, vacuumed and analysed. */
export async function generateFrames(
  client: Connection,
  count: number,
  { partitions = 1 } = {},
): Promise<void> {
  await insertFrames(client, count, { partitions });
  await client.query('VACUUM (ANALYZE) internal_tx');
}

/**
 * Internal transactions of chain 7: half of them sent by address 1, a quarter received by it, a quarter sent
 * by address 4 to address 5. Of what address 1 sends, the newest 50,000 go to itself; address 2 has ten,
 * address 3 one.
 *
 * @param gap how many blocks without any there are between the older half and the newer half
 * @param partitions of how many they are, each of as many blocks
 */
export async function insertFrames(
  client: Connection,
  count: number,
  { gap = 0, partitions = 1 } = {},
): Promise<void> {
  const edges = Array.from({ length: partitions - 1 }, (_, index) =>
    String(1000 + Math.floor(((index + 1) * count) / 20 / partitions)),
  );
  await partitionFrames(client, ['0', ...edges, 'MAXVALUE']);
  const other = (seed: number) => `100 + (i * ${seed} % 19997)::int`;
  await client.query(
    `INSERT INTO internal_tx (evm_chain_id, tx_hash, position, tie, block_number, block_timestamp, block_hash,
       from_address, to_address, from_party, to_party, type, value, is_reverted, gas_used, gas_limit)
     SELECT 7, ${hashSql('i / 3')}, i % 3, 0, ${blockSql('i', count, gap)}, 1700000000 + i / 20, ${hashSql('i / 20')},
       CASE WHEN i % 4 < 2 THEN ${addressSql('1')} WHEN i % 4 = 3 THEN ${addressSql('4')}
         ELSE ${addressSql(other(31))} END,
       CASE WHEN i = 77 THEN ${addressSql('3')} WHEN i % ${Math.floor(count / 10)} = 0 THEN ${addressSql('2')}
         WHEN i % 4 = 2 OR i % 4 < 2 AND i > ${count} - 100000 THEN ${addressSql('1')}
         WHEN i % 4 = 3 THEN ${addressSql('5')} ELSE ${addressSql(other(37))} END,
       '{}', '{}', 'CALL', 1, false, 0, 0
     FROM generate_series(1, ${count}::bigint) i`,
  );
}

/** Partitions of chain 7 between these blocks. */
async function partitionFrames(client: Connection, edges: readonly string[]): Promise<void> {
  for (const [index, from] of edges.slice(0, -1).entries())
    await client.query(
      `CREATE TABLE internal_tx_7_${from} PARTITION OF internal_tx FOR VALUES FROM (7, ${from}) TO (7, ${edges[index + 1]})`,
    );
}

const blockSql = (i: string, count: number, gap: number) =>
  `1000 + ${i} / 20 + CASE WHEN ${i} > ${Math.floor(count / 2)} THEN ${gap} ELSE 0 END`;

/**
 * Makes chains with the EVM ids from 1 on, all of one subnet.
 *
 * @param subnet id
 */
export async function insertChains(
  client: Pick<Connection, 'query'>,
  chains: number,
  subnet: string,
): Promise<void> {
  await client.query(
    `INSERT INTO chain (evm_chain_id, status, chain_name, description, subnet_id, vm_name, rpc_url, is_testnet,
       enabled_features, network_token)
     SELECT n, 'OK', 'Chain ' || n, '', $2, 'EVM', '', false, '{}', '{"name": "", "symbol": "", "decimals": 18}'
     FROM generate_series(1, $1::int) n`,
    [chains, subnet],
  );
}
