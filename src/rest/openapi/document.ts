import { version } from '../../package.js';
import { Kind } from 'graphql';
import type { ErrorCode } from '../../errors.js';
import type { JsonSchemas } from '../../fields/json-schema.js';
import { csvForm } from '../csv.js';
import type { Route } from '../route.js';
import { cachingHeaderObjects, cachingRefs, notModified } from './errors.js';
import { errorRefs, errorResponses, errorSchemas, rateLimitHeaderObjects, rateLimitRefs } from './errors.js';

/** A group of paths. */
export interface Tag {
  name: string;
  description: string;
}

/** A path as the document describes it: a route, or one of the few paths without a GraphQL operation. */
export type DescribedRoute = Pick<
  Route,
  'method' | 'path' | 'summary' | 'description' | 'parameters' | 'body' | 'response'
> &
  Partial<Pick<Route, 'document' | 'missing' | 'refusals'>> & {
    tag: Tag;
    /** Statuses in addition to 200 that have the reply's own schema, with their meaning. */
    others?: Readonly<Record<number, string>>;
  };

/** What the document contains in addition to its paths. */
export interface OpenApiOptions {
  /** Where clients reach the service. Not given: where the document was read from. */
  publicUrl?: string | undefined;
  /** Where the /v2 paths are; not given: the same. */
  metricsUrl?: string | undefined;
  /** The headers that may contain a key. */
  keyHeaders: readonly string[];
}

/** The OpenAPI 3.0 description of the REST API, made from the declarations that also check its requests. */
export function openApiDocument(
  routes: readonly DescribedRoute[],
  { publicUrl, metricsUrl, keyHeaders }: OpenApiOptions,
) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = operation(route);
    if (metricsUrl && route.path.startsWith('/v2/')) path['servers'] = [{ url: metricsUrl }];
  }
  const description = 'An API key, which raises the rate limits.';
  const schemes = keyHeaders.map(
    (name, index) =>
      [index ? `ApiKey${index + 1}` : 'ApiKey', { type: 'apiKey', in: 'header', name, description }] as const,
  );
  return {
    // Not 3.1, whose lists of types and constants half of the generators do not support
    // (docs/decisions/0042-openapi.md).
    openapi: '3.0.3',
    info: {
      title: 'Moraine',
      version,
      description:
        'Blockchain data of Avalanche-family chains: outputs, transactions, vertices, internal transactions, interchain messages and metrics. Amounts and other large numbers are strings of decimal digits, timestamps are Unix seconds, and a member without a value is left out. Locktimes, ends of staking periods, weights and thresholds are unsigned 64-bit numbers, up to 18446744073709551615; no chain is known to use a value beyond int64. Lists give a nextPageToken while there are more pages; with accept: text/csv they are CSV, and the header link has the address of the next page. The same data is available in GraphQL at /graphql.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: publicUrl ?? '/' }],
    // Both, because a key raises the limits and is optional.
    security: [{}, ...schemes.map(([name]) => ({ [name]: [] }))],
    tags: [...new Set(routes.map(({ tag }) => tag))],
    paths,
    components: {
      securitySchemes: Object.fromEntries(schemes),
      headers: { ...rateLimitHeaderObjects, ...cachingHeaderObjects },
      responses: { ...notModified, ...errorResponses },
      schemas: Object.assign(
        {},
        errorSchemas,
        ...routes.flatMap(({ body, response }) => [body?.components, response.components]),
      ) as JsonSchemas,
    },
  };
}

/** RFC 4180. */
const AS_CSV = 'With accept: text/csv the rows are CSV, under a line with the names of the columns.';

function operation(route: DescribedRoute) {
  const { description, status = 200, schema, example } = route.response;
  const content = schema && { 'application/json': { schema } };
  const success = content && { 'application/json': { schema, ...(example !== undefined && { example }) } };
  const isCached = route.method === 'GET' && route.document !== undefined;
  const headers = isCached ? { ...rateLimitRefs, ...cachingRefs } : rateLimitRefs;
  const others = Object.entries(route.others ?? {}).map(([code, meaning]) => [
    code,
    { description: meaning, content },
  ]);
  return {
    operationId: operationId(route),
    summary: route.summary,
    // Not a second media type, which generators make a union of that every caller has to take apart.
    description: csvForm(route.response) ? `${route.description} ${AS_CSV}` : route.description,
    tags: [route.tag.name],
    ...parametersOf(route),
    ...(route.body && { requestBody: requestBody(route.body) }),
    responses: {
      [status]: { description, headers, ...(success && { content: success }) },
      ...(isCached && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...errorRefs(refusalsOf(route)),
      ...(Object.fromEntries(others) as object),
    },
  };
}

/** The refusals of a path. A path without an operation is free, and is also answered under overload. */
function refusalsOf({
  method,
  parameters,
  body,
  document,
  missing,
  refusals = [],
}: DescribedRoute): ErrorCode[] {
  return [
    ...(Object.keys(parameters).length > 0 || body ? (['BAD_USER_INPUT'] as const) : []),
    ...(document ? (['UNAUTHENTICATED', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'] as const) : []),
    ...(method !== 'GET' ? (['PAYLOAD_TOO_LARGE'] as const) : []),
    ...(missing ? (['NOT_FOUND'] as const) : []),
    ...refusals,
    ...(['METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE', 'INTERNAL_SERVER_ERROR'] as const),
  ];
}

function parametersOf({ path, parameters }: DescribedRoute) {
  const described = Object.entries(parameters).map(([name, parameter]) => {
    const { description, note, schema, example, optional, default: fallback } = parameter;
    const inPath = path.includes(`{${name}}`);
    return {
      name,
      in: inPath ? 'path' : 'query',
      required: inPath || (!optional && fallback === undefined),
      description: note === undefined ? description : `${description} ${note}`,
      schema,
      ...(example !== undefined && { example }),
    };
  });
  return described.length > 0 ? { parameters: described } : {};
}

function requestBody({ description, schema, example }: NonNullable<DescribedRoute['body']>) {
  return {
    description,
    required: true,
    content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
  };
}

/** The operation's name in its GraphQL document, else made from the path: `v1HealthCheck`. */
function operationId({ document, path }: DescribedRoute): string {
  const definition = document?.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const name = definition?.kind === Kind.OPERATION_DEFINITION ? definition.name?.value : undefined;
  if (name) return name.charAt(0).toLowerCase() + name.slice(1);
  return path
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}
