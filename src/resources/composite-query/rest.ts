import { badInput, Problems } from '../../errors.js';
import { refuseNearSpellings } from '../../arguments/near-spelling.js';
import { optional } from '../../arguments/argument.js';
import { graphql } from '../../generated/graphql/gql.js';
import type { SubQueryInput } from '../../generated/graphql/graphql.js';
import { EVM_ADDRESS, only } from '../../avalanche/patterns.js';
import { metricsLimits } from '../../paging/page-request.js';
import { checkTokenForm } from '../../paging/token.js';
import type { RouteBody } from '../../rest/body.js';
import { pageSizeArgument, pageTokenArgument } from '../../rest/parameter.js';
import { listReply, page } from '../../rest/reply.js';
import { defineRoute } from '../../rest/route.js';
import { ref, text, whole } from '../../fields/json-schema.js';
import { compositeBodyExample, compositeBodySchemas } from './request-body.js';
import { forGraphQL, wrong } from './parameter.js';
import { readSubQueries, type Operator, type SubQuery } from './request.js';
import { inputField } from './sub-query.js';

const compositeQuery = graphql(`
  query CompositeQuery(
    $operator: CompositeOperator!
    $queries: [SubQueryInput!]!
    $pageSize: Int
    $pageToken: String
  ) {
    compositeQuery(operator: $operator, queries: $queries, first: $pageSize, after: $pageToken) {
      json
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
      subQueryCounts {
        id
        count
      }
    }
  }
`);

const anyPageSize = pageSizeArgument(metricsLimits);
const parameters = {
  pageToken: pageTokenArgument,
  // Null when absent, so that it differs from 1000 if the body says another size.
  pageSize: optional({ ...anyPageSize, default: undefined }),
};

interface CompositeBody {
  operator: Operator;
  queries: SubQuery[];
  pageToken: string | null;
  pageSize: number | null;
}

const BODY_FIELDS: readonly (keyof CompositeBody)[] = ['operator', 'queries', 'pageToken', 'pageSize'];

const body: RouteBody<CompositeBody> = {
  description:
    'The sub-queries and how to combine them. pageToken and pageSize may be given here or in the query string. For the next page, send the whole body again with its pageToken.',
  schema: ref('CompositeQueryRequest'),
  components: compositeBodySchemas,
  example: compositeBodyExample,
  read(given, query) {
    const problems = new Problems();
    problems.check(() => refuseNearSpellings(Object.keys(given), BODY_FIELDS));
    const operator = problems.check(() => readOperator(given['operator']));
    const queries = problems.check(() => readSubQueries(given['queries']));
    const pageToken = problems.check(() => pageField('pageToken', query, readPageToken(given['pageToken'])));
    const pageSize = problems.check(() => pageField('pageSize', query, readSize(given['pageSize'])));
    problems.throwIfAny();
    return { operator, queries, pageToken, pageSize } as CompositeBody;
  },
};

function readOperator(value: unknown): Operator {
  if (value === 'AND' || value === 'OR') return value;
  throw wrong('operator', value, 'AND or OR, in capitals');
}

// Only this code knows which member it is, and that there is one; the compiler does not.
function toInputs(queries: readonly SubQuery[]): SubQueryInput[] {
  return queries.map(({ id, type, params }) => {
    const inputs = Object.entries(type.parameters)
      .filter(([name]) => params[name] !== undefined)
      .map(([name, parameter]): [string, unknown] => [name, forGraphQL(parameter, params[name])]);
    return { [inputField(type)]: { id, ...Object.fromEntries(inputs) } } as unknown as SubQueryInput;
  });
}

function readPageToken(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') return checkTokenForm('pageToken', value);
  throw wrong('pageToken', value, 'the nextPageToken of a previous page');
}

function readSize(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return anyPageSize.read('pageSize', value, {});
  throw wrong('pageSize', value, 'a whole number of 1 to 10000');
}

/** From the body or the query string; in both it must be the same. */
function pageField<T>(name: string, query: Readonly<Record<string, unknown>>, inBody: T | null): T | null {
  const inQuery = (query[name] ?? null) as T | null;
  if (inBody !== null && inQuery !== null && inBody !== inQuery)
    throw badInput(
      `${name}: ${String(inBody)} in the body, ${String(inQuery)} in the query string; give it once`,
    );
  return inBody ?? inQuery;
}

const address = text('An address in mixed-case checksum form.', { pattern: only(EVM_ADDRESS) });

export const compositeRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v2/lookingGlass/compositeQuery',
    summary: 'Composite query',
    description:
      'Addresses that match several sub-queries about balances and NFTs over days, all (AND) or any (OR) of them, with the count of each sub-query. If the data change while a client reads page after page, the next pages come from the result of the first page as long as that is cached; otherwise they are refused with 400.',
    parameters,
    body,
    document: compositeQuery,
    variables: (_parameters, { operator, queries, pageToken, pageSize }) => ({
      operator,
      queries: toInputs(queries),
      pageToken,
      pageSize: pageSize ?? metricsLimits.default,
    }),
    reply: ({ compositeQuery: { subQueryCounts, totalCount, ...page } }) => {
      // Joined as texts: an object would lose a sub-query named __proto__.
      const counts = subQueryCounts.map(({ id, count }) => `${JSON.stringify(id)}:${count}`);
      const more = `,"subQueryCounts":{${counts.join(',')}},"totalCount":${totalCount}`;
      return listReply('addresses', page, more);
    },
    response: {
      description: 'A page of addresses.',
      schema: ref('CompositePage'),
      components: {
        CompositePage: page('addresses', address, {
          subQueryCounts: {
            type: 'object',
            description: 'How many addresses each sub-query matches, by its id.',
            additionalProperties: whole('Number of addresses.'),
          },
          totalCount: whole('Number of addresses in the whole combined result.'),
        }),
      },
      example: {
        addresses: [
          '0xc64566564feD93A88caD300F92042c09aEFF6575',
          '0x3160fbB6B42C6F08E9c55F58A9Eb5d0575741EDF',
        ],
        nextPageToken: '6d2e7bcd-e975-4856-9428-bb47039555ac',
        subQueryCounts: { balance: 189, nft: 69 },
        totalCount: 38,
      },
    },
  }),
];
