import { AppError } from '../errors.js';
import { codeOf, messageOf } from './errors.js';

const MIB = 1024 * 1024;
/** Most bytes that a request is answered with, and that a statement of one may bring. */
export const MOST_REPLY_BYTES = 64 * MIB;
/** Beyond it statements of requests may not bring more even where it is their business: no text of Node has 2^29 characters. */
export const MOST_STATEMENT_BYTES = 480 * MIB;

/** What was asked for is more than is answered at once. */
export class ReplyTooLarge extends AppError {
  constructor(most = MOST_REPLY_BYTES, cause?: unknown) {
    super(
      'QUERY_TOO_COMPLEX',
      `The answer would take more than ${most / MIB} MiB; request less at once: a smaller page (first or last, in REST ` +
        'pageSize), fewer lists or fewer fields',
      { cause },
    );
  }
}

/** A value that the server itself could not make: its texts end at 1 GiB. */
const PROGRAM_LIMIT = '54000';
const BEYOND_ALLOCATION = /^invalid memory alloc request size/;

/** The error of a statement, as ReplyTooLarge where the server itself could not make its value. */
export function asReplyError(error: unknown): unknown {
  const isBeyond = codeOf(error) === PROGRAM_LIMIT || BEYOND_ALLOCATION.test(messageOf(error));
  return isBeyond ? new ReplyTooLarge(MOST_REPLY_BYTES, error) : error;
}

/** The refusal that an error is, or that it was made of: Prisma's keeps nothing of it but the code. */
export function replyTooLargeIn(error: unknown): ReplyTooLarge | undefined {
  if (error instanceof ReplyTooLarge) return error;
  const isOfPrisma = !(error instanceof AppError) && codeOf(Object(error)) === 'QUERY_TOO_COMPLEX';
  return isOfPrisma ? new ReplyTooLarge(MOST_REPLY_BYTES, error) : undefined;
}

/** About as many bytes as a text has: exactly where it is long. */
export function bytesOf(text: string): number {
  return text.length > 65_536 ? Buffer.byteLength(text) : text.length;
}
