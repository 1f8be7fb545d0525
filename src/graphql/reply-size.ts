import type { ExecutionResult } from 'graphql';
import { bytesOf, MOST_REPLY_BYTES, ReplyTooLarge, replyTooLargeIn } from '../storage/reply-bytes.js';

/** Longer texts are measured as JSON prints them; for shorter ones an estimate is enough. */
const EXACT_LENGTH = 1024;

/**
 * Refuses a result that is larger than the largest reply, before its text is made: a row's text may occur in
 * it under many names.
 *
 * @throws ReplyTooLarge; also if a field found that more was read for it
 */
export function refuseLarge(result: ExecutionResult): ExecutionResult {
  for (const { originalError } of result.errors ?? []) {
    const tooLarge = replyTooLargeIn(originalError);
    if (tooLarge) throw tooLarge;
  }
  if (roomAfter(MOST_REPLY_BYTES, result.data) < 0) throw new ReplyTooLarge();
  return result;
}

/** Whether a result is that refusal. */
export function isReplyTooLarge({ data, errors }: ExecutionResult): boolean {
  return data === undefined && errors?.length === 1 && errors[0]?.message === new ReplyTooLarge().message;
}

/** How many of so many bytes are left after the JSON text of a value; below 0 it stops measuring. */
function roomAfter(room: number, value: unknown): number {
  if (typeof value === 'string')
    return room - (value.length > EXACT_LENGTH ? bytesOf(JSON.stringify(value)) : value.length + 2);
  if (typeof value !== 'object' || value === null) return room - 6;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (const each of value as unknown[]) if ((left = roomAfter(left - 1, each)) < 0) return left;
    return left;
  }
  for (const key in value) {
    left = roomAfter(left - key.length - 4, (value as Record<string, unknown>)[key]);
    if (left < 0) return left;
  }
  return left;
}
