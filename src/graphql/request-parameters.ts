import { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { quote } from '../errors.js';
import { parseJson } from '../json.js';
import { boundsProblem } from '../json-bounds.js';

/**
 * Reads the parameters of a request so that whole numbers beyond 2^53-1 stay exact, and refuses malformed
 * JSON with our own errors: Yoga's readers round such numbers, show the whole text that they could not read,
 * and report malformed variables in an address as an internal error. A request without a document is none
 * (GraphQL over HTTP, "Request Parameters"), and 400 for every type of result; Yoga answers 200. Yoga still
 * checks what the parameters must be. The HTTP layer passes the bare media type, in lower case.
 */
export const exactParameters: Plugin = {
  onRequestParse({ request, setRequestParser }) {
    const type = request.headers.get('content-type');
    if (request.method === 'GET') setRequestParser(() => fromSearch(new URL(request.url).searchParams));
    else if (type === 'application/x-www-form-urlencoded')
      setRequestParser(async () => fromSearch(new URLSearchParams(await request.text())));
    else if (type === 'application/json' || type === 'application/graphql+json')
      setRequestParser(async () => readJson('The request body', await request.text()) as GraphQLParams);
  },
  onParams({ params }) {
    if (hasNoDocument(params)) throw refused('query: is missing; it must be a GraphQL document');
  },
};

/** Whether parameters have no document, or an empty one. Yoga refuses a body that is no object. */
const hasNoDocument = (params: unknown) =>
  typeof params === 'object' &&
  params !== null &&
  !Array.isArray(params) &&
  ['', null, undefined].includes((params as { query?: string | null }).query);

/** The refusal of what is no request of GraphQL. */
const refused = (message: string) =>
  new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } });

/**
 * The parameters of an address or a form.
 *
 * @throws GraphQLError BAD_USER_INPUT for one that is not JSON, or nested too deep
 */
export function fromSearch(search: URLSearchParams): GraphQLParams {
  const text = (name: string) => search.get(name) || undefined;
  const json = (name: string) => {
    const value = text(name);
    return value === undefined ? undefined : (readJson(name, value, quote(value)) as Record<string, unknown>);
  };
  return {
    query: text('query'),
    operationName: text('operationName'),
    variables: json('variables'),
    extensions: json('extensions'),
  };
}

/**
 * @param shown the text as it may be shown
 * @throws GraphQLError BAD_USER_INPUT that names the parameter
 */
function readJson(name: string, text: string, shown = 'it'): unknown {
  // The nesting of a JSON body was checked while it was read.
  const beyond = boundsProblem(text);
  if (beyond) throw refused(`${name}: ${beyond}`);
  try {
    return parseJson(text);
  } catch {
    throw refused(`${name}: ${shown} is not JSON`);
  }
}
