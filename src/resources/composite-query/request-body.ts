import { metricsLimits } from '../../paging/page-request.js';
import { MAX_SUB_QUERIES } from './query.js';
import { subQueryTypes } from './sub-queries/index.js';
import type { SubQueryType } from './sub-query.js';

/** JSON Schema of the body of a composite query, made from the types of sub-queries. */
export const compositeBodySchema = {
  type: 'object',
  required: ['operator', 'queries'],
  properties: {
    operator: { type: 'string', enum: ['AND', 'OR'] },
    queries: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_SUB_QUERIES,
      items: { oneOf: subQueryTypes.map(subQuerySchema) },
    },
    pageToken: { type: 'string', description: 'The nextPageToken of a previous page.' },
    pageSize: { type: 'integer', minimum: 1, maximum: metricsLimits.max, default: metricsLimits.default },
  },
};

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

function subQuerySchema({ type, description, parameters }: SubQueryType) {
  const entries = Object.entries(parameters);
  return {
    type: 'object',
    description,
    required: ['id', 'type', 'params'],
    properties: {
      id: { type: 'string', minLength: 1 },
      type: { type: 'string', enum: [type] },
      params: {
        type: 'object',
        required: entries.filter(([, { optional }]) => !optional).map(([name]) => name),
        properties: Object.fromEntries(
          entries.map(([name, { schema, description: meaning }]) => [
            name,
            { ...schema, description: meaning },
          ]),
        ),
      },
    },
  };
}
