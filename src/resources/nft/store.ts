import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Token } from '../../jobs/metadata/contract.js';
import type { TokenMetadata } from '../../jobs/metadata/read.js';
import type { MetadataJob } from '../../jobs/queue.js';
import { withTransaction } from '../../storage/transaction.js';

export const metadataStatuses = ['none', 'queued', 'running', 'done', 'failed'] as const;
/** `none`: never asked for. */
export type MetadataStatus = (typeof metadataStatuses)[number];

/** Least time between two accepted requests for one token (spec.md, "Limits"). */
export const reindexIntervalSeconds = 3600;

/**
 * When the request after an accepted one is accepted, seconds since 1970.
 *
 * @param requestedAt of the accepted one, milliseconds since 1970
 */
export function nextReindexAt(requestedAt: number): number {
  return Math.ceil(requestedAt / 1000 + reindexIntervalSeconds);
}

export type ReindexDecision = { accepted: true } | { accepted: false; retryAfterSeconds: number };

/** What a run of a job may do: `settled` jobs are done with, of `busy` ones another run is under way. */
export type Beginning = { kind: 'begun'; attempt: number } | { kind: 'settled' } | { kind: 'busy' };

/** The right to store what came of a run: a later run, or a later job for the token, takes it away. */
export interface Lease {
  jobId: string;
  attempt: number;
}

const byKey = 'evm_chain_id = $1 AND address = $2 AND token_id = $3';

function keyOf({ evmChainId, address, tokenId }: Token): [string, Buffer, string] {
  return [evmChainId.toString(), Buffer.from(address.slice(2), 'hex'), tokenId.toString()];
}

/**
 * Accepts at most one request for a token per hour and adds its job, in one transaction on the token's own row, so
 * that it holds across processes. A token that is not held is added: its job decides what it is.
 */
export function requestReindex(
  pool: pg.Pool,
  enqueue: (client: pg.ClientBase, job: MetadataJob) => Promise<void>,
  token: Token,
  now: Date,
): Promise<ReindexDecision> {
  return withTransaction(pool, async (client) => {
    const requestedAt = await lockToken(client, token);
    if (requestedAt) {
      const seconds = Math.ceil(reindexIntervalSeconds - (now.getTime() - requestedAt.getTime()) / 1000);
      if (seconds > 0) {
        return { accepted: false, retryAfterSeconds: Math.min(seconds, reindexIntervalSeconds) };
      }
    }
    const jobId = randomUUID();
    await client.query(
      `UPDATE nft_token SET metadata_status = 'queued', failure_reason = NULL, reindex_requested_at = $4, job_id = $5
       WHERE ${byKey}`,
      [...keyOf(token), now, jobId],
    );
    const { evmChainId, address, tokenId } = token;
    await enqueue(client, { jobId, evmChainId: `${evmChainId}`, address, tokenId: `${tokenId}` });
    return { accepted: true };
  });
}

/** Locks the token's row, made where it is missing, and tells when a request was last accepted. */
async function lockToken(client: pg.ClientBase, token: Token): Promise<Date | null> {
  const lock = `SELECT reindex_requested_at AS at FROM nft_token WHERE ${byKey} FOR UPDATE`;
  const held = await client.query<{ at: Date | null }>(lock, keyOf(token));
  if (held.rows[0]) return held.rows[0].at;
  // Not tried at once for every token: an insert that conflicts uses up a row id.
  await client.query(
    `INSERT INTO nft_token (evm_chain_id, address, token_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    keyOf(token),
  );
  const made = await client.query<{ at: Date | null }>(lock, keyOf(token));
  return made.rows[0]!.at;
}

/**
 * Gives a run of a job the token for itself, for `seconds`. The database's clock decides, so that the clocks of
 * workers need not agree.
 */
export async function beginJob(
  pool: pg.Pool,
  token: Token,
  jobId: string,
  seconds: number,
): Promise<Beginning> {
  const begun = await pool.query<{ attempt: number }>(
    `UPDATE nft_token SET metadata_status = 'running', job_attempt = job_attempt + 1,
       job_lease_until = clock_timestamp() + $5 * interval '1 second'
     WHERE ${byKey} AND job_id = $4 AND metadata_status IN ('queued', 'running')
       AND (job_lease_until IS NULL OR job_lease_until <= clock_timestamp())
     RETURNING job_attempt AS attempt`,
    [...keyOf(token), jobId, seconds],
  );
  if (begun.rows[0]) return { kind: 'begun', attempt: begun.rows[0].attempt };
  const { rowCount } = await pool.query(
    `SELECT 1 FROM nft_token WHERE ${byKey} AND job_id = $4 AND metadata_status IN ('queued', 'running')`,
    [...keyOf(token), jobId],
  );
  return { kind: rowCount === 1 ? 'busy' : 'settled' };
}

const byLease = `${byKey} AND job_id = $4 AND job_attempt = $5 AND metadata_status = 'running'`;

/** Stores metadata. False, and nothing stored, when the lease was lost. */
export async function storeMetadata(
  client: pg.ClientBase,
  token: Token,
  lease: Lease,
  { standard, metadataAddress, document }: TokenMetadata,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE nft_token SET metadata_status = 'done', failure_reason = NULL, fetched_at = clock_timestamp(),
       job_lease_until = NULL, standard = $6, metadata_address = $7, name = $8, description = $9, image = $10,
       attributes = $11, raw_metadata = $12
     WHERE ${byLease}`,
    [
      ...keyOf(token),
      lease.jobId,
      lease.attempt,
      standard,
      metadataAddress,
      document.name,
      document.description,
      document.image,
      JSON.stringify(document.attributes),
      document.raw,
    ],
  );
  return rowCount === 1;
}

/**
 * Stores why a run failed; metadata of an earlier success stays. False, and nothing stored, when the lease was lost.
 *
 * @param status `queued` when the job runs again
 * @param reason for people; null keeps what is there
 */
export async function storeFailure(
  client: pg.ClientBase,
  token: Token,
  lease: Lease,
  status: 'queued' | 'failed',
  reason: string | null,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE nft_token SET metadata_status = $6, failure_reason = COALESCE($7, failure_reason), job_lease_until = NULL
     WHERE ${byLease}`,
    [...keyOf(token), lease.jobId, lease.attempt, status, reason],
  );
  return rowCount === 1;
}

/** Marks the token of a job that was lost with its process every time, unless a later job took over. */
export async function storeLost(pool: pg.Pool, token: Token, jobId: string): Promise<void> {
  await pool.query(
    `UPDATE nft_token SET metadata_status = 'failed', job_lease_until = NULL,
       failure_reason = 'the worker was lost, or failed, each time it tried to read the metadata'
     WHERE ${byKey} AND job_id = $4 AND metadata_status IN ('queued', 'running')`,
    [...keyOf(token), jobId],
  );
}
