import { LAST_DAY } from '../../src/resources/evm-holding/day.js';
import type { Connection } from '../../src/storage/session.js';
import {
  addressSql,
  chainAt,
  hashSql,
  insertChains,
  insertFrames,
} from '../../test/harness/generated-evm.js';
import { withLateIndexes } from '../../test/harness/late-indexes.js';

/** The subnet of all chains. */
export const SUBNET = 'subnet';

/** Messages, of which every second one is from address 1 of chain 1 to address 2 of chain 2, and pending. */
export async function makeMessages(client: Connection, rows: number): Promise<void> {
  await client.query(
    `INSERT INTO icm_chain (network, blockchain_id, evm_chain_id)
     SELECT 'mainnet', id, 1000 + place FROM unnest($1::text[]) WITH ORDINALITY AS chain(id, place) ORDER BY place`,
    [Array.from({ length: 10 }, (_, index) => chainAt(index + 1))],
  );
  const ofTwo = (hot: string, other: string) => `CASE i % 2 WHEN 0 THEN ${hot} ELSE ${other} END`;
  await withLateIndexes(client, 'icm_message', () =>
    client.query(
      `INSERT INTO icm_message (network, message_id, source_id, destination_id, from_address, to_address, timestamp, details)
       SELECT 'mainnet', ${hashSql('i')}, ${ofTwo('1', '3 + i / 2 % 8')}, ${ofTwo('2', '3 + i / 16 % 8')},
         ${ofTwo(addressSql('1'), addressSql('100 + i % 9999'))}, ${ofTwo(addressSql('2'), addressSql('100 + i % 7919'))},
         1700000000 + i / 10, jsonb_build_object('status', ${ofTwo(`'pending'`, `'delivered'`)})
       FROM generate_series(1, ${2 * rows}) i`,
    ),
  );
}

/** Internal transactions of chain 7 in four partitions: address 1 sent half of them, and received more. */
export async function makeFrames(client: Connection, rows: number): Promise<void> {
  await insertFrames(client, 2 * rows, { partitions: 4 });
}

/**
 * Tokens of chain 7, every second one of a collection that is address 1's, the collection's owners, what
 * address 2 has of other tokens; and chains.
 */
export async function makeHeld(client: Connection, rows: number): Promise<void> {
  await withLateIndexes(client, 'nft_token', () =>
    client.query(
      `INSERT INTO nft_token (evm_chain_id, address, token_id, owner)
       SELECT 7, ${addressSql('1000 + n % 2')}, n, ${addressSql('1 + n % 2')} FROM generate_series(1, ${2 * rows}) n`,
    ),
  );
  await client.query(
    `INSERT INTO evm_address (address, checksummed)
     SELECT ${addressSql('n')}, 'address ' || n FROM generate_series(1, ${rows}) n`,
  );
  await client.query(
    `INSERT INTO evm_holding (evm_chain_id, kind, contract) VALUES (7, 'nft', ${addressSql('1000')})`,
  );
  await client.query(
    `INSERT INTO evm_holding (evm_chain_id, kind, contract)
     SELECT 7, 'erc20', ${addressSql('2000000 + n')} FROM generate_series(1, ${rows}) n`,
  );
  await withLateIndexes(client, 'evm_balance', () =>
    client.query(
      `INSERT INTO evm_balance (holding_id, address_id, day, until_day, previous, balance)
       SELECT holding_id, address_id, 100, ${LAST_DAY}, 0, 1 + address_id % 9999 FROM (
         SELECT h.id, a.id FROM evm_holding h, evm_address a WHERE h.kind = 'nft'
         UNION SELECT h.id, a.id FROM evm_holding h, evm_address a WHERE a.address = ${addressSql('2')}
       ) held (holding_id, address_id)`,
    ),
  );
  await insertChains(client, rows, SUBNET);
}
