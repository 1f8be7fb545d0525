import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { BoundedMap } from './bounded-map.js';
import { type CallLog, MemoryCallLog } from './call-log.js';
import type { FieldLimit } from './field-limits.js';
import type { LimitStore } from './limit-store.js';
import { MemoryStore } from './memory-store.js';
import type { Plan } from './plans.js';
import type { SharedDocuments } from './shared-documents.js';
import type { BlockRules, Outcome } from './windows.js';

/** What a client sees: of the two windows, the one closer to its limit. */
export interface Decision {
  admitted: boolean;
  /** Refused because the caller kept sending after 429: for longer than the limit itself requires. */
  blocked: boolean;
  limit: number;
  windowSeconds: number;
  /** Requests left in the window; 0 while blocked. */
  remaining: number;
  /** Whole seconds, at least 1: until the window is over or, when refused, until a request succeeds. */
  resetSeconds: number;
  /** When refused the same as resetSeconds; otherwise absent. */
  retryAfterSeconds: number | undefined;
  /** As the ratelimit-policy header: `8000;w=60;name="free"`. */
  policy: string;
}

/** Admits or refuses requests; exact under concurrency. */
export interface Limiter {
  /** False when no caller is limited. */
  readonly limits: boolean;
  /**
   * Charges a client, or nothing when that is over a limit.
   *
   * @param cost requests; more than the plan ever admits is never admitted
   */
  consume(identity: string, plan: Plan, cost: number): Promise<Decision>;
  /** Gives back what a request was charged that we then refused. */
  giveBack(identity: string, plan: Plan, cost: number): Promise<void>;
  /** What a request of this cost, 1 if absent, would be answered now. Nothing is charged. */
  peek(identity: string, plan: Plan, cost?: number): Promise<Decision>;
  /**
   * Whether this process found that a client is blocked and the block has not ended; another process may have
   * lifted it.
   */
  isBlocked(identity: string): boolean;
  /** Where the calls of a field with its own limit are counted: one counter for each name. */
  callLog(name: string, limit: FieldLimit): CallLog;
  /** What gateways share of clients' documents in the Redis of REDIS_URL; undefined without. */
  readonly documents: SharedDocuments | undefined;
  readonly figures: LimiterFigures;
  close(): void;
}

/** Counts of what a limiter did, for metrics. */
export interface LimiterFigures {
  /** Decisions on charges by name of the plan. */
  readonly decisions: ReadonlyMap<string, { admitted: number; refused: number; blocked: number }>;
  /** Clients remembered in this process. */
  readonly clients: number;
  /** Whether Redis counts now; undefined without REDIS_URL. */
  readonly redisUsed: boolean | undefined;
}

export type LimiterConfig = Pick<
  Config,
  | 'RATE_LIMITS'
  | 'REDIS_URL'
  | 'RATE_LIMIT_TOLERANCE'
  | 'RATE_LIMIT_BLOCK_SECONDS'
  | 'RATE_LIMIT_BLOCK_MAX_SECONDS'
>;

/** Where limits are counted, and with which clock. */
export interface LimiterOptions {
  log: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Counts while Redis does not; absent: the memory of this process. */
  counts?: LimitStore | undefined;
}

/** The limiter that the settings ask for: none, in memory, or on the Redis of REDIS_URL. */
export async function createLimiter(
  config: LimiterConfig,
  { log, now, counts }: LimiterOptions,
): Promise<Limiter> {
  if (!config.RATE_LIMITS) return unlimited;
  const rules = blockRules(config);
  const memory = counts ?? new MemoryStore(rules, now);
  if (!config.REDIS_URL) return limiterOn(memory);
  // Imported only here: Redis's client is a tenth of what a gateway loads at start.
  const { RedisStore } = await import('./redis-store.js');
  return limiterOn(new RedisStore({ url: config.REDIS_URL, rules, fallback: memory, log }));
}

