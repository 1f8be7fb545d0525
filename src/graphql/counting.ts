import { createContextCache } from '@pothos/core';
import { AppError, badInput } from '../errors.js';
import { ConcurrencyLimit, shareOf } from '../concurrency-limit.js';
import type { Counted } from '../lists/read.js';
import type { Context } from './context.js';

/** Most rows that a list is counted to: counting reads each of them. */
export const COUNT_LIMIT = 10_000;
/** Most rows that the counts of one operation read in all: forty long lists, or thousands of short ones. */
export const OPERATION_ROWS = 400_000;
/** Most operations that wait for a count, in all and of one caller. */
const QUEUE = { waiting: 64, waitingPerCaller: 16 };
/** Seconds after which a client may try again when there was no room for its counts. */
const RETRY_SECONDS = 2;

export interface TotalCount {
  /** At most COUNT_LIMIT. */
  count: number;
  /** Whether the list has exactly so many rows; otherwise it has at least so many. */
  isExact: boolean;
}

/** The counts of one operation: one statement at a time, within the rows that they may read. */
class Counting {
  private rowsLeft = OPERATION_ROWS;
  private last: Promise<unknown> = Promise.resolve();
  private readonly deadline: number;

  constructor(private readonly context: Context) {
    this.deadline = Date.now() + context.config.REQUEST_TIMEOUT_MS;
  }

  /** @param count counts so many lists in one statement, each up to `most` rows read, in their order */
  lists(lists: number, count: (most: number) => Promise<readonly Counted[]>): Promise<TotalCount[]> {
    // After one failure the operation's other counts fail too, without another try.
    const counted = this.last.then(() => this.read(lists, count));
    this.last = counted;
    return counted;
  }

  private async read(lists: number, count: (most: number) => Promise<readonly Counted[]>) {
    const most = Math.min(COUNT_LIMIT + 1, Math.floor(this.rowsLeft / lists));
    if (most < 1) return Array.from({ length: lists }, () => ({ count: 0, isExact: false }));
    const { deadline, context } = this;
    const options = { caller: context.charge.identity, deadline, refusal: busy };
    const found = await limitOf(context).run(options, () => count(most));
    for (const { read } of found) this.rowsLeft -= read;
    return found.map((each) => ({ count: Math.min(each.count, COUNT_LIMIT), isExact: each.read < most }));
  }
}

const countingOf = createContextCache((context: Context) => new Counting(context));

/**
 * Counts several lists in one statement.
 *
 * @throws AppError SERVICE_UNAVAILABLE when the process has too much to count
 */
export function countLists(
  context: Context,
  lists: number,
  count: (most: number) => Promise<readonly Counted[]>,
): Promise<TotalCount[]> {
  return countingOf(context).lists(lists, count);
}

/** Counts one list, up to `most` rows read; throws as countLists does. */
export async function countList(
  context: Context,
  count: (most: number) => Promise<Counted>,
): Promise<TotalCount> {
  const [total] = await countLists(context, 1, async (most) => [await count(most)]);
  return total as TotalCount;
}

const limits = new WeakMap<object, ConcurrencyLimit>();

// Counts use at most a share of the pool's connections, so that lists are still read; callers take turns.
function limitOf({ storage: { key }, config }: Context): ConcurrencyLimit {
  const known = limits.get(key);
  if (known) return known;
  const running = shareOf(config.DATABASE_POOL);
  const limit = new ConcurrencyLimit({ running, runningPerCaller: Math.ceil(running / 2), ...QUEUE });
  limits.set(key, limit);
  return limit;
}

/** The refusal of the count of a list whose rows have to be checked one by one. */
export function notCounted(): AppError {
  return badInput(
    'totalCount: this list has no count, because its rows are examined one by one; leave totalCount and totalCountIsExact out',
  );
}

function busy(): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'The service is busy with other counts; try again soon, or leave totalCount out',
    { retryAfterSeconds: RETRY_SECONDS },
  );
}
