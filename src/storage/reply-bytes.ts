import { AppError } from '../errors.js';
import { codeOf, messageOf } from './errors.js';

const MIB = 1024 * 1024;
/** Most bytes of a reply, and of what one statement of a request may return. */
export const MOST_REPLY_BYTES = 64 * MIB;
/** Most bytes of statements that may return more: no text of Node has 2^29 characters. */
export const MOST_STATEMENT_BYTES = 480 * MIB;

/** The reply would be larger than the largest one. */
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

/** The error of a statement, as ReplyTooLarge if the server itself could not make its value. */
export function asReplyError(error: unknown): unknown {
  const isBeyond = codeOf(error) === PROGRAM_LIMIT || BEYOND_ALLOCATION.test(messageOf(error));
  return isBeyond ? new ReplyTooLarge(MOST_REPLY_BYTES, error) : error;
}

/** The ReplyTooLarge that an error is, or that caused it: Prisma's error has only its code. */
export function replyTooLargeIn(error: unknown): ReplyTooLarge | undefined {
  if (error instanceof ReplyTooLarge) return error;
  const isOfPrisma = !(error instanceof AppError) && codeOf(Object(error)) === 'QUERY_TOO_COMPLEX';
  return isOfPrisma ? new ReplyTooLarge(MOST_REPLY_BYTES, error) : undefined;
}

/** About how many bytes a text has: exact if it is long. */
export function bytesOf(text: string): number {
  return text.length > 65_536 ? Buffer.byteLength(text) : text.length;
}
