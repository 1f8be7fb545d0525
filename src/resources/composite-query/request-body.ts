import { int32, list, nullable, openObject, ref } from '../../fields/json-schema.js';
import type { JsonSchema, JsonSchemas } from '../../fields/json-schema.js';
import { metricsLimits } from '../../paging/page-request.js';
import { pageTokenArgument } from '../../rest/parameter.js';
import { MAX_SUB_QUERIES } from './request.js';
import { subQueryTypes } from './sub-queries.js';
import type { SubQueryForm, SubQueryType } from './sub-query.js';

const october = { firstDate: '2026-10-01', lastDate: '2026-10-30' };

/** A query that finds addresses in the sample. */
export const compositeBodyExample = {
  operator: 'AND',
  queries: [
    {
      id: 'balance',
      type: 'AllTimeNativeBalance',
      params: { evmChainId: '43113', ...october, minBalance: '10000000000000000' },
    },
    {
      id: 'nft',
      type: 'AnyTimeNftHolders',
      params: {
        evmChainId: '43113',
        contractAddress: '0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6',
        ...october,
      },
    },
  ],
};

/** JSON Schemas of the body of a composite query, made from the types of sub-queries. */
export const compositeBodySchemas: JsonSchemas = {
  CompositeQueryRequest: openObject(
    'Sub-queries and how to combine them.',
    {
      operator: {
        type: 'string',
        description: 'Whether an address must match all sub-queries (AND) or any of them (OR).',
        enum: ['AND', 'OR'],
      },
      queries: {
        ...list('The sub-queries, 1 to 10, each with its own id.', ref('SubQuery')),
        minItems: 1,
        maxItems: MAX_SUB_QUERIES,
      },
    },
    {
      pageToken: nullable({
        ...pageTokenArgument.schema,
        description: 'The nextPageToken of a previous page.',
      }),
      pageSize: nullable({
        ...int32,
        minimum: 1,
        maximum: metricsLimits.max,
        description: `Maximum number of addresses on the page; ${metricsLimits.default} if omitted.`,
      }),
    },
  ),
  SubQuery: {
    description: 'A condition that addresses match.',
    oneOf: subQueryTypes.map(({ type }) => ref(type)),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(subQueryTypes.map(({ type }) => [type, ref(type)['$ref']])),
    },
  },
  ...Object.fromEntries(subQueryTypes.flatMap((each) => Object.entries(subQuerySchemas(each)))),
};

/** The schemas of a type and of its parameters, by name. */
function subQuerySchemas(subQuery: SubQueryType): JsonSchemas {
  const { type, description, forms } = subQuery;
  const named = Object.entries(forms ?? { Params: {} }).map(
    ([name, form]) => [`${type}${name}`, paramsSchema(subQuery, form)] as const,
  );
  const refs = named.map(([name]) => ref(name));
  return {
    [type]: openObject(description, {
      id: {
        type: 'string',
        minLength: 1,
        description: 'A name that you choose; subQueryCounts has the count under it.',
      },
      type: { type: 'string', enum: [type], description: 'The type of the condition.' },
      params: refs.length === 1 ? (refs[0] as JsonSchema) : { oneOf: refs },
    }),
    ...Object.fromEntries(named),
  };
}

function paramsSchema(
  { parameters }: SubQueryType,
  { needs = [], excludes = [], is = {} }: SubQueryForm,
): JsonSchema {
  const described = Object.entries(parameters).filter(([name]) => !excludes.includes(name));
  const required: Record<string, JsonSchema> = {};
  const others: Record<string, JsonSchema> = {};
  for (const [name, { schema, description, optional }] of described) {
    const choice = is[name];
    const described = { ...schema, ...(choice !== undefined && { enum: [choice] }), description };
    if (!optional || needs.includes(name)) required[name] = described;
    else others[name] = nullable(described);
  }
  const without = excludes.length > 0 && { not: { anyOf: excludes.map((name) => ({ required: [name] })) } };
  return { ...openObject('Parameters of the sub-query.', required, others), ...without };
}
