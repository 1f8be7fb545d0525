import { MOST_REPLY_BYTES } from '../storage/reply-bytes.js';
import { TOO_LARGE } from './marks.js';

/*
 * How a statement keeps its answer within what is answered at once, before it is made: each list shares its room among the rows
 * that its page may have, each row among its texts and lists. Asking a text for its length costs nothing, summing up lengths
 * while rows are read would cost each page a sort of step of its own. What takes more than its share is marked (marks.ts), and
 * the plain executor, which measures the whole, has the word: so shares can be as simple as this.
 */

/** Bytes: a number, or SQL of one. */
export type Room = number | string;

export const WHOLE_REPLY: Room = MOST_REPLY_BYTES;
/** Of a row of a list that is read to its end. Such lists hang on one transaction, whose size the protocol bounds. */
const ROW_OF_ANY = 64 * 1024;

/** One of several equal parts. */
export function partOf(room: Room, parts: number): Room {
  return typeof room === 'number'
    ? Math.floor(room / Math.max(1, parts))
    : `(${room} / ${Math.max(1, parts)})`;
}

/** The room of a row of a page. @param size SQL of most rows that it has, a number in the text of most statements; null: all */
export function rowOfPage(room: Room, size: string | null): Room {
  if (size === null) return typeof room === 'number' ? Math.min(room, ROW_OF_ANY) : ROW_OF_ANY;
  return typeof room === 'number' && /^\d+$/.test(size)
    ? partOf(room, Number(size))
    : `(${room} / greatest(${size}, 1))`;
}

/** SQL of a text, or of a mark where it takes more than its room. */
export function within(room: Room, sql: string): string {
  return `CASE WHEN octet_length(${sql}) <= ${room} THEN ${sql} ELSE '${TOO_LARGE}' END`;
}
