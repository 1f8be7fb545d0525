import { randomUUID } from 'node:crypto';
import { Prisma } from '../../generated/prisma/client.js';
import type { Database, Transaction } from '../../storage/prisma.js';
import type { NftTokenKey } from './key.js';
import type { TokenMetadata } from './metadata/read.js';
import type { MetadataJob } from './queue.js';
import { toBytes } from './row.js';

/** Least time between two accepted requests for one token (docs/contract.md, "Reindexing"). */
export const reindexIntervalSeconds = 3600;

/**
 * When the next request is accepted, seconds since 1970.
 *
 * @param requestedAt of the accepted one, milliseconds since 1970
 */
export function nextReindexAt(requestedAt: number): number {
  return Math.ceil(requestedAt / 1000 + reindexIntervalSeconds);
}

export type ReindexDecision = { accepted: true } | { accepted: false; retryAfterSeconds: number };

/** What a run of a job may do: `settled` jobs are finished; for `busy` ones another run is in progress. */
export type Beginning = { kind: 'begun'; attempt: number } | { kind: 'settled' } | { kind: 'busy' };

/** The right to store the result of a run; a later run, or a later job for the token, takes it away. */
export interface Lease {
  jobId: string;
  attempt: number;
}

function keyOf({ evmChainId, address, tokenId }: NftTokenKey) {
  return {
    evmChainId,
    address: toBytes(address),
    tokenId: tokenId.toString(),
  };
}

function byKey(token: NftTokenKey): Prisma.Sql {
  const { evmChainId, address, tokenId } = keyOf(token);
  return Prisma.sql`evm_chain_id = ${evmChainId} AND address = ${address} AND token_id = ${tokenId}::numeric`;
}

/**
 * Accepts at most one request for a token per hour and adds its job, in one transaction on the token's own
 * row, so that this is true across processes. A token that is not stored is added: its job finds out what it
 * is. An hour that began in the future, by a clock that was set back since, begins now.
 */
export function requestReindex(
  prisma: Pick<Database, '$transaction'>,
  enqueue: (transaction: Transaction, job: MetadataJob) => Promise<void>,
  token: NftTokenKey,
  now: Date,
): Promise<ReindexDecision> {
  return prisma.$transaction(async (transaction) => {
    const requestedAt = await lockToken(transaction, token);
    if (requestedAt && requestedAt > now) {
      await transaction.nftToken.update({
        where: { evmChainId_address_tokenId: keyOf(token) },
        data: { reindexRequestedAt: now },
        select: { id: true },
      });
      return { accepted: false, retryAfterSeconds: reindexIntervalSeconds };
    }
    if (requestedAt) {
      const seconds = Math.ceil(reindexIntervalSeconds - (now.getTime() - requestedAt.getTime()) / 1000);
      if (seconds > 0) return { accepted: false, retryAfterSeconds: seconds };
    }
    const jobId = randomUUID();
    await transaction.nftToken.update({
      where: { evmChainId_address_tokenId: keyOf(token) },
      data: { metadataStatus: 'queued', failureReason: null, reindexRequestedAt: now, jobId },
      select: { id: true },
    });
    const { evmChainId, address, tokenId } = token;
    await enqueue(transaction, { jobId, evmChainId: `${evmChainId}`, address, tokenId: `${tokenId}` });
    return { accepted: true };
  });
}

/** Locks the token's row, which is made if it is missing, and returns when a request was last accepted. */
async function lockToken(transaction: Transaction, token: NftTokenKey): Promise<Date | null> {
  const lock = () =>
    transaction.$queryRaw<
      { at: Date | null }[]
    >`SELECT reindex_requested_at AS at FROM nft_token WHERE ${byKey(token)} FOR UPDATE`;
  const [stored] = await lock();
  if (stored) return stored.at;
  // Not tried at first for every token: an insert that conflicts uses up a row id.
  await transaction.nftToken.createMany({ data: keyOf(token), skipDuplicates: true });
  const [made] = await lock();
  return made!.at;
}

