import type { FastifyRequest } from 'fastify';
import { badInput, quote, type AppError } from '../errors.js';
import { resultTypes, type ResultType } from '../graphql/yoga.js';

/** Types of bodies that hold a GraphQL request (GraphQL over HTTP, "POST", and those that Yoga adds). */
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
 * Whether a browser asks for GraphiQL. One that opens an address with a query does too: GraphiQL writes what is being
 * edited into its address, and shows it when it is loaded again. Other programs that send such a query want its
 * result, even where they would take HTML, as Java's do by default.
 */
export function asksForPage({ headers, query }: FastifyRequest): boolean {
  const accept = headers.accept?.toLowerCase() ?? '';
  if (!accept.includes('text/html') || accept.includes('json')) return false;
  const isBrowser = headers['sec-fetch-mode'] === 'navigate' || accept.includes('application/xhtml+xml');
  return isBrowser || !('query' in (query as object));
}

/**
 * The type of result that a request takes, null for none: the first range that takes one decides, as with Yoga, and a
 * wildcard is application/json.
 */
export function resultTypeOf(accept = '*/*'): ResultType | null {
  const [first] = acceptedTypes(accept);
  if (first === undefined) return null;
  return resultTypes.find((type) => type === first) ?? 'application/json';
}

/**
 * What is wrong with a request whose body is of no type that is read, or that takes no type of result; null for any
 * other. Yoga finds out about the second once the operation has run, a mutation too.
 */
export function wrongType({ method, headers }: FastifyRequest): { status: number; error: AppError } | null {
  const contentType = headers['content-type'];
  if (method === 'POST' && !bodyTypes.includes(typeOf(contentType)))
    return { status: 415, error: refusal('content-type', contentType, bodyTypes) };
  if (acceptedTypes(headers.accept ?? '*/*').length > 0) return null;
  const pages = method === 'POST' ? [] : ['text/html'];
  return { status: 406, error: refusal('accept', headers.accept, [...resultTypes, ...pages]) };
}

function refusal(name: string, value: string | undefined, allowed: readonly string[]): AppError {
  const wrong = value === undefined ? 'is missing; it must be' : `${quote(value)} is not`;
  return badInput(`${name}: ${wrong} one of ${allowed.join(', ')}`);
}

/** What a list of media ranges takes of the types of results, wildcards included; results are in UTF-8 alone. */
function acceptedTypes(accept: string): string[] {
  return accept
    .split(',')
    .filter((range) => !/;\s*charset=(?!"?utf-?8)/i.test(range))
    .map(typeOf)
    .filter((type) => (resultTypes as readonly string[]).includes(type) || wildcards.includes(type));
}
