import type { Expectation } from './expectation.js';

/** What one connection is sent, and what is known of the answer. */
export interface Input {
  /** Its family, for the table at the end. */
  family: string;
  /** What is written, in pieces as they go out. */
  pieces: readonly Buffer[];
  /**
   * Method of each request, by which the answers are read; one is there where it is not known what is a
   * request.
   */
  methods: readonly string[];
  /** Whether exactly so many answers have to come; otherwise any number, or the end of the connection. */
  exact: boolean;
  /** Whether it needs a connection of its own, for nothing can be said of what comes after it. */
  lone: boolean;
  /** Whether the sending side ends after it: for what is never finished. */
  halfClosed: boolean;
  /** What is known of every answer, by the request's place. */
  expectations: readonly (Expectation | null)[];
  /** A name of 2,000 characters or more in it, which no answer may repeat whole. */
  long?: string;
}

const pattern = { exact: true, lone: false, halfClosed: false };

/** A complete request and what is known of its answer. */
export function single(
  family: string,
  method: string,
  bytes: Buffer | readonly Buffer[],
  expectation: Expectation | null,
  more: Partial<Input> = {},
): Input {
  const pieces = Buffer.isBuffer(bytes) ? [bytes] : bytes;
  return { ...pattern, family, pieces, methods: [method], expectations: [expectation], ...more };
}

/** Bytes of which only HTTP's own rules say what becomes of them. */
export function raw(family: string, text: string | Buffer, more: Partial<Input> = {}): Input {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
  return {
    family,
    pieces: [bytes],
    methods: ['GET'],
    exact: false,
    lone: true,
    halfClosed: false,
    expectations: [null],
    ...more,
  };
}
