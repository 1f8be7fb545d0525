import { errorKinds, type ErrorCode } from '../../errors.js';
import { int32, int64, object, ref, text } from '../../fields/json-schema.js';
import type { JsonSchema, JsonSchemas } from '../../fields/json-schema.js';

const seconds = (description: string): JsonSchema => ({
  description,
  schema: { ...int64, minimum: 1 },
});
const retryAfter = seconds('Whole seconds after which the same request may succeed.');
const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Headers of every reply to a request with a valid API key. */
export const rateLimitHeaderObjects: Readonly<Record<string, JsonSchema>> = {
  'ratelimit-policy': {
    description: 'The policy of the key, for example 8000;w=60;name="free". Sent only with a valid API key.',
    schema: { type: 'string' },
  },
  'ratelimit-limit': {
    description: 'Requests that the policy allows in its period. Sent only with a valid API key.',
    schema: int64,
  },
  'ratelimit-remaining': {
    description: 'Requests left in the period. Sent only with a valid API key.',
    schema: int64,
  },
};

/** References to the headers above. */
export const rateLimitRefs = Object.fromEntries(
  Object.keys(rateLimitHeaderObjects).map((name) => [name, headerRef(name)]),
);

/** Headers of every answer to a GET that is not refused. */
export const cachingHeaderObjects: Readonly<Record<string, JsonSchema>> = {
  etag: {
    description:
      'The tag of the answer. Send it as If-None-Match to learn whether the answer is still the same.',
    schema: { type: 'string' },
  },
  'cache-control': {
    description:
      'no-cache: ask before the answer is used again. max-age: the answer is of what hardly ever changes any more.',
    schema: { type: 'string' },
  },
};

export const cachingRefs = Object.fromEntries(
  Object.keys(cachingHeaderObjects).map((name) => [name, headerRef(name)]),
);

/** `components.responses`: what is no refusal. */
export const notModified = {
  NotModified: {
    description: 'The answer has the tag that If-None-Match names: what the client has is still right.',
    headers: { ...rateLimitRefs, ...cachingRefs },
  },
};

const refusals = [
  [
    'BadRequest',
    'BAD_USER_INPUT',
    'A parameter, the page token or the body is wrong. The message names all that are wrong.',
  ],
  ['Unauthorized', 'UNAUTHENTICATED', 'The API key is unknown, malformed, expired or revoked.'],
  ['Forbidden', 'FORBIDDEN', 'The API key is valid but does not have the required right.'],
  ['NotFound', 'NOT_FOUND', 'The requested data is not indexed.'],
  [
    'MethodNotAllowed',
    'METHOD_NOT_ALLOWED',
    'The path does not support the method; the header allow lists those that it supports.',
  ],
  ['RequestTimeout', 'REQUEST_TIMEOUT', 'The head or the body of the request did not arrive in time.'],
  ['PayloadTooLarge', 'PAYLOAD_TOO_LARGE', 'The body is too large.'],
  ['TooManyRequests', 'RATE_LIMITED', 'The rate limit is reached.'],
  ['HeadersTooLarge', 'HEADERS_TOO_LARGE', 'The head of the request is too large.'],
  ['InternalServerError', 'INTERNAL_SERVER_ERROR', 'An internal error of this service.'],
  ['NotImplemented', 'NOT_IMPLEMENTED', 'Moraine does not have the data. The message says why.'],
  ['BadGateway', 'BAD_GATEWAY', 'A service that this one depends on sent an invalid answer.'],
  [
    'ServiceUnavailable',
    'SERVICE_UNAVAILABLE',
    'The service is overloaded or shutting down, or the database cannot be reached.',
  ],
] as const satisfies readonly (readonly [name: string, code: ErrorCode, description: string])[];

const extraHeaders: Readonly<Record<number, Readonly<Record<string, JsonSchema>>>> = {
  405: { allow: { description: 'The methods that the path supports.', schema: { type: 'string' } } },
  429: {
    'retry-after': retryAfter,
    'ratelimit-reset': seconds('The same number of seconds as retry-after.'),
  },
  503: { 'retry-after': retryAfter },
};

/** The body of every refusal. */
export const errorSchemas: JsonSchemas = {
  Error: object('Why a request was not answered.', {
    // Without a type: generated Java does not compile if one of several alternatives is a list.
    message: { description: 'What is wrong: a text, or a list of texts if several parameters are wrong.' },
    error: text('The kind of error, for example Bad Request.'),
    statusCode: { ...int32, description: 'The HTTP status.' },
  }),
};

/** `components.responses`: every refusal, by name. */
export const errorResponses = Object.fromEntries(
  refusals.map(([name, code, description]) => {
    const { status, title } = errorKinds[code];
    const example = { message: description, error: title, statusCode: status };
    const headers = { ...rateLimitRefs, ...extraHeaders[status] };
    return [
      name,
      { description, headers, content: { 'application/json': { schema: ref('Error'), example } } },
    ];
  }),
);

/** References to refusals, by status. */
export function errorRefs(codes: readonly ErrorCode[]): Record<string, JsonSchema> {
  const given = refusals.filter(([, code]) => codes.includes(code));
  return Object.fromEntries(
    given.map(([name, code]) => [errorKinds[code].status, { $ref: `#/components/responses/${name}` }]),
  );
}
