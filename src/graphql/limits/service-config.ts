import { MAX_ADDRESSES } from '../../avalanche/input.js';
import { connectionLimits, metricsLimits } from '../../paging/page-request.js';
import { TOKEN_LIFETIME_SECONDS } from '../../paging/token.js';
import { MAX_NODES, type Builder } from '../builder.js';
import type { Context } from '../context.js';

/** A limit that clients are told. */
export interface ServiceLimit {
  /** What is limited, with its unit. */
  description: string;
  value: (context: Context) => number;
}

export type ServiceLimits = Readonly<Record<string, ServiceLimit>>;

const serviceLimits: ServiceLimits = {
  maxPageSize: {
    description: 'Most rows on a page: the largest first or last of a connection, and pageSize of REST.',
    value: () => connectionLimits.max,
  },
  defaultPageSize: {
    description: 'Rows on a page when neither first nor last is given.',
    value: () => connectionLimits.default,
  },
  maxMetricsPageSize: {
    description:
      'Most rows on a page of compositeQuery and subnetMetric, and pageSize of REST under /v2. What is selected of them counts towards maxCost like the rows of any connection.',
    value: () => metricsLimits.max,
  },
  defaultMetricsPageSize: {
    description: 'Rows on such a page when neither first nor last is given.',
    value: () => metricsLimits.default,
  },
  pageTokenLifetimeSeconds: {
    description: 'How long a cursor or page token is valid after its issue, seconds.',
    value: () => TOKEN_LIFETIME_SECONDS,
  },
  maxAddresses: {
    description: 'Most addresses in one list of UTXOs.',
    value: () => MAX_ADDRESSES,
  },
  maxNodeIds: {
    description: 'Most ids in one nodes field.',
    value: () => MAX_NODES,
  },
  maxCost: {
    description:
      'Highest cost of an operation. Each field counts 1, and what stands in the rows of a connection counts once for each row of its page, whether the page will be full or not.',
    value: ({ config }) => config.MAX_COST,
  },
  maxDepth: {
    description: 'Deepest nesting of fields in an operation; introspection is left out.',
    value: ({ config }) => config.MAX_DEPTH,
  },
  maxAliases: {
    description: 'Most aliases in a document.',
    value: ({ config }) => config.MAX_ALIASES,
  },
  maxTokens: {
    description: 'Most lexical tokens (names, numbers, strings, punctuation) in a document.',
    value: ({ config }) => config.MAX_TOKENS,
  },
  maxBodyBytes: {
    description: 'Largest body of a request, bytes.',
    value: ({ config }) => config.MAX_BODY_BYTES,
  },
  requestTimeoutMilliseconds: {
    description: 'Time after which a request is given up, milliseconds.',
    value: ({ config }) => config.REQUEST_TIMEOUT_MS,
  },
  maxRequestsInFlight: {
    description: 'Requests that one process answers at the same time; further ones are refused with 503.',
    value: ({ config }) => config.MAX_REQUESTS_IN_FLIGHT,
  },
};

/**
 * Registers the query field serviceConfig, which tells every limit that a client can run into.
 *
 * @param more limits of single resources
 */
export function registerServiceConfig(builder: Builder, more: ServiceLimits): void {
  const serviceConfig = builder.objectRef<object>('ServiceConfig').implement({
    description: 'The limits that this gateway is run with. They hold for documents of clients.',
    fields: (t) =>
      Object.fromEntries(
        Object.entries({ ...serviceLimits, ...more }).map(([name, { description, value }]) => [
          name,
          t.int({ description, resolve: (_config, _args, context) => value(context) }),
        ]),
      ),
  });
  builder.queryField('serviceConfig', (t) =>
    t.field({
      type: serviceConfig,
      description: 'The limits of this gateway.',
      resolve: () => ({}),
    }),
  );
}
