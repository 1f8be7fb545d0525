import { badInput, Problems } from '../errors.js';
import { checkTokenForm } from './token.js';

/** Relay's four paging arguments. An empty cursor means none. */
export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/**
 * One page, resolved: which end is read from, how many rows, and between which cursors. Cursors are tokens as
 * text, or the row positions behind them.
 */
export interface PageRequest<Cursor = string> {
  /** forward reads the first rows after `after`; backward the last rows before `before`. */
  direction: 'forward' | 'backward';
  /** Most rows on the page; null reads all (trusted documents only). */
  limit: number | null;
  after: Cursor | null;
  before: Cursor | null;
  /** The caller's name for `after` in messages, if it is a different one. */
  afterName?: string;
}

export interface PageLimits {
  max: number;
  default: number;
}

/** Pages of the data service and of every connection not named below (docs/contract.md, "Page tokens"). */
export const connectionLimits: PageLimits = { max: 100, default: 10 };
/** Pages of the metrics service (docs/contract.md, "Page tokens"). */
export const metricsLimits: PageLimits = { max: 10_000, default: 1000 };

/**
 * Checks Relay's arguments (Relay Cursor Connections Specification, "Arguments").
 *
 * @throws AppError BAD_USER_INPUT that lists every wrong argument
 */
export function parsePageArguments(args: PageArguments, limits: PageLimits): PageRequest {
  const problems = new Problems();
  for (const name of ['first', 'last'] as const) {
    const value = args[name];
    problems.check(() => {
      if (typeof value === 'number' && (value < 0 || value > limits.max))
        throw badInput(`${name}: ${value} is not allowed; it must be 0 to ${limits.max}`);
    });
  }
  problems.check(() => {
    if (typeof args.first === 'number' && typeof args.last === 'number')
      throw badInput('first and last cannot be given together');
  });
  for (const name of ['after', 'before'] as const) {
    const token = args[name];
    if (token) problems.check(() => checkTokenForm(name, token));
  }
  problems.throwIfAny();
  const limit = args.first ?? args.last ?? limits.default;
  return {
    direction: typeof args.last === 'number' ? 'backward' : 'forward',
    limit,
    after: args.after || null,
    before: args.before || null,
  };
}

/** A row that only says how far a page was read: see lists/sift.ts. */
export interface MaybeStop {
  isStop?: boolean;
}

/** A page of rows in list order, and whether there is more on either side. */
export interface Page<Row> {
  rows: Row[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  /** Of a page that ended before it was full although more may follow: the last row that was checked. */
  stop: Row | null;
}

/**
 * Makes a page of rows; one more was read than requested.
 *
 * @param rows up to limit + 1 rows in list order; the extra one, or a stop, is at the far end of the reading
 *   direction
 */
export function toPage<Row extends MaybeStop>(rows: Row[], request: PageRequest<unknown>): Page<Row> {
  const isForward = request.direction === 'forward';
  const { limit } = request;
  const far = rows.at(isForward ? -1 : 0);
  const more = limit !== null && (rows.length > limit || far?.isStop === true);
  const kept = !more ? rows : isForward ? rows.slice(0, -1) : rows.slice(1);
  const stop = far?.isStop && limit !== null && kept.length < limit ? far : null;
  if (isForward) return { rows: kept, hasNextPage: more, hasPreviousPage: request.after !== null, stop };
  return { rows: kept, hasNextPage: request.before !== null, hasPreviousPage: more, stop };
}
