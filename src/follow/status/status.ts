import type { Network } from '../../avalanche/networks.js';
import type { FollowState } from '../../generated/prisma/client.js';
import type { Reader } from '../../storage/reader.js';
import { countGaps } from '../gaps.js';
import { readArchived, type Archived } from './archived.js';
import { readLeftOut, type LeftOut } from './left-out.js';
import { missingBefore, missingOfGenesis } from './missing.js';
import { statusInWords, troubleInWords } from './status-words.js';
import { pastOf, type PastStatus } from './past-status.js';
import type { Memo, PipelineName } from '../pipeline.js';
import { readWaiting, type Waiting } from './waiting.js';

/** How far a pipeline is, as its tables say. */
export interface PipelineStatus {
  readonly network: Network;
  readonly name: PipelineName;
  /** Every block of [first, next) is stored. */
  readonly first: bigint;
  readonly next: bigint;
  /** The newest height that a node has shown; null before the first. */
  readonly head: bigint | null;
  /** Blocks that are not stored yet; null before a head is known. */
  readonly behind: bigint | null;
  /**
   * Seconds for which something may be missing: since everything was stored last, or since the newest stored
   * block was made, whichever is later. Null before either is known.
   */
  readonly lagSeconds: number | null;
  readonly state: FollowState;
  /** For people: why it waits or has stopped. */
  readonly note: string | null;
  /** Rows written since the beginning, by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Failed creations without an address, which are left out; null for chains without frames. */
  readonly framesLeftOut: number | null;
  /** Transfers of many tokens (ERC-2309) that are stored in part; null for chains without logs. */
  readonly rangesCut: number | null;
  /**
   * What is known against the state of stakers and what follows from it, for people: that it differs from the
   * chain's, is in doubt, or did; null for nothing, and for other chains.
   */
  readonly trouble: string | null;
  /** Blocks with gaps, at most MOST_COUNTED_GAPS; null for none. */
  readonly gaps: { readonly blocks: number; readonly first: bigint } | null;
  /** Rows that were refused, and are stored in part or not at all. */
  readonly refusedRows: number;
  /** What is not stored after a start at a later block, or of the genesis, for people; null for none. */
  readonly missing: string | null;
  /** What is left of the past that the operator wants; null for nothing. */
  readonly past: PastStatus | null;
}

export interface FollowStatus {
  readonly pipelines: readonly PipelineStatus[];
  readonly endpoints: readonly { name: string; state: string; reason: string | null; since: Date }[];
  readonly requests: readonly { method: string; outcome: string; count: number }[];
  readonly waiting: readonly Waiting[];
}

type Tables = Pick<Reader, 'prisma' | 'read'>;

/**
 * How far each pipeline is.
 *
 * @param now milliseconds since 1970
 * @returns none in a database that follows nothing
 */
export async function readPipelines(reader: Tables, now: number): Promise<PipelineStatus[]> {
  const { prisma } = reader;
  const [rows, states, gaps, ranges] = await Promise.all([
    prisma.followPipeline.findMany({ orderBy: [{ network: 'asc' }, { name: 'asc' }] }),
    prisma.followStaking.findMany(),
    countGaps(reader),
    prisma.followRange.findMany(),
  ]);
  return rows.map((row) => {
    const since = Math.max(row.currentAt?.getTime() ?? -Infinity, Number(row.lastTime ?? -Infinity) * 1000);
    const state = row.name === 'p' ? states.find(({ network }) => network === row.network) : undefined;
    const isOurs = ({ network, name }: { network: string; name: string }) =>
      network === row.network && name === row.name;
    const gap = gaps.find(isOurs);
    const behind = row.head === null ? null : row.head + 1n - row.nextHeight;
    const missing = [
      missingBefore(row.name as PipelineName, row.firstHeight, state?.knowsStakers ?? false),
      missingOfGenesis(row.memo as Memo | null),
    ].filter((text) => text !== null);
    return {
      network: row.network,
      name: row.name as PipelineName,
      first: row.firstHeight,
      next: row.nextHeight,
      head: row.head,
      behind: behind !== null && behind < 0n ? 0n : behind,
      lagSeconds: since === -Infinity ? null : Math.max(0, (now - since) / 1000),
      state: row.state,
      note: row.note,
      rows: row.counters as Record<string, number>,
      framesLeftOut: framesLeftOut(row),
      rangesCut: row.name.startsWith('nfts:') ? countIn(row.memo, 'rangesCut') : null,
      trouble: state ? troubleInWords(state) : null,
      gaps: gap ? { blocks: gap.blocks, first: BigInt(gap.first) } : null,
      refusedRows: Number(row.refusedRows),
      missing: missing.length > 0 ? missing.join('; ') : null,
      past: pastOf(row, ranges.filter(isOurs)),
    };
  });
}

const countIn = (memo: unknown, name: string) => Number(((memo ?? {}) as Memo)[name] ?? 0);

function framesLeftOut({ memo }: { memo: unknown }): number | null {
  const { withoutAddress = null } = (memo ?? {}) as { withoutAddress?: number };
  return withoutAddress;
}

/** Reads what the tables say, for those who show it. */
export interface FollowReader {
  pipelines: () => Promise<PipelineStatus[]>;
  all: () => Promise<FollowStatus>;
  /** The followers that have not met their nodes. */
  waiting: () => Promise<Waiting[]>;
  /** The streams that no node offers. */
  leftOut: () => Promise<LeftOut[]>;
  /** What archives gave. */
  archived: () => Promise<Archived[]>;
  /** How far a pipeline is, in words, for whom a follower waits, or what it leaves out. */
  describe: typeof statusInWords;
}

/** @param now the present time, milliseconds since 1970 */
export function followReader(reader: Tables, now: () => number): FollowReader {
  return {
    pipelines: () => readPipelines(reader, now()),
    all: () => readFollowStatus(reader, now()),
    waiting: () => readWaiting(reader.prisma, now()),
    leftOut: () => readLeftOut(reader.prisma),
    archived: () => readArchived(reader.prisma),
    describe: statusInWords,
  };
}

/** The pipelines, the endpoints of nodes, and the requests to them. */
async function readFollowStatus(reader: Tables, now: number): Promise<FollowStatus> {
  const { prisma } = reader;
  const [pipelines, endpoints, requests, waiting] = await Promise.all([
    readPipelines(reader, now),
    prisma.followEndpoint.findMany({ orderBy: { name: 'asc' } }),
    prisma.followRequest.groupBy({ by: ['method', 'outcome'], _sum: { count: true } }),
    readWaiting(prisma, now),
  ]);
  return {
    pipelines,
    endpoints,
    waiting,
    requests: requests.map(({ method, outcome, _sum }) => ({
      method,
      outcome,
      count: Number(_sum.count ?? 0n),
    })),
  };
}
