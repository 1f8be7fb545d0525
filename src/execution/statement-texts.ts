import { createHash } from 'node:crypto';

/** Longest text of a statement, characters. */
const MOST_TEXT = 32_000;

/** A text with the name that the database knows it by. */
export interface StatementText {
  name: string;
  text: string;
}

/**
 * What is remembered of the statements of one document, in the bytes that it may have: each text once, however many of its
 * operations and their variants have it.
 */
export class StatementTexts {
  private readonly known = new Map<string, StatementText>();

  /** @param makeRoom see Documents */
  constructor(readonly makeRoom: (bytes: number) => boolean) {}

  /** Undefined for a text that is too long, or that there is no room for. */
  named(text: string): StatementText | undefined {
    const known = this.known.get(text);
    if (known) return known;
    if (text.length > MOST_TEXT || !this.makeRoom(bytesOf(text))) return undefined;
    const made = { name: `operation:${hashOf(text)}`, text };
    this.known.set(text, made);
    return made;
  }
}

// The pieces that it was put together from live on beside it in the plan, which counts them.
const bytesOf = (text: string) => 2 * text.length + 500;

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);
