import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { AppError } from './errors.js';
import { isUnavailable } from './storage/errors.js';

/** Seconds after which a client may try again when the database cannot be used. */
const RETRY_SECONDS = 2;

/**
 * What may be told to the caller about anything that was thrown. A fault of ours is logged with all it holds
 * and told as nothing but that.
 */
export function toAppError(error: unknown, log: Logger): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof GraphQLError && error.originalError) return toAppError(error.originalError, log);
  if (isUnavailable(error)) {
    log.warn({ err: error }, 'the database cannot be used');
    return new AppError(
      'SERVICE_UNAVAILABLE',
      'The database cannot be reached at the moment; try again soon',
      {
        retryAfterSeconds: RETRY_SECONDS,
        cause: error,
      },
    );
  }
  log.error({ err: error }, 'a request failed by a fault of ours');
  return new AppError('INTERNAL_SERVER_ERROR', 'Internal server error', { cause: error });
}
