import { readId } from '../../avalanche/input.js';
import { badInput, quote } from '../../errors.js';
import { graphql } from '../../generated/graphql/gql.js';
import { wholeDecimal } from '../../numbers.js';
import { metricsLimits } from '../../paging/page-request.js';
import {
  pageSizeParameter,
  pageTokenParameter,
  pathParameter,
  numberParameter,
} from '../../rest/parameter.js';
import { listReply } from '../../rest/reply.js';
import { defineRoute } from '../../rest/route.js';
import { subnetMetricNames, type SubnetMetricName } from './metric.js';

const getSubnetMetric = graphql(`
  query GetSubnetMetric(
    $subnetId: String!
    $metric: SubnetMetric!
    $startTimestamp: Long
    $endTimestamp: Long
    $pageSize: Int
    $pageToken: String
  ) {
    subnetMetric(
      subnetId: $subnetId
      metric: $metric
      startTimestamp: $startTimestamp
      endTimestamp: $endTimestamp
      first: $pageSize
      after: $pageToken
    ) {
      json
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** The largest number that the scalar Long takes. */
const LARGEST = 2n ** 64n - 1n;

const bound = (which: string) =>
  numberParameter(
    `Only points ${which} this moment, exclusive; Unix seconds.`,
    { type: 'integer', minimum: 0 },
    (name, text) => {
      const value = wholeDecimal(text);
      if (value === null) throw badInput(`${name}: ${quote(text)} is not a whole number of 0 or more`);
      return (value > LARGEST ? LARGEST : value).toString();
    },
  );

export const metricRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v2/subnet/{subnetId}/metrics/{metric}',
    summary: 'Get metric values of a subnet',
    description:
      'Daily values of a metric of a subnet, newest first; fees in nAVAX. Values are whole JSON numbers of any size: readers that round numbers beyond 2^53-1 find exact ones in GraphQL. A subnet id with data on both networks answers for mainnet.',
    parameters: {
      subnetId: pathParameter({
        description: 'Id of the subnet, 32 bytes in CB58.',
        schema: { type: 'string' },
        example: '2uf7QFvZ7w4XToVfKm7o25h17KbdS7RaA6qNuZfokrcYxTpoWh',
        read: readId,
      }),
      metric: pathParameter<SubnetMetricName>({
        description: 'Which series.',
        schema: { type: 'string', enum: subnetMetricNames },
        example: 'perSubnetDailyFeesPaid',
        read: (name, text) => {
          const metric = subnetMetricNames.find((each) => each === text);
          if (!metric)
            throw badInput(`${name}: ${quote(text)} is not one of ${subnetMetricNames.join(', ')}`);
          return metric;
        },
      }),
      startTimestamp: bound('after'),
      endTimestamp: bound('before'),
      pageToken: pageTokenParameter,
      pageSize: pageSizeParameter(metricsLimits),
    },
    document: getSubnetMetric,
    variables: (parameters) => parameters,
    reply: ({ subnetMetric }) => listReply('results', subnetMetric),
    response: {
      description: 'A page of values.',
      schema: { $ref: '#/components/schemas/MetricResponse' },
    },
  }),
];
