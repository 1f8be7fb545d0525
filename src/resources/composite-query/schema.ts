import type { RateLimitExtension } from '../../access/field-limits.js';
import { longPages, type CostExtension } from '../../graphql/limits/cost-extension.js';
import { checkBoth } from '../../errors.js';
import { argumentRefs, argumentsOf, pageRefs, pageRequest } from '../../graphql/arguments.js';
import { registerLimits, type ServiceLimits } from '../../graphql/limits/service-config.js';
import type { Builder } from '../../graphql/builder.js';
import { loadRow } from '../../graphql/row-loader.js';
import { metricsLimits } from '../../paging/page-request.js';
import { findFollowedTimes } from '../evm-holding/followed-list.js';
import { loadEvmAddresses } from '../internal-tx/evm-address-schema.js';
import { evmAddressesArguments } from './arguments.js';
import { readComposite, type CompositeConnection, type SubQueryCount } from './connection-schema.js';
import { MAX_SUB_QUERIES, readSubQueries } from './request.js';
import type { GivenSubQuery, Operator, SubQuery } from './request.js';
import { subQueryTypes } from './sub-queries.js';
import { inputField, type SubQueryType } from './sub-query.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    CompositeQueryConnection: CompositeConnection;
    SubQueryCount: SubQueryCount;
  }
  interface LeafTypes {
    CompositeOperator: Leaf<Operator>;
    CompositeTokenType: Leaf<'NATIVE' | 'ERC20'>;
  }
}

/** Limits of composite queries, in addition to those of every query. */
const limits: ServiceLimits = {
  maxSubQueries: {
    description: 'Maximum number of sub-queries in one composite query.',
    value: () => MAX_SUB_QUERIES,
  },
};

/** One member is set: the type's field, with the id and the parameters. */
type SubQueryInput = Record<string, Record<string, unknown> | null | undefined>;

export function registerComposite(builder: Builder): void {
  registerLimits(builder, limits);
  builder.enumType('CompositeOperator', {
    description: 'How the results of sub-queries are combined.',
    values: {
      AND: { description: 'Addresses that every sub-query matches.' },
      OR: { description: 'Addresses that any sub-query matches.' },
    },
  });
  builder.enumType('CompositeTokenType', {
    description: 'The kind of token that a balance counts.',
    values: {
      NATIVE: { description: 'The coin of the chain.' },
      ERC20: { description: 'An ERC-20 token.' },
    },
  });
  builder.objectType('SubQueryCount', {
    description: 'What one sub-query matches by itself.',
    fields: (t) => ({
      id: t.exposeString('id', { description: 'The id that the caller gave the sub-query.' }),
      count: t.exposeInt('count', { description: 'Number of addresses that the sub-query matches.' }),
      dataAsOf: t.field({
        type: 'Long',
        nullable: true,
        description:
          "Time of the newest block whose balances are stored, Unix seconds, where the balances of the sub-query's chain are followed. Days that end after it are not over: what the sub-query says of them is that of this time, and may still change. Null where they are not followed: imported files do not say how far they reach.",
        resolve: ({ evmChainId }, _args, context) => loadRow(context, findFollowedTimes, evmChainId),
      }),
    }),
  });
  builder.connectionObject(
    {
      type: 'String',
      name: 'CompositeQueryConnection',
      description: 'A page of the addresses that a composite query matches, checksummed.',
      fields: (t) => ({
        totalCount: t.int({
          description: 'Number of addresses in the whole combined result.',
          resolve: (connection) => (connection as unknown as CompositeConnection).totalCount,
        }),
        subQueryCounts: t.field({
          type: ['SubQueryCount'],
          description: 'What each sub-query matches by itself, in the order given.',
          extensions: { lengthOf: 'queries' } satisfies CostExtension,
          resolve: (connection) => (connection as unknown as CompositeConnection).subQueryCounts,
        }),
        evmAddresses: t.field({
          type: ['EvmAddress'],
          nullable: true,
          description:
            'The addresses of this page as EvmAddress objects on one chain, in the order of nodes; null when that chain is not indexed.',
          args: argumentRefs(t, evmAddressesArguments),
          resolve: (connection, args, context) => {
            const { edges, evmChainId } = connection as unknown as CompositeConnection;
            const { chainId } = argumentsOf(evmAddressesArguments, args, context);
            return loadEvmAddresses(
              context,
              chainId ?? { evmChainId },
              edges.map(({ node }) => node),
            );
          },
        }),
      }),
    },
    {
      name: 'CompositeQueryEdge',
      description: 'An address that a composite query matches, with its position in the list.',
    },
  );
  registerQuery(builder);
}

function registerInput(builder: Builder) {
  const inputs = subQueryTypes.map((type) => [type, inputOf(builder, type)] as const);
  return builder.inputRef<SubQueryInput>('SubQueryInput').implement({
    description: 'A sub-query: exactly one of the members, which is its type.',
    isOneOf: true,
    fields: (t) =>
      Object.fromEntries(
        inputs.map(([type, input]) => [
          inputField(type),
          t.field({ type: input, description: type.description }),
        ]),
      ),
  });
}

function inputOf(builder: Builder, type: SubQueryType) {
  return builder.inputRef<Record<string, unknown>>(`${type.type}Input`).implement({
    description: `Parameters of a sub-query. ${type.description}`,
    fields: (t) => ({
      id: t.string({
        required: true,
        description: 'A name that you choose; subQueryCounts returns it with the count.',
      }),
      ...Object.fromEntries(
        Object.entries(type.parameters).map(([name, { type: named, optional, description }]) => [
          name,
          t.field({ type: named as 'String', required: !optional, description }),
        ]),
      ),
    }),
  });
}

function registerQuery(builder: Builder): void {
  const input = registerInput(builder);
  builder.queryField('compositeQuery', (t) =>
    t.field({
      type: 'CompositeQueryConnection',
      description:
        'Addresses that match several sub-queries about balances and NFTs over days, all (AND) or any (OR) of them. The order is fixed. On a day without a recorded balance, the last earlier one applies. If the data change while a client reads page after page, the next pages come from the result of the first page as long as that is cached; otherwise they are refused.',
      extensions: {
        ...longPages(metricsLimits),
        // Its sub-queries read a day's holders of a whole chain: 0.4 s for 2 million of them.
        rateLimit: { calls: 600, seconds: 60 },
      } satisfies CostExtension & RateLimitExtension,
      args: {
        operator: t.arg({ type: 'CompositeOperator', required: true, description: 'How to combine them.' }),
        queries: t.arg({
          type: [input],
          required: true,
          description: `Sub-queries with different ids, 1 to ${MAX_SUB_QUERIES}.`,
        }),
        ...pageRefs(t, {
          limits: metricsLimits,
          first: 'addresses from the beginning',
          last: 'addresses from the end',
        }),
      },
      resolve: (_root, args, context) => {
        const [queries, request] = checkBoth(
          () => context.trusted?.values['queries'] ?? readSubQueries(args.queries.map(given)),
          () => pageRequest(args, context, metricsLimits),
        );
        return readComposite(context, args.operator, queries as SubQuery[], request);
      },
    }),
  );
}

/** An input in the form of REST: graphql-js made sure that it has exactly one member. */
function given(input: SubQueryInput): GivenSubQuery {
  const type = subQueryTypes.find((each) => input[inputField(each)]);
  const { id, ...params } = (type && input[inputField(type)]) ?? {};
  return { id, type: type?.type, params };
}
