import { isDeepStrictEqual } from 'node:util';
import { errorKinds } from '../../../src/errors.js';
import type { Expectation } from './expectation.js';
import { show, type Response } from './response-parser.js';

const LONGEST_MESSAGE = 2000;
const types = /^application\/(json|graphql-response\+json)\s*(;|$)/;

/** What of a GraphQL answer breaks a promise (GraphQL specification, "Response Format"). */
export function graphqlProblems({ status, headers, body }: Response, known: Expectation): string[] {
  if (body.length === 0) return status === 204 ? [] : [`${status} without a body`];
  if (!types.test(headers['content-type'] ?? '')) return [`content-type is ${headers['content-type']}`];
  const value = parseObject(body);
  if (!value) return [`the body is no JSON object: ${show(body)}`];
  const { data, errors, extensions, ...others } = value;
  const problems: string[] = [];
  if (Object.keys(others).length > 0) problems.push(`has members ${Object.keys(others).join(', ')}`);
  if (!('data' in value) && errors === undefined) problems.push('has neither data nor errors');
  if (data !== undefined && typeof data !== 'object') problems.push('data is no object');
  if (extensions !== undefined && typeof extensions !== 'object') problems.push('extensions is no object');
  if (errors !== undefined) problems.push(...errorsProblems(errors));
  if (known.data !== undefined && errors === undefined && !isDeepStrictEqual(data, known.data))
    problems.push(`wrong data: ${show(body, 400)}`);
  if (known.data !== undefined && errors !== undefined && status !== 429 && status !== 503)
    problems.push(`errors in place of data: ${show(body, 400)}`);
  return problems;
}

function errorsProblems(errors: unknown): string[] {
  if (!Array.isArray(errors) || errors.length === 0) return ['errors is no list, or an empty one'];
  return errors.flatMap((each) => errorProblems(each as Record<string, unknown>));
}

function errorProblems({
  message,
  locations,
  path,
  extensions,
  ...others
}: Record<string, unknown>): string[] {
  const problems: string[] = [];
  const { code, messages } = (extensions ?? {}) as { code?: string; messages?: string[] };
  // One that names every wrong argument is as long as they are many.
  const longest = Math.max(...(messages ?? [String(message)]).map((each) => each.length));
  if (typeof message !== 'string' || message === '') problems.push('an error without a message');
  else if (longest > LONGEST_MESSAGE) problems.push(`a message has ${longest} characters`);
  if (code === undefined || !(code in errorKinds))
    problems.push(`an error has the code ${code}: ${String(message).slice(0, 200)}`);
  if (code === 'INTERNAL_SERVER_ERROR') problems.push(`an internal error: ${String(message).slice(0, 200)}`);
  if (Object.keys(others).length > 0) problems.push(`an error has members ${Object.keys(others).join(', ')}`);
  if (path !== undefined && !isPath(path)) problems.push(`an error has the path ${JSON.stringify(path)}`);
  if (locations !== undefined && !isLocations(locations))
    problems.push(`an error is at ${JSON.stringify(locations)}`);
  return problems;
}

function isPath(path: unknown): boolean {
  return Array.isArray(path) && path.every((each) => typeof each === 'string' || Number.isInteger(each));
}

function isLocations(locations: unknown): boolean {
  return (
    Array.isArray(locations) &&
    (locations as { line?: unknown; column?: unknown }[]).every(
      ({ line, column }) => Number.isInteger(line) && Number.isInteger(column),
    )
  );
}

function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value = JSON.parse(body.toString('utf8')) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
