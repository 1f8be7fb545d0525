import type { DocumentNode } from 'graphql';
import { AppError, badInput, Problems } from '../errors.js';
import { parseBody } from './body.js';
import { readParameters } from './parameter.js';
import type { DataOf, Route } from './route.js';

/** What a route needs of a request. */
export interface RestRequest {
  params: Readonly<Record<string, string | undefined>>;
  query: Readonly<Record<string, string | string[] | undefined>>;
  headers: Readonly<Record<string, unknown>>;
  /** Its text; undefined without one. */
  body?: unknown;
}

/**
 * Runs a route's document for the caller; `values` are its arguments' values, by name. Null if the client is
 * known to have the answer.
 *
 * @throws AppError, or whatever a resolver threw
 */
export type RunDocument = (
  document: DocumentNode,
  variables: Record<string, unknown>,
  values: Readonly<Record<string, unknown>>,
  dataOf: DataOf | undefined,
) => Promise<Record<string, unknown> | null>;

/** An answer. */
export interface Answered {
  /** JSON text; empty for none. */
  readonly body: string;
  /** See Route. */
  readonly settledAt: number | undefined;
}

/**
 * Answers a request of a route.
 *
 * @returns null if the document was not run
 * @throws AppError; whatever else a resolver threw
 */
export async function answer(route: Route, request: RestRequest, run: RunDocument): Promise<Answered | null> {
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
  const dataOf = route.dataOf?.(values as never);
  const document = route.other?.isFor(values as never) ? route.other.document : route.document;
  const data = await run(document, given, Object.assign({}, named, read), dataOf);
  if (data === null) return null;
  const body = route.reply(data as never, values as never);
  if (body !== null) return { body, settledAt: route.settledAt?.(data as never, values as never) };
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
