import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';

/** How long an answer is awaited, milliseconds: twice as long as the gateway itself tries by default. */
const LONGEST_MS = 20_000;

/** Pauses between attempts double from the first to the longest, milliseconds. */
const PAUSES = { first: 2000, longest: 60_000 };

/** Not all who were refused at one moment come back at one moment. */
const own = 1 + Math.random() / 4;

/** How long after a failed attempt the next one follows, milliseconds. @param failures in a row, from 0 */
export const pauseAfter = (failures: number, error: unknown) =>
  own * Math.max(Math.min(PAUSES.first * 2 ** failures, PAUSES.longest), waitMsOf(error));
const waitMsOf = (error: unknown) => (error instanceof Refusal && error.waitMs) || 0;

/** A text with the types of its answer and its variables. */
export interface Document<Data, Variables> extends DocumentTypeDecoration<Data, Variables> {
  toString: () => string;
}

/** Why there is no answer, in words for people. */
export class Refusal extends Error {
  /** When it came, milliseconds since 1970. */
  readonly at = Date.now();

  /**
   * @param isLasting whether the same request will never be answered
   * @param waitMs how long the gateway wants to be left alone, milliseconds
   */
  constructor(
    message: string,
    readonly isLasting: boolean,
    readonly waitMs?: number,
  ) {
    super(message);
  }
}

interface Body<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string; retryAfterSeconds?: number } }[];
  /** Of what is refused before it is read as GraphQL. */
  message?: string | string[];
}

/** Codes of what may be answered later; of all others the request is wrong. */
const PASSING: ReadonlySet<string | undefined> = new Set([
  'RATE_LIMITED',
  'REQUEST_TIMEOUT',
  'INTERNAL_SERVER_ERROR',
  'BAD_GATEWAY',
  'SERVICE_UNAVAILABLE',
]);

/**
 * Asks the gateway that served the page.
 *
 * @throws Refusal with the gateway's own words; what aborted the signal
 */
export async function ask<Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  const body = JSON.stringify({ query: String(document), variables });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const [reply, text] = await request('/graphql', { method: 'POST', headers, body }, signal);
  return dataOf<Data>(reply, text);
}

/**
 * A reply and its text.
 *
 * @throws Refusal if it cannot be had; what aborted the signal
 */
export async function request(
  path: string,
  options: RequestInit,
  signal?: AbortSignal,
): Promise<[Response, string]> {
  const late = AbortSignal.timeout(LONGEST_MS);
  try {
    const reply = await fetch(path, { ...options, signal: signal ? AbortSignal.any([signal, late]) : late });
    return [reply, await reply.text()];
  } catch (error) {
    if (signal?.aborted) throw error;
    // What browsers say of it is not for people.
    throw new Refusal(
      late.aborted
        ? `The gateway did not answer within ${LONGEST_MS / 1000} seconds.`
        : 'The gateway cannot be reached.',
      false,
    );
  }
}

function dataOf<Data>(reply: Response, text: string): Data {
  const body = jsonOf<Body<Data>>(reply, text);
  if (reply.ok && body?.data && !body.errors?.length) return body.data;
  throw refusalOf(reply, text, body);
}

/** Why a reply has no data. */
export function refusalOf(
  { status, headers }: Response,
  text: string,
  { errors = [], message }: Body<unknown> = {},
): Refusal {
  const waits = errors.map(({ extensions }) => (extensions?.retryAfterSeconds ?? 0) * 1000);
  const waitMs = Math.max(waitOf(headers.get('retry-after')), ...waits) || undefined;
  if (errors.length > 0) {
    const isLasting = errors.some(({ extensions }) => !PASSING.has(extensions?.code));
    return new Refusal(errors.map((each) => each.message).join(' '), isLasting, waitMs);
  }
  const isLasting = status >= 400 && status < 500 && ![408, 425, 429].includes(status);
  if (message) return new Refusal([message].flat().join(' '), isLasting, waitMs);
  return new Refusal(
    text.trim() === ''
      ? `The answer is empty (status ${status}). Perhaps a proxy before the gateway lost it.`
      : `What answered is not the gateway, perhaps a proxy before it (status ${status}).`,
    false,
    waitMs,
  );
}

/** The JSON of a reply; undefined if it is something else, such as a proxy's page. */
export function jsonOf<Json extends object>({ headers }: Response, text: string): Json | undefined {
  if (!/\bjson\b/.test(headers.get('content-type') ?? '')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** Milliseconds of a Retry-After: seconds or a date (RFC 9110, section 10.2.3); 0 without one. */
function waitOf(header: string | null): number {
  if (!header) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Math.max(0, ms) || 0;
}

/** For people. */
export const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
