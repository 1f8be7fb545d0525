import type { Batch } from '../../storage/session.js';
import { z } from 'zod';
import { LATEST_SECOND } from '../../rows/check.js';
import { RowError } from '../../rows/errors.js';
import { keptOrNextId } from '../../write/ids.js';
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

/** A token as a line of a file has it. */
export type NftTokenLine = z.input<typeof row>;

/** A row of a file, checked. */
type NftTokenRow = z.infer<typeof row>;

const columns = `evm_chain_id, address, token_id, owner, last_transfer_block, last_transfer_timestamp,
  last_transfer_tx_hash`;

// New tokens are found by an anti-join, because an insert that conflicts uses up a row id. Two imports at once may
// still conflict, which ON CONFLICT handles. Only rows that differ are written.
const upsert = `
  WITH given AS (
    SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::numeric[], $4::bytea[], $5::numeric[], $6::bigint[],
      $7::bytea[], $8::bigint[]) AS g (${columns}, row_id)
  ), changed AS (
    UPDATE nft_token t SET owner = g.owner, last_transfer_block = g.last_transfer_block,
      last_transfer_timestamp = g.last_transfer_timestamp, last_transfer_tx_hash = g.last_transfer_tx_hash
    FROM given g
    WHERE (t.evm_chain_id, t.address, t.token_id) = (g.evm_chain_id, g.address, g.token_id)
      AND (t.owner, t.last_transfer_block, t.last_transfer_timestamp, t.last_transfer_tx_hash) IS DISTINCT FROM
        (g.owner, g.last_transfer_block, g.last_transfer_timestamp, g.last_transfer_tx_hash)
    RETURNING t.id
  ), added AS (
    INSERT INTO nft_token (id, ${columns})
    SELECT ${keptOrNextId('nft_token', 'g.row_id')}, ${columns} FROM given g
    WHERE NOT EXISTS (
      SELECT 1 FROM nft_token t
      WHERE (t.evm_chain_id, t.address, t.token_id) = (g.evm_chain_id, g.address, g.token_id)
    )
    ON CONFLICT (evm_chain_id, address, token_id) DO UPDATE SET owner = excluded.owner,
      last_transfer_block = excluded.last_transfer_block,
      last_transfer_timestamp = excluded.last_transfer_timestamp,
      last_transfer_tx_hash = excluded.last_transfer_tx_hash
    RETURNING id
  )
  SELECT id::text FROM changed UNION ALL SELECT id::text FROM added`;

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
    const { rows: touched } = await client.query<{ id: string }>(upsert, [
      newest.map((each) => each.evmChainId),
      newest.map((each) => bytes(each.address)),
      newest.map((each) => each.tokenId),
      newest.map((each) => bytes(each.owner)),
      newest.map((each) => each.lastTransferBlock),
      newest.map((each) => each.lastTransferTimestamp),
      newest.map((each) => bytes(each.lastTransferTxHash)),
      newest.map((each) => (keepsInstallation ? each.rowId : null)),
    ]);
    const states = rows.map((each) => stateOf(each, keepsInstallation ?? false));
    const changed = [...touched.map(({ id }) => id), ...(await writeTokenStates(client, states))];
    const written = new Set(changed).size;
    return { written, unchanged: rows.length - written };
  },
};

/**
 * Files of NFTs: {evmChainId, address, tokenId, owner?, lastTransferBlock?, lastTransferTimestamp? (seconds),
 * lastTransferTxHash?}; integers as decimal text or JSON numbers. The owner of a token is the one of its newest
 * transfer, whichever row comes last. Metadata is not changed, unless a row has it: those of an export do.
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
