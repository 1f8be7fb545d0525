import type { Batch } from '../../storage/session.js';
import { z } from 'zod';
import { LATEST_SECOND } from '../../rows/check.js';
import { RowError } from '../../rows/errors.js';
import { takeIds } from '../../write/ids.js';
import type { RowKind } from '../../write/kind.js';
import type { FileKind } from '../../ingest/kind.js';
import { newestTransfers, tokenKey } from './import-transfer.js';
import { metadataRow, reindexRequestedAt, writeTokenStates, type TokenState } from './import-metadata.js';

const decimal = (digits: number) =>
  z
    .union([
      z.string().regex(/^\d{1,78}$/),
      z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
      z.bigint().min(0n),
    ])
    .transform((value) => BigInt(value))
    .refine((value) => value < 2n ** BigInt(digits), `must be below 2^${digits}`);
const hex = (bytes: number) =>
  z.string().regex(new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`, 'i'), `must be 0x and ${2 * bytes} hex digits`);

const row = z.object({
  evmChainId: decimal(63),
  address: hex(20),
  tokenId: decimal(256),
  owner: hex(20).optional(),
  lastTransferBlock: decimal(64).optional(),
  lastTransferTimestamp: decimal(63)
    .refine(
      (value) => value <= LATEST_SECOND,
      `must be Unix seconds, 0 to ${LATEST_SECOND}; milliseconds are not accepted`,
    )
    .optional(),
  lastTransferTxHash: hex(32).optional(),
  metadata: metadataRow.optional(),
  reindexRequestedAt: reindexRequestedAt.optional(),
  rowId: z
    .string()
    .regex(/^\d{1,11}$/)
    .optional(),
});

export type NftTokenLine = z.input<typeof row>;

/** A row of a file, checked. */
type NftTokenRow = z.infer<typeof row>;

const columns = `evm_chain_id, address, token_id, owner, last_transfer_block, last_transfer_timestamp,
  last_transfer_tx_hash`;

const given = `unnest($1::bigint[], $2::bytea[], $3::numeric[], $4::bytea[], $5::numeric[], $6::bigint[], $7::bytea[])
  WITH ORDINALITY AS g (${columns}, nth)`;
const sameToken = '(t.evm_chain_id, t.address, t.token_id) = (g.evm_chain_id, g.address, g.token_id)';

// Only rows that differ are written.
const update = `
  UPDATE nft_token t SET owner = g.owner, last_transfer_block = g.last_transfer_block,
    last_transfer_timestamp = g.last_transfer_timestamp, last_transfer_tx_hash = g.last_transfer_tx_hash
  FROM ${given}
  WHERE ${sameToken}
    AND (t.owner, t.last_transfer_block, t.last_transfer_timestamp, t.last_transfer_tx_hash) IS DISTINCT FROM
      (g.owner, g.last_transfer_block, g.last_transfer_timestamp, g.last_transfer_tx_hash)
  RETURNING t.id::text`;

// The stored tokens are looked up first, because an insert that conflicts uses up a row id; and by a
// statement of its own, because one that fills a table that was empty when it was planned reads all of it for
// each row. It comes before the update too: a token that a request to reindex adds in between is found by
// neither, and conflicts with the insert.
const find = `SELECT g.nth::int FROM ${given} JOIN nft_token t ON ${sameToken}`;
const insert = `
  INSERT INTO nft_token (id, ${columns})
  SELECT id.id, ${columns} FROM unnest($8::bigint[]) WITH ORDINALITY AS id (id, nth) JOIN ${given} USING (nth)
  ON CONFLICT (evm_chain_id, address, token_id) DO UPDATE SET owner = excluded.owner,
    last_transfer_block = excluded.last_transfer_block,
    last_transfer_timestamp = excluded.last_transfer_timestamp,
    last_transfer_tx_hash = excluded.last_transfer_tx_hash
  RETURNING id::text`;

const bytes = (text: string | undefined) => (text === undefined ? null : Buffer.from(text.slice(2), 'hex'));

/** NFTs of EVM chains. */
export const nftTokenRows: RowKind<NftTokenRow> = {
  tables: ['nft_token'],
  lock: () => null,
  read(value) {
    const parsed = row.safeParse(value);
    if (parsed.success) return parsed.data;
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'row'}: ${message}`);
    // Each item of a list may have its own error.
    throw new RowError(problems.slice(0, 5).join('; '));
  },
  async write(client: Batch, { keepsInstallation }, rows) {
    const newest = await newestTransfers(client, rows);
    const touched = await upsert(client, newest, keepsInstallation ?? false);
    const states = rows.map((each) => stateOf(each, keepsInstallation ?? false));
    const changed = [...touched, ...(await writeTokenStates(client, states))];
    const written = new Set(changed).size;
    return { written, unchanged: rows.length - written };
  },
};

/**
 * Files of NFTs: {evmChainId, address, tokenId, owner?, lastTransferBlock?, lastTransferTimestamp? (seconds),
 * lastTransferTxHash?}; integers as decimal text or JSON numbers. The owner of a token is the one of its
 * newest transfer, whichever row comes last. Metadata is not changed, unless a row has it: those of an export
 * do.
 *
 * Not through upsertRows, because requests to reindex add tokens too, which the import lock does not exclude.
 */
export const nftTokenImport: FileKind<NftTokenRow> = {
  name: 'nft-tokens',
  file: /^evm\.nft-tokens(?:\.|$)/,
  example: 'evm.nft-tokens.ndjson',
  scope: () => ({}),
  rows: nftTokenRows,
};

function stateOf(row: NftTokenRow, keepsInstallation: boolean): TokenState {
  return {
    key: tokenKey(row),
    metadata: row.metadata,
    reindexRequestedAt: keepsInstallation ? row.reindexRequestedAt : undefined,
  };
}

/** @returns the row ids of the tokens that are new or differed */
async function upsert(client: Batch, rows: readonly NftTokenRow[], keepsIds: boolean): Promise<string[]> {
  const { rows: stored } = await client.query<{ nth: number }>(find, valuesOf(rows));
  const indexes = new Set(stored.map(({ nth }) => nth - 1));
  const { rows: updated } = await client.query<{ id: string }>(
    update,
    valuesOf(rows.filter((_row, index) => indexes.has(index))),
  );
  const fresh = rows.filter((_row, index) => !indexes.has(index));
  const kept = fresh.map(({ rowId }) => (keepsIds ? (rowId ?? null) : null));
  const ids = await takeIds(client, 'nft_token', fresh.length, kept);
  const { rows: inserted } =
    fresh.length === 0 ? { rows: [] } : await client.query<{ id: string }>(insert, [...valuesOf(fresh), ids]);
  return [...updated, ...inserted].map(({ id }) => id);
}

/** Values of columns, in their order. */
const valuesOf = (rows: readonly NftTokenRow[]) => [
  rows.map((each) => each.evmChainId),
  rows.map((each) => bytes(each.address)),
  rows.map((each) => each.tokenId),
  rows.map((each) => bytes(each.owner)),
  rows.map((each) => each.lastTransferBlock),
  rows.map((each) => each.lastTransferTimestamp),
  rows.map((each) => bytes(each.lastTransferTxHash)),
];
