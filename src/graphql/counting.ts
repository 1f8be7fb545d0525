import { createContextCache } from '@pothos/core';
import { AppError, badInput } from '../errors.js';
import { Gate, shareOf } from '../gate.js';
import type { Counted } from '../lists/read.js';
import type { Context } from './context.js';

/** How many rows a list is counted up to: counting reads each of them. */
export const COUNT_LIMIT = 10_000;
/** Rows that the counts of one operation read at most in all: forty long lists, or thousands of short ones. */
export const OPERATION_ROWS = 400_000;
/** Operations that wait for a count at most, in all and of one caller. */
const QUEUE = { queue: 64, queueOfOne: 16 };
/** Seconds after which a client may ask again for counts that found no place. */
const RETRY_SECONDS = 2;

export interface TotalCount {
  /** At most COUNT_LIMIT. */
  count: number;
  /** Whether the list has exactly so many rows; otherwise it has at least so many. */
  isExact: boolean;
}

/** Counts what one operation asks for: one statement at a time, within the rows that it may read. */
class Counting {
  private rowsLeft = OPERATION_ROWS;
  private last: Promise<unknown> = Promise.resolve();
  private readonly deadline: number;

  constructor(private readonly context: Context) {
    this.deadline = Date.now() + context.config.REQUEST_TIMEOUT_MS;
  }

  /** @param count counts so many lists in one statement, each up to `most` rows read, in their order */
  lists(lists: number, count: (most: number) => Promise<readonly Counted[]>): Promise<TotalCount[]> {
    // What failed once is not tried again for the operation's other counts.
    const counted = this.last.then(() => this.read(lists, count));
    this.last = counted;
    return counted;
  }

  private async read(lists: number, count: (most: number) => Promise<readonly Counted[]>) {
    const most = Math.min(COUNT_LIMIT + 1, Math.floor(this.rowsLeft / lists));
    if (most < 1) return Array.from({ length: lists }, () => ({ count: 0, isExact: false }));
    const { deadline, context } = this;
    const visitor = { caller: context.charge.identity, deadline, refusal: busy };
    const found = await gateOf(context).pass(visitor, () => count(most));
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

const gates = new WeakMap<object, Gate>();

// Of the pool's connections counts take their share at most, so that lists are read beside them; callers take turns.
function gateOf({ storage: { key }, config }: Context): Gate {
  const known = gates.get(key);
  if (known) return known;
  const places = shareOf(config.DATABASE_POOL);
  const gate = new Gate({ places, placesOfOne: Math.ceil(places / 2), ...QUEUE });
  gates.set(key, gate);
  return gate;
}

/** The refusal of the count of a list whose rows are looked at one by one. */
export function notCounted(): AppError {
  return badInput(
    'totalCount: this list has no count, because its rows are examined one by one; leave totalCount and totalCountIsExact out',
  );
}

function busy(): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'The service is already counting as many lists as it counts at once; try again soon, or leave totalCount out',
    { retryAfterSeconds: RETRY_SECONDS },
  );
}
