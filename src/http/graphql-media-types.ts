import type { FastifyRequest } from 'fastify';
import { badInput, quote, type AppError } from '../errors.js';
import { resultTypes, type ResultType } from '../graphql/yoga.js';

/** Types of bodies that contain a GraphQL request (GraphQL over HTTP, "POST", and those that Yoga adds). */
const bodyTypes = [
  'application/json',
  'application/graphql+json',
  'application/graphql',
  'application/x-www-form-urlencoded',
];
const wildcards = ['*/*', 'application/*'];

/** A media type without its parameters, in lower case (RFC 9110, section 8.3.1); empty when there is none. */
export function typeOf(header: string | undefined): string {
  return (header ?? '').split(/[;,]/)[0]?.trim().toLowerCase() ?? '';
}

/**
 * Whether a browser requests GraphiQL. A browser that opens an address with a query does too: GraphiQL writes
 * the edited query into its address, and shows it after a reload. Other programs that send such a query want
 * its result, even if they accept HTML, as Java's clients do by default.
 */
export function asksForPage({ headers, query }: FastifyRequest): boolean {
  const accept = headers.accept?.toLowerCase() ?? '';
  if (!accept.includes('text/html') || accept.includes('json')) return false;
  const isBrowser = headers['sec-fetch-mode'] === 'navigate' || accept.includes('application/xhtml+xml');
  return isBrowser || !(query as { query?: unknown }).query;
}

/**
 * The type of result that a request accepts, null for none: the first range that matches one decides, as in
 * Yoga, and a wildcard is application/json.
 */
export function resultTypeOf(accept = '*/*'): ResultType | null {
  const [first] = acceptedTypes(accept);
  // The results in a stream are JSON.
  if (first === undefined) return isStreamAccepted(accept) ? 'application/json' : null;
  return resultTypes.find((type) => type === first) ?? 'application/json';
}

/**
 * What is wrong with a request whose body has an unsupported type, or that accepts no type of result; null
 * for any other. Yoga would notice the second only after the operation has run, even a mutation.
 */
export function wrongType({ method, headers }: FastifyRequest): { status: number; error: AppError } | null {
  const contentType = headers['content-type'];
  if (method === 'POST' && !bodyTypes.includes(typeOf(contentType)))
    return { status: 415, error: refusal('content-type', contentType, bodyTypes) };
  if (acceptedTypes(headers.accept ?? '*/*').length > 0) return null;
  const pages = method === 'POST' ? [] : ['text/html'];
  return { status: 406, error: refusal('accept', headers.accept, [...resultTypes, ...pages]) };
}

const EVENT_STREAM = 'text/event-stream';

const isStreamAccepted = (accept: string) => accept.split(',').map(typeOf).includes(EVENT_STREAM);

/** Whether a request accepts a stream of events: as the only type, or with others; undefined if not. */
export function acceptsStream({ headers: { accept = '' } }: FastifyRequest): 'only' | 'too' | undefined {
  if (!isStreamAccepted(accept)) return undefined;
  return acceptedTypes(accept).length === 0 ? 'only' : 'too';
}

/** The refusal of a subscription whose client does not accept a stream. */
export const notAccepted = ({ headers }: FastifyRequest): AppError =>
  refusal('accept', headers.accept, [EVENT_STREAM]);

function refusal(name: string, value: string | undefined, allowed: readonly string[]): AppError {
  const wrong = value === undefined ? 'is missing; it must be' : `${quote(value)} is not`;
  return badInput(`${name}: ${wrong} one of ${allowed.join(', ')}`);
}

/** The types of results that a list of media ranges accepts, with wildcards; results are always UTF-8. */
function acceptedTypes(accept: string): string[] {
  return accept
    .split(',')
    .filter((range) => !/;\s*charset=(?!"?utf-?8)/i.test(range))
    .map(typeOf)
    .filter((type) => (resultTypes as readonly string[]).includes(type) || wildcards.includes(type));
}
