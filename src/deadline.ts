import { AppError } from './errors.js';

/** Seconds after which a client may ask again for what took too long. */
const RETRY_SECONDS = 5;

/**
 * The work's outcome, when it comes in time. Work that is given up goes on unheeded; its statements end at the
 * database's own statement_timeout.
 *
 * @throws AppError SERVICE_UNAVAILABLE after `milliseconds`
 */
export async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate(milliseconds)), milliseconds);
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
    `The request took longer than the allowed ${milliseconds} ms and was given up; ask for less at once, or try again later`,
    { retryAfterSeconds: RETRY_SECONDS },
  );
}
