import { badInput } from '../errors.js';
import type { ArgumentSchema } from '../arguments/argument.js';
import type { JsonSchemas } from '../fields/json-schema.js';

/** The JSON body of a route: how it is described and read. */
export interface RouteBody<T> {
  description: string;
  /** JSON Schema, for OpenAPI. */
  schema: ArgumentSchema;
  /** The schemas that it refers to, by name. */
  components?: JsonSchemas;
  example: unknown;
  /**
   * Reads the body's object.
   *
   * @param query the query parameters, if a member of the body may also be given in the query string
   * @throws AppError BAD_USER_INPUT that names every wrong member
   */
  read: (body: Readonly<Record<string, unknown>>, query: Readonly<Record<string, unknown>>) => T;
}

/**
 * The object of a request's body.
 *
 * @param contentType from the request's header
 * @throws AppError BAD_USER_INPUT when it is something else
 */
export function parseBody(contentType: string | undefined, text: unknown): Record<string, unknown> {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? ''))
    throw badInput(
      `content-type: ${contentType ? `${JSON.stringify(contentType.slice(0, 80))} is not` : 'is missing; it must be'} application/json`,
    );
  if (typeof text !== 'string' || text.trim() === '')
    throw badInput('body: is empty; it must be a JSON object');
  const value = tryParse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw badInput('body: is not a JSON object');
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badInput(`body: is not JSON: ${(error as Error).message.slice(0, 120)}`);
  }
}
