import { AppError } from './errors.js';

/**
 * How deep a client's JSON may be nested, and how many members its objects and lists may have in all: the
 * deepest request that we answer is nested 8 deep, the longest has some hundreds. Parsing 130,000 empty lists
 * in one another took 9 ms, 22,000 members 6.
 */
export const MOST_DEPTH = 64;
export const MOST_MEMBERS = 10_000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts brackets and commas outside of strings, without checking that the text is JSON. */
export class JsonBounds {
  private depth = 0;
  private members = 0;
  private inString = false;
  private isEscaped = false;

  constructor(private readonly most = { members: MOST_MEMBERS, depth: MOST_DEPTH }) {}

  /**
   * Reads the next bytes of a text in UTF-8, in which no byte of another character equals one of these.
   *
   * @throws AppError BAD_USER_INPUT
   */
  read(bytes: Uint8Array): void {
    const { most } = this;
    let { depth, members, inString, isEscaped } = this;
    // With an index, because an iterator takes three times as long; with variables, because fields take twice
    // as long.
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (isEscaped) isEscaped = false;
      else if (byte === QUOTE) inString = !inString;
      else if (inString) isEscaped = byte === BACKSLASH;
      else if (byte === COMMA) members += 1;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        depth += 1;
        members += 1;
        if (depth > most.depth) throw beyond(`is nested more than ${most.depth} deep`);
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    }
    [this.depth, this.members] = [depth, members];
    [this.inString, this.isEscaped] = [inString, isEscaped];
    if (members > most.members) throw beyond(`has more than ${most.members} members`);
  }
}

/** What is wrong with a complete text, by the same bounds; null when nothing is. */
export function boundsProblem(text: string): string | null {
  try {
    new JsonBounds().read(Buffer.from(text));
    return null;
  } catch (error) {
    return (error as AppError).message;
  }
}

function beyond(what: string): AppError {
  return new AppError('BAD_USER_INPUT', `the JSON ${what}, more than is needed`);
}
