import { objectSchema } from '../../fields/object-schema.js';
import { ref } from '../../fields/json-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import { metricsLimits } from '../../paging/page-request.js';
import { pageSizeArgument, pageTokenArgument } from '../../rest/parameter.js';
import { listReply, page } from '../../rest/reply.js';
import { defineRoute } from '../../rest/route.js';
import { subnetMetricArguments } from './arguments.js';
import { pointFields } from './fields.js';

const getSubnetMetric = graphql(`
  query GetSubnetMetric(
    $subnetId: String!
    $metric: SubnetMetric!
    $startTimestamp: Decimal
    $endTimestamp: Decimal
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

const { subnetId, metric, startTimestamp, endTimestamp } = subnetMetricArguments;

export const metricRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v2/subnet/{subnetId}/metrics/{metric}',
    summary: 'Get metric values of a subnet',
    description:
      'Daily values of a metric of a subnet, newest first; fees in nAVAX. Values are whole JSON numbers of any size: clients that round numbers beyond 2^53-1 get exact ones from GraphQL. For a subnet id with data on both networks, the values of mainnet are returned.',
    parameters: {
      subnetId,
      metric,
      startTimestamp,
      endTimestamp,
      pageToken: pageTokenArgument,
      pageSize: pageSizeArgument(metricsLimits),
    },
    document: getSubnetMetric,
    reply: ({ subnetMetric }) => listReply('results', subnetMetric),
    response: {
      description: 'A page of values.',
      schema: ref('MetricPage'),
      components: {
        MetricValue: objectSchema('The value of a metric on one day.', pointFields),
        MetricPage: page('results', ref('MetricValue')),
      },
      example: { results: [{ value: 212088584, timestamp: 1793318400 }] },
    },
  }),
];
