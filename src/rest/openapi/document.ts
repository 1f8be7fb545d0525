import { Kind } from 'graphql';
import type { Route } from '../route.js';
import { schemas } from '../schemas/index.js';
import { errorRefs, errorResponses, rateLimitHeaders, rateLimitRefs } from './errors.js';

/** A path as the document describes it; routes are such, and so are the few paths without a GraphQL operation. */
export type DescribedRoute = Pick<
  Route,
  'method' | 'path' | 'summary' | 'description' | 'parameters' | 'body' | 'response'
> &
  Partial<Pick<Route, 'document'>> & {
    /** Statuses beside 200 that have the reply's own schema, with what they mean. */
    others?: Readonly<Record<number, string>>;
  };

/** Where clients reach the service. */
export interface OpenApiServers {
  /** Not given: where the document was read from. */
  publicUrl?: string | undefined;
  /** Where the /v2 paths are; not given: the same. */
  metricsUrl?: string | undefined;
}

const API_KEY = 'ApiKey';

/** First match wins. */
const tags: readonly (readonly [path: RegExp, tag: string, description: string])[] = [
  [/^\/v1\/networks\//, 'Primary network', 'UTXOs, transactions and vertices of the P-, X- and C-chain.'],
  [/\/nfts\//, 'NFTs', 'Metadata of NFT tokens.'],
  [/^\/v1\/chains/, 'EVM chains', 'Chains, and the internal transactions of their addresses.'],
  [/^\/v1\/icm\//, 'Interchain messages', 'Messages between chains (ICM).'],
  [/-check$/, 'Health', 'Whether the service works.'],
  [/^\/v2\//, 'Metrics', 'Composite queries of addresses, and metrics of subnets.'],
];

/**
 * The OpenAPI 3.1 description of the REST API, made from the very declarations that its requests are checked by.
 */
export function openApiDocument(routes: readonly DescribedRoute[], servers: OpenApiServers) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = operation(route);
    if (servers.metricsUrl && route.path.startsWith('/v2/')) path['servers'] = [{ url: servers.metricsUrl }];
  }
  const used = new Set(routes.map(({ path }) => tagOf(path)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Moraine',
      version: '1',
      description:
        'Blockchain data of Avalanche-family chains: outputs, transactions, vertices, internal transactions, interchain messages and metrics. Amounts and other large numbers are strings of decimal digits, timestamps are Unix seconds, and a member without a value is left out. Lists give a nextPageToken while there are more pages. The same data is one GraphQL graph at /graphql.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: servers.publicUrl ?? '/' }],
    // Both: a key raises the limits, and nobody has to have one.
    security: [{}, { [API_KEY]: [] }],
    tags: tags.filter(([, name]) => used.has(name)).map(([, name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        [API_KEY]: {
          type: 'apiKey',
          in: 'header',
          name: 'x-service-api-key',
          description: 'An API key; it gives higher rate limits.',
        },
      },
      headers: rateLimitHeaders,
      responses: errorResponses,
      schemas,
    },
  };
}

function operation(route: DescribedRoute) {
  const { description, status = 200, schema } = route.response;
  const content = schema && { 'application/json': { schema } };
  const others = Object.entries(route.others ?? {}).map(([code, meaning]) => [
    code,
    { description: meaning, content },
  ]);
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: route.description,
    tags: [tagOf(route.path)],
    ...parametersOf(route),
    ...(route.body && { requestBody: requestBody(route.body) }),
    responses: {
      [status]: { description, headers: rateLimitRefs, ...(content && { content }) },
      ...errorRefs,
      ...(Object.fromEntries(others) as object),
    },
  };
}

function parametersOf({ parameters }: DescribedRoute) {
  const described = Object.entries(parameters).map(([name, { in: place, description, schema, example }]) => ({
    name,
    in: place,
    required: place === 'path',
    description,
    schema,
    ...(example !== undefined && { example }),
  }));
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

function tagOf(path: string): string {
  return tags.find(([pattern]) => pattern.test(path))?.[1] ?? 'Other';
}
