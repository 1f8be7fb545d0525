import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { migrate } from '../../src/storage/migrate.js';
import { databaseOf, hasHistory } from '../harness/history.js';

describe.skipIf(!hasHistory)('a database of before NFTs and messages were two streams', () => {
  test('both go on where `logs` was, with its gaps, and what it counted stays with NFTs', async () => {
    const { url, client } = await databaseOf('7bf46e63');
    await client.query(
      `INSERT INTO follow_pipeline (network, name, first_height, next_height, first_parent, last_id, last_time, memo, head, state,
         counters, updated_at)
       VALUES ('fuji', 'logs:43113', 5, 90, '0x04', '0x89', 1700000000, '{"rangesCut": 3}', 100, 'following',
         '{"nft_token": 7}', now()),
         ('fuji', 'internals:43113', 6, 80, '0x05', '0x79', 1700000000, NULL, 100, 'following', '{}', now())`,
    );
    await client.query(
      `INSERT INTO follow_gap (network, name, height, block_id, transactions, reason, next_try)
       VALUES ('fuji', 'logs:43113', 33, '0x33', '{0x1}', 'refused', now())`,
    );
    await migrate({ connectionString: url }, { log: pino({ level: 'silent' }) });
    const { rows } = await client.query(
      `SELECT name, first_height::int AS first, next_height::int AS next, first_parent, last_id, memo, counters,
         refused_rows::int AS refused FROM follow_pipeline ORDER BY name`,
    );
    const position = { first: 5, next: 90, first_parent: '0x04', last_id: '0x89' };
    expect(rows).toEqual([
      expect.objectContaining({ name: 'internals:43113', first: 6, next: 80 }),
      { name: 'messages:43113', ...position, memo: null, counters: {}, refused: 0 },
      { name: 'nfts:43113', ...position, memo: { rangesCut: 3 }, counters: { nft_token: 7 }, refused: 0 },
    ]);
    const { rows: gaps } = await client.query(
      'SELECT name, height::int AS height FROM follow_gap ORDER BY name',
    );
    expect(gaps).toEqual([
      { name: 'messages:43113', height: 33 },
      { name: 'nfts:43113', height: 33 },
    ]);
  });
});

test.runIf(!hasHistory)('this copy has no history', () => {
  expect(hasHistory).toBe(false);
});
