import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RowError } from '../../../src/rows/errors.js';
import { nftTokenRows } from '../../../src/resources/nft/import.js';
import { requestReindex } from '../../../src/resources/nft/store.js';
import { createDatabase, type TestDatabase } from '../../harness/database.js';
import { createPool, storageOn } from '../../harness/connections.js';

const row = {
  evmChainId: '43113',
  address: `0x${'Ab'.repeat(20)}`,
  tokenId: '7',
  owner: `0x${'cd'.repeat(20)}`,
  lastTransferBlock: '18446744073709551615',
  lastTransferTimestamp: 1_790_000_000,
  lastTransferTxHash: `0x${'ef'.repeat(32)}`,
};

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = createPool(database.url, 4);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const scope = {};
const checked = (value: unknown) => {
  const read = nftTokenRows.read(value, scope);
  if (!read) throw new Error('left out');
  return read;
};
const write = (rows: ReturnType<typeof checked>[], keepsInstallation = false) =>
  storageOn(pool).session((session) => nftTokenRows.write(session, { ...scope, keepsInstallation }, rows));

describe('an imported NFT token', () => {
  test('is stored once however often it is imported, and written only when it differs', async () => {
    const rows = [checked(row), checked({ ...row, tokenId: (2n ** 256n - 1n).toString(), owner: undefined })];
    expect(await write(rows)).toEqual({ written: 2, unchanged: 0 });
    expect(await write(rows)).toEqual({ written: 0, unchanged: 2 });
    const moved = checked({ ...row, owner: `0x${'11'.repeat(20)}`, lastTransferBlock: undefined });
    expect(await write([...rows, moved])).toEqual({ written: 1, unchanged: 2 });
    const { rows: stored } = await pool.query<object>(
      `SELECT id::text, token_id, encode(owner, 'hex') AS owner, last_transfer_block AS block FROM nft_token ORDER BY 1`,
    );
    expect(stored).toEqual([
      // The block is that of the same transaction, which the row with another owner does not say.
      { id: '1', token_id: '7', owner: '11'.repeat(20), block: '18446744073709551615' },
      { id: '2', token_id: (2n ** 256n - 1n).toString(), owner: null, block: '18446744073709551615' },
    ]);
  });

  test('has its owner also when a request to reindex adds it while its batch is written', async () => {
    const [address, before] = [`0x${'c1'.repeat(20)}`, `0x${'c2'.repeat(20)}`] as const;
    const known = { ...row, address, tokenId: '1' };
    const added = { ...row, address, tokenId: '2' };
    await write([checked({ ...known, owner: before, lastTransferBlock: '1' })]);
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query(
      `SELECT 1 FROM nft_token WHERE address = decode($1, 'hex') AND token_id = 1 FOR UPDATE`,
      [address.slice(2)],
    );
    const written = write([checked(known), checked(added)]);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { timeout: 15_000 }).toBe(1);
    const token = { evmChainId: 43_113n, address, tokenId: 2n };
    await requestReindex(storageOn(pool).prisma, () => Promise.resolve(), token, new Date(1_800_000_000_000));
    await holder.query('COMMIT');
    holder.release();
    expect(await written).toEqual({ written: 2, unchanged: 0 });
    const { rows: stored } = await pool.query<object>(
      `SELECT token_id, encode(owner, 'hex') AS owner, metadata_status FROM nft_token
       WHERE address = decode($1, 'hex') ORDER BY token_id`,
      [address.slice(2)],
    );
    expect(stored).toEqual([
      { token_id: '1', owner: row.owner.slice(2), metadata_status: 'none' },
      { token_id: '2', owner: row.owner.slice(2), metadata_status: 'queued' },
    ]);
  });

  test('of several lines in one batch keeps what was read of it last, and its latest request', async () => {
    const read = (name: string, fetchedAt: number, reindexRequestedAt: number) => {
      const metadata = {
        status: 'done',
        standard: 'ERC-721',
        address: 'ipfs://a',
        attributes: [],
        name,
        fetchedAt,
      };
      return checked({ ...row, tokenId: '8', metadata, reindexRequestedAt });
    };
    const old = read('old', 1_790_000_000_000, 1_790_000_000_000);
    const young = read('young', 1_790_000_001_000, 1_790_000_001_000);
    for (const order of [
      [old, young],
      [young, old],
    ]) {
      await pool.query('DELETE FROM nft_token WHERE token_id = 8');
      await write([...order, checked({ ...row, tokenId: '8' })], true);
      const { rows: stored } = await pool.query<object>(
        `SELECT name, fetched_at AS "fetchedAt", reindex_requested_at AS asked FROM nft_token WHERE token_id = 8`,
      );
      const time = new Date(1_790_000_001_000);
      expect(stored).toEqual([{ name: 'young', fetchedAt: time, asked: time }]);
    }
  });

  test.each([
    [{ ...row, address: '0x12' }, /^address: must be 0x and 40 hex digits/],
    [{ ...row, tokenId: '-1', owner: 'me' }, /tokenId: .*owner: must be/],
    [{ ...row, tokenId: (2n ** 256n).toString() }, /tokenId: must be below 2\^256/],
    [{ ...row, tokenId: 2 ** 60 }, /tokenId/],
    [{ address: row.address, tokenId: '1' }, /evmChainId/],
    ['text', /row: /],
  ])('is rejected with a reason: %j', (value, reason) => {
    expect(() => checked(value)).toThrow(RowError);
    expect(() => checked(value)).toThrow(reason);
  });
});
