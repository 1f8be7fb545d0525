import type { DocumentNode } from 'graphql';
import { AppError, badInput, Problems } from '../errors.js';
import { parseBody } from './body.js';
import { readParameters } from './parameter.js';
import type { Route } from './route.js';

/** What a route needs of a request. */
export interface RestRequest {
  params: Readonly<Record<string, string | undefined>>;
  query: Readonly<Record<string, string | string[] | undefined>>;
  headers: Readonly<Record<string, unknown>>;
  /** Its text; undefined without one. */
  body?: unknown;
}

/**
 * Runs a route's document for the caller; `values` are its arguments' values, by name.
 *
 * @throws AppError, or whatever a resolver threw
 */
export type RunDocument = (
  document: DocumentNode,
  variables: Record<string, unknown>,
  values: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown>>;

/**
 * Answers a request of a route.
 *
 * @returns the body as JSON text; empty for none
 * @throws AppError; whatever else a resolver threw
 */
export async function answer(route: Route, request: RestRequest, run: RunDocument): Promise<string> {
  const problems = new Problems();
  const { values, texts, variables } = readParameters(
    route.parameters,
    request.params,
    request.query,
    (read) => problems.check(read),
  );
  const { body: declared, unsupported = {} } = route;
  for (const [name, why] of Object.entries(unsupported))
    if (Object.hasOwn(request.query, name)) problems.check(() => refuse(name, why));
  const read = declared && problems.check(() => declared.read(bodyOf(request), values));
  problems.throwIfAny();
  const given = route.variables
    ? route.variables(values as never, read as never)
    : Object.assign(variables, read);
  const named = route.values ? route.values(values as never) : values;
  const data = await run(route.document, given, Object.assign({}, named, read));
  const body = route.reply(data as never, values as never);
  if (body !== null) return body;
  throw new AppError(
    'NOT_FOUND',
    route.missing?.(values as never, texts as never) ?? 'The requested data is not indexed here',
  );
}

function refuse(name: string, why: string): never {
  throw badInput(`${name}: is not supported: ${why}`);
}

function bodyOf({ headers, body }: RestRequest): Record<string, unknown> {
  return parseBody(headers['content-type'] as string | undefined, body);
}