/** How the settings treat clients that keep sending after 429. */
export function blockRules(config: LimiterConfig): BlockRules {
  return {
    tolerance: config.RATE_LIMIT_TOLERANCE,
    first: config.RATE_LIMIT_BLOCK_SECONDS * 1000,
    longest: Math.max(config.RATE_LIMIT_BLOCK_SECONDS, config.RATE_LIMIT_BLOCK_MAX_SECONDS) * 1000,
  };
}

/** Blocked clients that a process knows without asking the store, which may be another process or Redis. */
const KNOWN_BLOCKED = 10_000;

/** A limiter that keeps its counts in `store`. */
export function limiterOn(store: LimitStore): Limiter {
  const decisions: Counts = new Map();
  const blocked = new BoundedMap<number>(KNOWN_BLOCKED);
  return {
    limits: true,
    async consume(identity, plan, cost) {
      const outcome = await store.step(identity, plan, cost, true);
      countOutcome(decisions, plan, outcome);
      if (outcome.blocked) blocked.set(identity, performance.now() + outcome.wait);
      return decisionOf(outcome, plan);
    },
    async giveBack(identity, plan, cost) {
      await store.step(identity, plan, -cost, true);
    },
    peek: async (identity, plan, cost = 1) => decisionOf(await store.step(identity, plan, cost, false), plan),
    isBlocked: (identity) => (blocked.get(identity) ?? 0) > performance.now(),
    callLog: (name, limit) => store.callLog(name, limit),
    documents: store.documents,
    figures: {
      decisions,
      get clients() {
        return store.size;
      },
      get redisUsed() {
        return store.redisUsed;
      },
    },
    close: () => store.close(),
  };
}

type Counts = Map<string, { admitted: number; refused: number; blocked: number }>;

// Plans come from the settings, so that there are few.
function countOutcome(counts: Counts, { name }: Plan, { admitted, blocked }: Outcome): void {
  let count = counts.get(name);
  if (!count) counts.set(name, (count = { admitted: 0, refused: 0, blocked: 0 }));
  count[admitted ? 'admitted' : blocked ? 'blocked' : 'refused'] += 1;
}

const unlimited: Limiter = {
  figures: { decisions: new Map(), clients: 0, redisUsed: undefined },
  limits: false,
  documents: undefined,
  consume: (_identity, plan) => Promise.resolve(decisionOf(untouched(plan), plan)),
  giveBack: () => Promise.resolve(),
  isBlocked: () => false,
  peek: (_identity, plan) => Promise.resolve(decisionOf(untouched(plan), plan)),
  callLog: (_name, limit) => new MemoryCallLog(limit),
  close: () => undefined,
};

function untouched(plan: Plan): Outcome {
  const shortEndsIn = plan.seconds * 1000;
  return { admitted: true, blocked: false, shortUsed: 0, shortEndsIn, dayUsed: 0, dayEndsIn: 0, wait: 0 };
}

function decisionOf(outcome: Outcome, plan: Plan): Decision {
  const { admitted, blocked } = outcome;
  const short = {
    limit: plan.requests,
    windowSeconds: plan.seconds,
    remaining: Math.max(0, plan.requests - outcome.shortUsed),
    endsIn: outcome.shortEndsIn,
  };
  const perDay = plan.perDay ?? Infinity;
  const day = {
    limit: perDay,
    windowSeconds: 86_400,
    remaining: Math.max(0, perDay - outcome.dayUsed),
    endsIn: outcome.dayEndsIn,
  };
  const dayIsNearer =
    day.remaining < short.remaining || (day.remaining === short.remaining && day.endsIn > short.endsIn);
  const { limit, windowSeconds, remaining, endsIn } = dayIsNearer ? day : short;
  const resetSeconds = Math.max(1, Math.ceil((admitted ? endsIn : outcome.wait) / 1000));
  return {
    admitted,
    blocked,
    limit,
    windowSeconds,
    remaining: blocked ? 0 : remaining,
    resetSeconds,
    retryAfterSeconds: admitted ? undefined : resetSeconds,
    policy: `${limit};w=${windowSeconds};name="${plan.name}"`,
  };
}
