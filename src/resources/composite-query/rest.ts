import { badInput, Problems, quote } from '../../errors.js';
import { graphql } from '../../generated/graphql/gql.js';
import type { SubQueryInput } from '../../generated/graphql/graphql.js';
import { metricsLimits } from '../../paging/page-request.js';
import type { RouteBody } from '../../rest/body.js';
import { pageSizeParameter, pageTokenParameter, type Parameter } from '../../rest/parameter.js';
import { listReply } from '../../rest/reply.js';
import { defineRoute } from '../../rest/route.js';
import { compositeBodyExample, compositeBodySchema } from './request-body.js';
import { forGraphQL } from './parameter.js';
import { readSubQueries, type Operator } from './query.js';
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

const anyPageSize = pageSizeParameter(metricsLimits);
const parameters = {
  pageToken: pageTokenParameter,
  // Null when absent, so that it is told apart from 1000 where the body says another size.
  pageSize: {
    ...anyPageSize,
    read: (name, text, others) => (text ? anyPageSize.read(name, text, others) : null),
  } satisfies Parameter<number | null>,
};

interface CompositeBody {
  operator: Operator;
  queries: SubQueryInput[];
  pageToken: string | null;
  pageSize: number | null;
}

const body: RouteBody<CompositeBody> = {
  description:
    'The sub-queries and how to combine them. pageToken and pageSize may stand here or in the query string; the next page is asked for with the whole body again and its pageToken.',
  schema: compositeBodySchema,
  example: compositeBodyExample,
  read(given, query) {
    const problems = new Problems();
    const operator = problems.check(() => readOperator(given['operator']));
    const queries = problems.check(() => readQueries(given['queries']));
    const pageToken = problems.check(() => pageField('pageToken', query, readToken(given['pageToken'])));
    const pageSize = problems.check(() => pageField('pageSize', query, readSize(given['pageSize'])));
    problems.throwIfAny();
    return { operator, queries, pageToken, pageSize } as CompositeBody;
  },
};

function readOperator(value: unknown): Operator {
  if (value === 'AND' || value === 'OR') return value;
  throw wrongMember('operator', value, 'AND or OR, in capitals');
}

// Which member it is, and that there is one, is known only here and not to the compiler.
function readQueries(value: unknown): SubQueryInput[] {
  return readSubQueries(value).map(({ id, type, params }) => {
    const inputs = Object.entries(type.parameters)
      .filter(([name]) => params[name] !== undefined)
      .map(([name, parameter]): [string, unknown] => [name, forGraphQL(parameter, params[name])]);
    return { [inputField(type)]: { id, ...Object.fromEntries(inputs) } } as unknown as SubQueryInput;
  });
}

function readToken(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') return value;
  throw wrongMember('pageToken', value, 'the nextPageToken of a previous page');
}

function readSize(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return anyPageSize.read('pageSize', String(value), {});
  throw wrongMember('pageSize', value, 'a whole number of 1 to 10000');
}

/** What the body or the query string says; in both it must be the same. */
function pageField<T>(name: string, query: Readonly<Record<string, unknown>>, inBody: T | null): T | null {
  const inQuery = (query[name] ?? null) as T | null;
  if (inBody !== null && inQuery !== null && inBody !== inQuery)
    throw badInput(
      `${name}: ${String(inBody)} in the body, ${String(inQuery)} in the query string; give it once`,
    );
  return inBody ?? inQuery;
}

function wrongMember(name: string, value: unknown, allowed: string): Error {
  if (value === undefined || value === null) return badInput(`${name}: is missing; it must be ${allowed}`);
  const shown = typeof value === 'string' ? quote(value) : JSON.stringify(value).slice(0, 80);
  return badInput(`${name}: ${shown} is not ${allowed}`);
}

export const compositeRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v2/lookingGlass/compositeQuery',
    summary: 'Composite query',
    description:
      'Addresses that match several sub-queries about balances and NFTs over days, all (AND) or any (OR) of them, with the count of each sub-query. When an import changes the data, a walk that has begun goes on with the set that it began with as long as that is remembered, and is refused with 400 otherwise.',
    parameters,
    body,
    document: compositeQuery,
    variables: (_parameters, { operator, queries, pageToken, pageSize }) => ({
      operator,
      queries,
      pageToken,
      pageSize,
    }),
    reply: ({ compositeQuery: { subQueryCounts, totalCount, ...page } }) => {
      // Text by text: an object would lose a sub-query named __proto__.
      const counts = subQueryCounts.map(({ id, count }) => `${JSON.stringify(id)}:${count}`);
      const more = `,"subQueryCounts":{${counts.join(',')}},"totalCount":${totalCount}`;
      return listReply('addresses', page, more);
    },
    response: {
      description: 'A page of addresses.',
      schema: { $ref: '#/components/schemas/CompositeQueryResponse' },
    },
  }),
];
