import type { Arguments } from '../../arguments/argument.js';
import { objectSchema } from '../../fields/object-schema.js';
import { metricsLimits } from '../../paging/page-request.js';
import { endOfDays } from '../../rest/bounds.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageSizeArgument, pageTokenArgument } from '../../rest/parameter.js';
import {
  l1MetricArguments,
  nodeMetricArguments,
  subnetMetricArguments,
  validationMetricArguments,
} from './arguments.js';
import { pointFields } from './fields.js';

export const wholeValues =
  'Values are whole JSON numbers of any size: clients that round numbers beyond 2^53-1 get exact ones from GraphQL.';
/** What a page of values is. */
export const metricPage = {
  rows: { name: 'results', words: 'values', schema: 'MetricValue', page: 'MetricPage' },
  schemas: { MetricValue: objectSchema('The value of a metric on one day.', pointFields) },
};

/** A metric by day, whose arguments without `network` are the parameters. */
const metricRoute = (route: {
  operation: string;
  path: string;
  summary: string;
  values: string;
  field: string;
  arguments: Arguments;
  value: number;
}) =>
  defineListRoute({
    operation: route.operation,
    path: route.path,
    summary: route.summary,
    description: `${route.values}, newest first; fees in nAVAX. ${wholeValues} Of what has data on both networks, the values of mainnet are returned.`,
    parameters: {
      ...Object.fromEntries(Object.entries(route.arguments).filter(([name]) => name !== 'network')),
      pageToken: pageTokenArgument,
      pageSize: pageSizeArgument(metricsLimits),
    },
    settledAt: endOfDays,
    field: route.field,
    ...metricPage,
    example: { results: [{ value: route.value, timestamp: 1793318400 }] },
  });

export const metricRoutes = [
  metricRoute({
    operation: 'GetSubnetMetric',
    path: '/v2/subnet/{subnetId}/metrics/{metric}',
    summary: 'Get metric values of a subnet',
    values: 'Daily values of a metric of a subnet',
    field: 'subnetMetric',
    arguments: subnetMetricArguments,
    value: 212088584,
  }),
  metricRoute({
    operation: 'GetL1Metric',
    path: '/v2/validators/metrics/{metric}',
    summary: 'Get metric values of all L1 validators',
    values: 'Daily values of a metric of the L1 validators of all subnets',
    field: 'l1Metric',
    arguments: l1MetricArguments,
    value: 212088584,
  }),
  metricRoute({
    operation: 'GetNodeMetric',
    path: '/v2/validator/{nodeId}/metrics/{metric}',
    summary: 'Get metric values of a node',
    values: 'Daily values of a metric of a node as an L1 validator, for the days on which it paid',
    field: 'nodeMetric',
    arguments: nodeMetricArguments,
    value: 44236800,
  }),
  metricRoute({
    operation: 'GetValidationMetric',
    path: '/v2/validation/{l1ValidationId}/metrics/{metric}',
    summary: 'Get metric values of an L1 validator',
    values: 'Daily values of a metric of an L1 validator, for the days on which it paid',
    field: 'validationMetric',
    arguments: validationMetricArguments,
    value: 44236800,
  }),
];