/**
 * Gives a run of a job the exclusive right to the token, for `seconds`. The database's clock decides, so that
 * the clocks of workers need not agree; a lease that lasts longer was given before that clock was set back,
 * and is over.
 */
export async function beginJob(
  prisma: Pick<Database, '$queryRaw' | 'nftToken'>,
  token: NftTokenKey,
  jobId: string,
  seconds: number,
): Promise<Beginning> {
  const [begun] = await prisma.$queryRaw<{ attempt: number }[]>`
    UPDATE nft_token SET metadata_status = 'running', job_attempt = job_attempt + 1,
      job_lease_until = clock_timestamp() + ${seconds}::float8 * interval '1 second'
    WHERE ${byKey(token)} AND job_id = ${jobId}::uuid AND metadata_status IN ('queued', 'running')
      AND (job_lease_until IS NULL OR job_lease_until <= clock_timestamp()
        OR job_lease_until > clock_timestamp() + ${seconds}::float8 * interval '1 second')
    RETURNING job_attempt AS attempt`;
  if (begun) return { kind: 'begun', attempt: begun.attempt };
  const waiting = await prisma.nftToken.count({ where: { ...keyOf(token), jobId, ...underWay } });
  return { kind: waiting === 1 ? 'busy' : 'settled' };
}

const underWay = { metadataStatus: { in: ['queued', 'running'] } };

/** The time by the database's clock; it locks the row; null when the lease was lost. */
async function lockLease(
  transaction: Transaction,
  token: NftTokenKey,
  { jobId, attempt }: Lease,
): Promise<Date | null> {
  const [stored] = await transaction.$queryRaw<{ now: Date }[]>`
    SELECT clock_timestamp() AS now FROM nft_token
    WHERE ${byKey(token)} AND job_id = ${jobId}::uuid AND job_attempt = ${attempt} AND metadata_status = 'running'
    FOR UPDATE`;
  return stored?.now ?? null;
}

/** Stores metadata. False, and nothing stored, when the lease was lost. */
export async function storeMetadata(
  transaction: Transaction,
  token: NftTokenKey,
  lease: Lease,
  { standard, metadataAddress, document }: TokenMetadata,
): Promise<boolean> {
  const fetchedAt = await lockLease(transaction, token, lease);
  if (!fetchedAt) return false;
  const { name, description, image, attributes, raw: rawMetadata } = document;
  await transaction.nftToken.update({
    where: { evmChainId_address_tokenId: keyOf(token) },
    data: {
      metadataStatus: 'done',
      failureReason: null,
      fetchedAt,
      jobLeaseUntil: null,
      standard,
      metadataAddress,
      name,
      description,
      image,
      rawMetadata,
      attributes: attributes.map((attribute) => ({ ...attribute })),
    },
    select: { id: true },
  });
  return true;
}

/**
 * Stores why a run failed; metadata of an earlier success stays. False, and nothing stored, when the lease
 * was lost.
 *
 * @param status `queued` when the job runs again
 * @param reason for people; null keeps the current one
 */
export async function storeFailure(
  transaction: Transaction,
  token: NftTokenKey,
  { jobId, attempt }: Lease,
  status: 'queued' | 'failed',
  reason: string | null,
): Promise<boolean> {
  const { count } = await transaction.nftToken.updateMany({
    where: { ...keyOf(token), jobId, jobAttempt: attempt, metadataStatus: 'running' },
    data: { metadataStatus: status, failureReason: reason ?? undefined, jobLeaseUntil: null },
  });
  return count === 1;
}

/** Marks the token of a job that was lost with its process every time, unless a later job took over. */
export async function storeLost(
  { nftToken }: Pick<Database, 'nftToken'>,
  token: NftTokenKey,
  jobId: string,
): Promise<void> {
  await nftToken.updateMany({
    where: { ...keyOf(token), jobId, ...underWay },
    data: {
      metadataStatus: 'failed',
      jobLeaseUntil: null,
      failureReason: 'the worker was lost, or failed, each time it tried to read the metadata',
    },
  });
}
