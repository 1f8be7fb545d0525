import { MOST_REPLY_BYTES } from '../storage/reply-bytes.js';
import { TOO_LARGE } from './marks.js';

/*
 * How a statement keeps its reply below the largest size, before the text is made: each list divides its room
 * among the most rows that its page may have, and each row among its texts and lists. Reading a text's length
 * costs nothing, but adding up lengths while rows are read would cost each page a kind of sort. What exceeds
 * its share is replaced by a mark (marks.ts), and the plain executor, which measures the whole reply, answers
 * instead. So the shares can be this simple.
 */

/** Bytes: a number, or SQL of one. */
export type Room = number | string;

export const WHOLE_REPLY: Room = MOST_REPLY_BYTES;
/** Of a row of a list that is read to its end: a list of one transaction, whose size the protocol bounds. */
const ROW_OF_ANY = 64 * 1024;

/** One of several equal parts. */
export function partOf(room: Room, parts: number): Room {
  return typeof room === 'number'
    ? Math.floor(room / Math.max(1, parts))
    : `(${room} / ${Math.max(1, parts)})`;
}

/**
 * The room of one row of a page.
 *
 * @param size SQL of the most rows that it has, in most statements a number; null: all
 */
export function rowOfPage(room: Room, size: string | null): Room {
  if (size === null) return typeof room === 'number' ? Math.min(room, ROW_OF_ANY) : ROW_OF_ANY;
  return typeof room === 'number' && /^\d+$/.test(size)
    ? partOf(room, Number(size))
    : `(${room} / greatest(${size}, 1))`;
}

/** SQL of a text, or of a mark if it exceeds its room. */
export function within(room: Room, sql: string): string {
  return `CASE WHEN octet_length(${sql}) <= ${room} THEN ${sql} ELSE '${TOO_LARGE}' END`;
}
