import { AppError, badInput, quote } from '../errors.js';

/** Where a stream stands in the feed. */
export interface Position {
  /** Number of the entry; 0 before the first one. */
  readonly entry: number;
  /** Which of its keys was the last one, from 0; -1 before the first. */
  readonly index: number;
}

/** A position whose entry has to be there. */
export interface Cursor extends Position {
  /** When the entry was written, milliseconds since 1970: of another database it would be another time. */
  readonly at: number;
}

/** The text of a cursor, as clients see it. */
export const cursorText = ({ entry, index, at }: Cursor): string =>
  Buffer.from(`${entry}.${index}.${at}`).toString('base64url');

/** @throws AppError BAD_USER_INPUT for a text that is no cursor of a stream */
export function readCursor(name: string, text: string): Cursor {
  const match = /^(\d{1,15})\.(\d{1,3})\.(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString());
  if (!match || text.length > 64)
    throw badInput(`${name}: ${quote(text)} is not a cursor; it must be that of an event of a stream`);
  const [entry, index, at] = match.slice(1).map(Number) as [number, number, number];
  return { entry, index, at };
}

/** The refusal of a position after which events may be missing. */
export function lostEvents(what: string): AppError {
  return new AppError(
    'EVENTS_LOST',
    `${what}: events after it are no longer kept, or it belongs to another database. Events are kept for 24 hours and up to 256 MiB. Read the lists for what happened since, and subscribe without after`,
  );
}
