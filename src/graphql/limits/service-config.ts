import { fieldLimitsOf, type FieldLimit } from '../../access/field-limits.js';
import { MAX_ADDRESSES } from '../../avalanche/input.js';
import { version } from '../../package.js';
import { connectionLimits, metricsLimits } from '../../paging/page-request.js';
import { TOKEN_LIFETIME_SECONDS } from '../../paging/token.js';
import { MAX_NODES, type Builder } from '../builder.js';
import type { Context } from '../context.js';

/** A limit that serviceConfig publishes. */
export interface ServiceLimit {
  /** What is limited, with its unit. */
  description: string;
  value: (context: Context) => number;
}

export type ServiceLimits = Readonly<Record<string, ServiceLimit>>;

const serviceLimits: ServiceLimits = {
  maxPageSize: {
    description:
      'Maximum number of rows on a page: the largest first or last of a connection, and pageSize of REST.',
    value: () => connectionLimits.max,
  },
  defaultPageSize: {
    description: 'Rows on a page when neither first nor last is given.',
    value: () => connectionLimits.default,
  },
  maxMetricsPageSize: {
    description:
      'Maximum number of rows on a page of compositeQuery and subnetMetric, and pageSize of REST under /v2. If only scalars are selected of the rows, ten rows count towards maxCost as one; otherwise they count like the rows of any connection.',
    value: () => metricsLimits.max,
  },
  defaultMetricsPageSize: {
    description: 'Rows on a page of compositeQuery and subnetMetric when neither first nor last is given.',
    value: () => metricsLimits.default,
  },
  pageTokenLifetimeSeconds: {
    description: 'How long a cursor or page token is valid after its issue, seconds.',
    value: () => TOKEN_LIFETIME_SECONDS,
  },
  maxAddresses: {
    description: 'Maximum number of addresses in one list of UTXOs.',
    value: () => MAX_ADDRESSES,
  },
  maxNodeIds: {
    description: 'Maximum number of ids in one nodes field.',
    value: () => MAX_NODES,
  },
  maxCost: {
    description:
      'Highest cost of an operation. Each field counts 1. Fields in the rows of a connection count once for each row of the requested page size, even if fewer rows exist (less often for long pages: see maxMetricsPageSize). Every result reports the cost as extensions.cost.asked.',
    value: ({ config }) => config.MAX_COST,
  },
  maxDepth: {
    description: 'Deepest nesting of fields in an operation; introspection is left out.',
    value: ({ config }) => config.MAX_DEPTH,
  },
  maxAliases: {
    description: 'Maximum number of aliases in a document.',
    value: ({ config }) => config.MAX_ALIASES,
  },
  maxTokens: {
    description:
      'Maximum number of lexical tokens (names, numbers, strings, punctuation) in a document, and of lines; a document may have 32 times as many characters.',
    value: ({ config }) => config.MAX_TOKENS,
  },
  maxBodyBytes: {
    description:
      'Largest body of a request, bytes. Its JSON may be nested 64 deep and have 10,000 members in all, those of lists included.',
    value: ({ config }) => config.MAX_BODY_BYTES,
  },
  requestTimeoutMilliseconds: {
    description: 'Time after which a request is cancelled, milliseconds.',
    value: ({ config }) => config.REQUEST_TIMEOUT_MS,
  },
  maxRequestsInFlight: {
    description: 'Requests that one process answers at the same time; further ones are refused with 503.',
    value: ({ config }) => config.MAX_REQUESTS_IN_FLIGHT,
  },
};

/** Registers the query field serviceConfig, which publishes every limit that a client can reach. */
export function registerServiceConfig(builder: Builder): void {
  const fieldLimit = builder.objectRef<FieldLimit & { field: string }>('FieldLimit').implement({
    description:
      'A rate limit of a single field, in addition to the limit of the plan. An operation makes one call for each response key (name or alias) under which it selects the field, however many rows contain it. A REST request that uses the field makes one call.',
    fields: (t) => ({
      field: t.exposeString('field', {
        description: 'The type and the field, for example Query.compositeQuery.',
      }),
      calls: t.exposeInt('calls', { description: 'Calls allowed in any period of this length (seconds).' }),
      seconds: t.exposeInt('seconds', { description: 'Length of the period, seconds.' }),
    }),
  });
  builder.objectType('ServiceConfig', {
    description: 'The version and the limits of this gateway. The limits apply to the documents of clients.',
    fields: (t) => ({
      version: t.string({
        description: 'The version of Moraine, for example 0.1.0.',
        resolve: () => version,
      }),
      costPerRequest: t.int({
        nullable: true,
        description:
          'The cost (see maxCost; without introspection) that counts as one request of the plan. An operation is charged one request for each root field, or its cost divided by this number and rounded up, whichever is more. A new document or an answer of introspection that is not in memory may be charged more: see RateLimit. A REST request is always charged 1. Null when operations are charged by root fields only.',
        resolve: (_config, _args, { charge, config }) => (charge.limited ? config.COST_PER_REQUEST : null),
      }),
      fieldLimits: t.field({
        type: [fieldLimit],
        description:
          "Fields that have their own rate limits on the caller's plan. An operation that exceeds one of them is refused as a whole.",
        resolve: (_config, _args, { charge }, { schema }) =>
          charge.limited
            ? [...fieldLimitsOf(schema, charge.plan)].map(([field, limit]) => ({ field, ...limit }))
            : [],
      }),
    }),
  });
  registerLimits(builder, serviceLimits);
  builder.queryField('serviceConfig', (t) =>
    t.field({
      type: 'ServiceConfig',
      description: 'The version and the limits of this gateway.',
      resolve: () => ({}),
    }),
  );
}

/** Adds limits to serviceConfig: those of a resource, which registers them with its types. */
export function registerLimits(builder: Builder, limits: ServiceLimits): void {
  builder.objectFields('ServiceConfig', (t) =>
    Object.fromEntries(
      Object.entries(limits).map(([name, { description, value }]) => [
        name,
        t.int({ description, resolve: (_config, _args, context) => value(context) }),
      ]),
    ),
  );
}
