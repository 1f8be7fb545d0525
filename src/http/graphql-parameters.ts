import type { FastifyRequest } from 'fastify';
import type { Parameters } from '../execution/executor.js';
import { fromSearch } from '../graphql/request-parameters.js';
import type { ResultType } from '../graphql/yoga.js';
import { parseJson } from '../json.js';
import { resultTypeOf, typeOf } from './graphql-media-types.js';

/** A request whose parameters could be read. */
export interface OperationRequest {
  parameters: Parameters;
  /** The media type of its result. */
  type: ResultType;
}

/** Null for requests that Yoga has to read, or to refuse. */
export function operationRequest({ headers }: FastifyRequest, given: unknown): OperationRequest | null {
  const type = resultTypeOf(headers.accept);
  const value = given as Record<keyof Parameters, unknown> | undefined;
  if (!type || typeof value?.query !== 'string' || value.query === '') return null;
  const { query, variables, operationName, extensions } = value;
  if (!isAbsentOrObject(variables) || !isAbsentOrObject(extensions)) return null;
  if (!isAbsent(operationName) && typeof operationName !== 'string') return null;
  const parameters = {
    query,
    variables: (variables ?? undefined) as Record<string, unknown> | undefined,
    // Clients without a name for the operation send an empty name, too.
    operationName: operationName || undefined,
    extensions: (extensions ?? undefined) as Record<string, unknown> | undefined,
  };
  return { parameters, type };
}

/** The parameters in the address. */
export const inAddress = ({ url }: FastifyRequest) =>
  unlessMalformed(() => {
    const { searchParams } = new URL(url, 'http://localhost');
    const ids = ['documentId', 'doc_id'].map((name) => [name, searchParams.get(name) ?? undefined] as const);
    return Object.assign(fromSearch(searchParams), Object.fromEntries(ids));
  });

/** The parameters of a request that named its document, with the document. */
export function withDocument(given: Omit<Partial<Parameters>, 'query'>, query: string): object {
  const { variables, operationName, extensions } = given;
  return { query, variables, operationName, extensions };
}

/** The parameters in a JSON body. */
export const inBody = ({ headers, body }: FastifyRequest) =>
  typeOf(headers['content-type']) === 'application/json' && typeof body === 'string'
    ? unlessMalformed(() => parseJson(body) ?? undefined)
    : undefined;

function unlessMalformed(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const isAbsent = (value: unknown) => value === undefined || value === null;
const isAbsentOrObject = (value: unknown) =>
  isAbsent(value) || (typeof value === 'object' && !Array.isArray(value));
