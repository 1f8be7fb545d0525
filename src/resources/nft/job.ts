import type { Logger } from 'pino';
import type { Hex } from 'viem';
import type { JobHandlers, Run } from '../../jobs/consumer.js';
import { defaultTimes, type JobTimes } from '../../jobs/queue.js';
import type { Storage } from '../../storage/open.js';
import type { JobOutcome, JobTrace, Tracing } from '../../telemetry/tracing.js';
import type { NftTokenKey } from './key.js';
import { MetadataError } from './metadata/error.js';
import type { MetadataSources, TokenMetadata } from './metadata/read.js';
import { metadataQueue, type MetadataJob } from './queue.js';
import { beginJob, type Lease, storeFailure, storeLost, storeMetadata } from './store.js';

export interface MetadataJobDeps {
  storage: Pick<Storage, 'prisma'>;
  sources: MetadataSources;
  log: Logger;
  times?: Pick<JobTimes, 'run' | 'lost'> | undefined;
  tracing?: Tracing | undefined;
}

/** What a metadata job does: read the token's metadata and store it, or the reason why there is none. */
export function metadataJobHandlers(deps: MetadataJobDeps): JobHandlers<MetadataJob> {
  return {
    run: (run, signal) => runTraced(deps, run, signal),
    lost: (job) => storeLost(deps.storage.prisma, tokenOf(job), job.jobId),
  };
}

function tokenOf(job: MetadataJob): NftTokenKey {
  return { evmChainId: BigInt(job.evmChainId), address: job.address as Hex, tokenId: BigInt(job.tokenId) };
}

async function runTraced(deps: MetadataJobDeps, run: Run<MetadataJob>, stopping: AbortSignal): Promise<void> {
  const trace = deps.tracing?.job(metadataQueue.name, run.job.jobId);
  let outcome: JobOutcome = 'broken';
  try {
    outcome = await runJob(deps, run, stopping, trace);
  } finally {
    trace?.end(outcome);
  }
}

async function runJob(
  { storage: { prisma }, sources, log, times = defaultTimes }: MetadataJobDeps,
  run: Run<MetadataJob>,
  stopping: AbortSignal,
  trace: JobTrace | undefined,
): Promise<JobOutcome> {
  const token = tokenOf(run.job);
  const beginning = await beginJob(prisma, token, run.job.jobId, times.lost);
  if (beginning.kind !== 'begun') {
    const busy = beginning.kind === 'busy';
    await prisma.$transaction(busy ? run.retry : run.complete);
    return busy ? 'again' : 'none';
  }
  const lease: Lease = { jobId: run.job.jobId, attempt: beginning.attempt };
  const end = await outcomeOf(token, tracedSources(sources, trace), times.run, stopping);
  if (end.fault !== undefined) log.error({ err: end.fault, token: run.job }, 'reading NFT metadata failed');
  const again = end.again && !run.last;
  // The result of the run and the end of the job are one transaction; without the lease this run may write
  // neither.
  const stored = await prisma.$transaction(async (transaction) => {
    const stored = end.metadata
      ? await storeMetadata(transaction, token, lease, end.metadata)
      : await storeFailure(
          transaction,
          token,
          lease,
          again ? 'queued' : 'failed',
          again ? end.reason : (end.reason ?? interrupted),
        );
    if (stored) await (again ? run.retry : run.complete)(transaction);
    return stored;
  });
  if (!stored) {
    log.warn({ token: run.job }, 'a metadata job took longer than its lease; its result is dropped');
    return 'dropped';
  }
  if (again) return 'again';
  return end.metadata ? 'done' : 'failed';
}

/** The same sources, with their fetches in the trace of this run. */
function tracedSources(sources: MetadataSources, trace: JobTrace | undefined): MetadataSources {
  return { ...sources, outbound: (request) => sources.outbound({ ...request, observer: trace }) };
}

const interrupted = 'the worker was stopped each time it tried to read the metadata';

interface Outcome {
  metadata: TokenMetadata | null;
  /** Why there is no metadata, for people; null when the run was only interrupted. */
  reason: string | null;
  /** Whether another run may succeed. */
  again: boolean;
  /** An internal error, to be logged. */
  fault?: unknown;
}

async function outcomeOf(
  token: NftTokenKey,
  sources: MetadataSources,
  seconds: number,
  stopping: AbortSignal,
): Promise<Outcome> {
  // One signal for each run, released at its end: AbortSignal.any would keep a reference on `stopping` for
  // every run.
  const ending = new AbortController();
  const stop = () => ending.abort(stopping.reason);
  stopping.addEventListener('abort', stop, { once: true });
  const tooLong = `reading took longer than ${seconds} seconds`;
  const timer = setTimeout(() => ending.abort(new MetadataError('timeout', tooLong, true)), seconds * 1000);
  try {
    if (stopping.aborted) stop();
    // Imported by the first job, with viem, because most gateways never do one.
    const { readMetadata } = await import('./metadata/read.js');
    const metadata = await readMetadata(token, sources, ending.signal);
    return { metadata, reason: null, again: false };
  } catch (error) {
    if (error instanceof MetadataError)
      return { metadata: null, reason: error.message, again: error.retryable };
    if (stopping.aborted) return { metadata: null, reason: null, again: true };
    return { metadata: null, reason: 'an internal error, which is in the log', again: true, fault: error };
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
  }
}
