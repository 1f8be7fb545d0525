import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { AppError } from './errors.js';
import type { Abandon } from './storage/abandon.js';
import { type Trouble, troubleOf } from './storage/errors.js';
import { replyTooLargeIn } from './storage/reply-bytes.js';

/** Seconds after which a client may try again when the database cannot be used. */
const RETRY_SECONDS = 2;
/** Seconds after which a client may ask again for what took too long. */
const LATE_RETRY_SECONDS = 5;
/** The same for what only an operator can change. */
const OPERATOR_RETRY_SECONDS = 30;

/** What callers see when there is trouble with the database. */
const replies: Record<Trouble, { message: string; retryAfterSeconds: number }> = {
  busy: {
    message: 'The service is busy: all database connections are in use; try again soon',
    retryAfterSeconds: RETRY_SECONDS,
  },
  short: {
    message: 'The database has not enough memory at the moment, or reached another limit; try again soon',
    retryAfterSeconds: LATE_RETRY_SECONDS,
  },
  late: {
    message:
      'The database took too long and the request was cancelled; request less at once, or try again later',
    retryAfterSeconds: LATE_RETRY_SECONDS,
  },
  gone: {
    message: 'The database cannot be reached at the moment; try again soon',
    retryAfterSeconds: RETRY_SECONDS,
  },
  'read-only': {
    message: 'This service answers from a read-only copy of the data, so it refuses changes',
    retryAfterSeconds: OPERATOR_RETRY_SECONDS,
  },
  full: {
    message: 'The database has no usable disk space at the moment; try again later',
    retryAfterSeconds: OPERATOR_RETRY_SECONDS,
  },
};

/**
 * The error that a caller may see for anything that was thrown. A fault of ours is logged with all its
 * details, and shown without any.
 */
export function toAppError(error: unknown, log: Logger): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof GraphQLError && error.originalError) return toAppError(error.originalError, log);
  const tooLarge = replyTooLargeIn(error);
  if (tooLarge) return tooLarge;
  const trouble = troubleOf(error);
  if (trouble) {
    log.warn({ err: error, trouble }, 'the database cannot be used');
    const { message, retryAfterSeconds } = replies[trouble];
    return new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds, cause: error });
  }
  log.error({ err: error }, 'a request failed with an internal error');
  return new AppError('INTERNAL_SERVER_ERROR', 'Internal server error', { cause: error });
}

/**
 * The work's outcome, if it comes in time. Work that is given up continues, and its outcome is ignored.
 *
 * @param time milliseconds, or what is left of those that were allowed
 * @param abandon aborted when the time is over; without it, statements end at the database's own
 *   statement_timeout
 * @throws AppError SERVICE_UNAVAILABLE after that time
 */
export async function inTime<T>(
  work: Promise<T>,
  time: number | { left: number; allowed: number },
  abandon?: Abandon,
): Promise<T> {
  const { left, allowed } = typeof time === 'number' ? { left: time, allowed: time } : time;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = tooLate(allowed);
      reject(error);
      abandon?.abort(error);
    }, left);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(milliseconds: number): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `The request took longer than the allowed ${milliseconds} ms and was cancelled; request less at once, or try again later`,
    { retryAfterSeconds: LATE_RETRY_SECONDS },
  );
}
