import type pg from 'pg';
import { z } from 'zod';

const decimal = (digits: number) =>
  z
    .union([z.string().regex(/^\d+$/), z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)])
    .transform((value) => BigInt(value))
    .refine((value) => value < 2n ** BigInt(digits), `must be below 2^${digits}`);
const hex = (bytes: number) =>
  z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`), `must be 0x and ${2 * bytes} hex digits`);

const row = z.object({
  evmChainId: decimal(63),
  address: hex(20),
  tokenId: decimal(256),
  owner: hex(20).optional(),
  lastTransferBlock: decimal(64).optional(),
  lastTransferTimestamp: decimal(63).optional(),
  lastTransferTxHash: hex(32).optional(),
});

/** A line of an `evm.nft-tokens` file, checked. */
export type NftTokenRow = z.infer<typeof row>;

/**
 * Checks a line of an `evm.nft-tokens` file: {evmChainId, address, tokenId, owner?, lastTransferBlock?,
 * lastTransferTimestamp? (seconds), lastTransferTxHash?}; integers as decimal text or JSON numbers.
 *
 * @returns the row, or why it is rejected, naming each wrong field
 */
export function parseNftTokenRow(value: unknown): { row: NftTokenRow } | { reason: string } {
  const parsed = row.safeParse(value);
  if (parsed.success) return { row: parsed.data };
  const reason = parsed.error.issues
    .map(({ path, message }) => `${path.join('.') || 'row'}: ${message}`)
    .join('; ');
  return { reason };
}

const columns = `evm_chain_id, address, token_id, owner, last_transfer_block, last_transfer_timestamp,
  last_transfer_tx_hash`;

// New tokens are found by an anti-join: an insert that conflicts uses up a row id. Two imports at once may still
// meet, which ON CONFLICT settles. Only rows that differ are written.
const upsert = `
  WITH given AS (
    SELECT DISTINCT ON (evm_chain_id, address, token_id) ${columns}
    FROM unnest($1::bigint[], $2::bytea[], $3::numeric[], $4::bytea[], $5::numeric[], $6::bigint[], $7::bytea[])
      WITH ORDINALITY AS g (${columns}, line)
    ORDER BY evm_chain_id, address, token_id, line DESC
  ), changed AS (
    UPDATE nft_token t SET owner = g.owner, last_transfer_block = g.last_transfer_block,
      last_transfer_timestamp = g.last_transfer_timestamp, last_transfer_tx_hash = g.last_transfer_tx_hash
    FROM given g
    WHERE (t.evm_chain_id, t.address, t.token_id) = (g.evm_chain_id, g.address, g.token_id)
      AND (t.owner, t.last_transfer_block, t.last_transfer_timestamp, t.last_transfer_tx_hash) IS DISTINCT FROM
        (g.owner, g.last_transfer_block, g.last_transfer_timestamp, g.last_transfer_tx_hash)
    RETURNING 1
  ), added AS (
    INSERT INTO nft_token (${columns})
    SELECT ${columns} FROM given g
    WHERE NOT EXISTS (
      SELECT 1 FROM nft_token t
      WHERE (t.evm_chain_id, t.address, t.token_id) = (g.evm_chain_id, g.address, g.token_id)
    )
    ON CONFLICT (evm_chain_id, address, token_id) DO UPDATE SET owner = excluded.owner,
      last_transfer_block = excluded.last_transfer_block,
      last_transfer_timestamp = excluded.last_transfer_timestamp,
      last_transfer_tx_hash = excluded.last_transfer_tx_hash
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM changed)::int AS changed, (SELECT count(*) FROM added)::int AS added`;

/** Writes tokens by their natural key; of several rows for one token the last counts. Metadata is left alone. */
export async function upsertNftTokens(
  client: pg.Pool | pg.ClientBase,
  rows: readonly NftTokenRow[],
): Promise<{ added: number; changed: number }> {
  const bytes = (text: string | undefined) => (text === undefined ? null : Buffer.from(text.slice(2), 'hex'));
  const result = await client.query<{ added: number; changed: number }>(upsert, [
    rows.map((each) => each.evmChainId),
    rows.map((each) => bytes(each.address)),
    rows.map((each) => each.tokenId),
    rows.map((each) => bytes(each.owner)),
    rows.map((each) => each.lastTransferBlock),
    rows.map((each) => each.lastTransferTimestamp),
    rows.map((each) => bytes(each.lastTransferTxHash)),
  ]);
  return result.rows[0]!;
}
