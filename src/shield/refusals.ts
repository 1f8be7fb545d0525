import { AppError } from '../errors.js';
import type { Account } from './accounts.js';

const OVERLOAD_RETRY_SECONDS = 1;
const SHUTDOWN_RETRY_SECONDS = 5;

/** As many requests are in flight as the gateway allows. */
export function overloaded(max: number): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `The service is busy with ${max} other requests, the most it answers at once; try again soon`,
    { retryAfterSeconds: OVERLOAD_RETRY_SECONDS },
  );
}

function shareTaken(what: string): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `You are using your whole share of the service: ${what}; try again soon`,
    { retryAfterSeconds: OVERLOAD_RETRY_SECONDS },
  );
}

/** The server is closing. */
export function shuttingDown(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'The service is shutting down; try again soon', {
    retryAfterSeconds: SHUTDOWN_RETRY_SECONDS,
  });
}

/** The caller has as many requests in flight as one caller may. */
export function busy({ inFlight }: Account): AppError {
  return shareTaken(`${inFlight} of your requests are being answered, the most for one caller at once`);
}

/** The caller gets no more before it reads what it was sent. */
export function tooMuchUnread(): AppError {
  return shareTaken('you have too many replies that you have not read');
}

/** The client has closed its side of the connection, and its answer was not ready in the time left. */
export function endedTooEarly(milliseconds: number): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `You closed your side of the connection, and the answer was not ready within ${milliseconds} ms after that; keep it open until the answer has come`,
    { retryAfterSeconds: OVERLOAD_RETRY_SECONDS },
  );
}

/** The client of a stream has read nothing of what waits for it. */
export function notRead(milliseconds: number): AppError {
  return new AppError(
    'REQUEST_TIMEOUT',
    `You read nothing of this stream for ${milliseconds} ms, so it was closed; subscribe again after the cursor of the last event`,
  );
}
