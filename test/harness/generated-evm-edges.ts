import type { Connection } from '../../src/storage/session.js';
import { addressSql, generateFrames, generateMessages } from './generated-evm.js';

/**
 * So many messages, internal transactions and NFTs each, the filters of whose lists match much and little.
 *
 * @param large the hash of a transaction that gets a third of all frames, and three messages
 */
export async function generateEvmEdges(client: Connection, count: number, large: string): Promise<void> {
  await generateMessages(client, count);
  await generateFrames(client, count);
  await client.query(
    `UPDATE internal_tx SET tx_hash = decode($1, 'hex'), position = id, block_number = 2500 WHERE id > ${count * (2 / 3)}`,
    [large.slice(2)],
  );
  await client.query(
    `UPDATE icm_message SET details = jsonb_build_object(side, jsonb_build_object('txHash', $1::text))
     FROM (VALUES (1, 'sourceTransaction'), (2, 'sourceTransaction'), (30000, 'destinationTransaction')) AS of(message, side)
     WHERE id = message`,
    [large],
  );
  await client.query(
    `UPDATE icm_message SET source_id = CASE WHEN id % 6 = 0 THEN 5 ELSE source_id END,
       destination_id = CASE WHEN id % 6 = 1 THEN 6 ELSE destination_id END,
       details = '{"status": "delivered"}'
     WHERE (id % 6 < 2 OR id % 40 = 2) AND id NOT IN (1, 2, 30000)`,
  );
  await client.query(
    `UPDATE icm_message SET source_id = 7 WHERE source_id = 5 AND details->>'status' = 'pending'`,
  );
  await client.query(
    `UPDATE icm_message SET destination_id = 7 WHERE destination_id = 6 AND details->>'status' = 'pending'`,
  );
  await client.query('VACUUM (ANALYZE) icm_message');
  // One in ten thousand is address 2's; of the others half address 1's, in many collections of many.
  await client.query(
    `INSERT INTO nft_token (evm_chain_id, address, token_id, owner)
     SELECT 7, ${addressSql('1000 + i % 50')}, i,
       CASE WHEN i % 10000 = 0 THEN ${addressSql('2')} WHEN i % 2 = 0 THEN ${addressSql('1')}
         ELSE ${addressSql('5000 + i % 9999')} END
     FROM generate_series(1, ${count}::bigint) i`,
  );
  await client.query('VACUUM (ANALYZE) internal_tx, nft_token');
}
