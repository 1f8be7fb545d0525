import type { PlanWindows } from './plans.js';

/** How to treat clients that keep sending after 429; times in milliseconds. */
export interface BlockRules {
  /** Refusals in a row before a client is blocked. */
  tolerance: number;
  /** The first block; each further one is twice as long. */
  first: number;
  /** The longest block; also the time without one after which the next is as short as the first. */
  longest: number;
}

/** What is remembered of one client. Times are milliseconds since 1970. */
export interface Usage {
  shortStart: number;
  shortUsed: number;
  dayStart: number;
  dayUsed: number;
  /** Refusals since the last admitted request or the last block. */
  refused: number;
  /** Blocks since the last time that `longest` passed without one. */
  blocks: number;
  blockedUntil: number;
}

/** The outcome of one step. Times are milliseconds from now. */
export interface Outcome {
  admitted: boolean;
  blocked: boolean;
  shortUsed: number;
  shortEndsIn: number;
  dayUsed: number;
  dayEndsIn: number;
  /** Until the same request is admitted if nothing else is sent; 0 when admitted. */
  wait: number;
}

export const dayMs = 86_400_000;

export function newUsage(): Usage {
  return { shortStart: 0, shortUsed: 0, dayStart: 0, dayUsed: 0, refused: 0, blocks: 0, blockedUntil: 0 };
}

/**
 * Decides on one request and, with `charge`, records it in `usage`. Each window begins with the first request
 * admitted in it and ends as a whole. A refused request is not charged. `redis-script.ts` does the same in
 * Lua; a test compares the two.
 *
 * @param cost at most the plan's requests; negative: so many are given back, which is never refused
 */
export function step(
  usage: Usage,
  plan: PlanWindows,
  rules: BlockRules,
  { cost, now, charge }: { cost: number; now: number; charge: boolean },
): Outcome {
  if (charge) followClock(usage, rules, now);
  const short = open(usage.shortStart, usage.shortUsed, plan.seconds * 1000, now);
  const day = open(usage.dayStart, usage.dayUsed, dayMs, now);
  const shortFull = short.used + cost > plan.requests;
  const dayFull = plan.perDay !== null && day.used + cost > plan.perDay;
  const admitted = cost < 0 || (!shortFull && !dayFull && usage.blockedUntil <= now);
  if (charge && admitted) {
    usage.shortStart = short.start;
    usage.shortUsed = short.used = Math.max(0, short.used + cost);
    usage.dayStart = day.start;
    usage.dayUsed = day.used = Math.max(0, day.used + cost);
    usage.refused = 0;
  } else if (charge) {
    refuse(usage, rules, now);
  }
  const blockedFor = Math.max(0, usage.blockedUntil - now);
  return {
    admitted,
    blocked: blockedFor > 0,
    shortUsed: short.used,
    shortEndsIn: short.endsIn,
    dayUsed: day.used,
    dayEndsIn: day.endsIn,
    wait: admitted ? 0 : Math.max(blockedFor, shortFull ? short.endsIn : 0, dayFull ? day.endsIn : 0),
  };
}

// A clock that was set back must not lengthen a window or a block. It is stored, because otherwise each
// refused request would take the window's start as its own time, and the window would not end before the
// clock is back where it was.
function followClock(usage: Usage, rules: BlockRules, now: number): void {
  usage.shortStart = Math.min(usage.shortStart, now);
  usage.dayStart = Math.min(usage.dayStart, now);
  usage.blockedUntil = Math.min(usage.blockedUntil, now + blockLength(rules, usage.blocks - 1));
}

function blockLength({ first, longest }: BlockRules, blocksBefore: number): number {
  return Math.min(first * 2 ** Math.min(blocksBefore, 30), longest);
}

function refuse(usage: Usage, rules: BlockRules, now: number): void {
  usage.refused += 1;
  if (usage.refused <= rules.tolerance) return;
  if (now >= usage.blockedUntil + rules.longest) usage.blocks = 0;
  usage.blockedUntil = Math.max(usage.blockedUntil, now + blockLength(rules, usage.blocks));
  usage.blocks += 1;
  usage.refused = 0;
}

// A check is not recorded, and the clock may have been set back since.
function open(start: number, used: number, length: number, now: number) {
  const from = Math.min(start, now);
  return now < from + length
    ? { start: from, used, endsIn: from + length - now }
    : { start: now, used: 0, endsIn: length };
}
