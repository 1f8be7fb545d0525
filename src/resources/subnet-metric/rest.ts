import { objectSchema } from '../../fields/object-schema.js';
import { metricsLimits } from '../../paging/page-request.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageSizeArgument, pageTokenArgument } from '../../rest/parameter.js';
import { subnetMetricArguments } from './arguments.js';
import { pointFields } from './fields.js';

const { subnetId, metric, startTimestamp, endTimestamp } = subnetMetricArguments;

export const metricRoutes = [
  defineListRoute({
    operation: 'GetSubnetMetric',
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
    field: 'subnetMetric',
    rows: { name: 'results', words: 'values', schema: 'MetricValue', page: 'MetricPage' },
    schemas: { MetricValue: objectSchema('The value of a metric on one day.', pointFields) },
    example: { results: [{ value: 212088584, timestamp: 1793318400 }] },
  }),
];
