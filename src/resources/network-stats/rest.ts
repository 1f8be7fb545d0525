import { graphql } from '../../generated/graphql/gql.js';
import type { StakingDayFragment } from '../../generated/graphql/graphql.js';
import { endOfDays } from '../../rest/bounds.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageSizeArgument, pageTokenArgument } from '../../rest/parameter.js';
import { shapesText, type Shape } from '../../rest/shape.js';
import { pointFields } from '../subnet-metric/fields.js';
import { metricPage, wholeValues } from '../subnet-metric/rest.js';
import { dayLimits, networkMetricArguments } from './arguments.js';
import type { StakingMetric } from './fields.js';

const stakingDay = graphql(`
  fragment StakingDay on NetworkDay {
    timestamp
    validatorCount
    validatorWeight
    delegatorCount
    delegatorWeight
  }
`);

const pointOf = (metric: StakingMetric): Shape<StakingDayFragment> => ({
  value: { ...pointFields.value, of: (day) => day[metric] },
  timestamp: { ...pointFields.timestamp, of: (day) => day.timestamp },
});

export const networkMetricRoutes = [
  defineListRoute({
    operation: 'GetNetworkMetric',
    path: '/v2/networks/{network}/metrics/{metric}',
    summary: 'Get staking metrics of a network',
    description: `Daily values of a metric of who stakes in the primary network, newest first: numbers of validators and of delegations at the end of the day, and their weights in nAVAX. ${wholeValues}`,
    parameters: {
      ...networkMetricArguments,
      pageToken: pageTokenArgument,
      pageSize: pageSizeArgument(dayLimits),
    },
    given: { passed: ['network'], values: (given) => given },
    settledAt: endOfDays,
    field: 'networkStats',
    nodes: {
      fragment: stakingDay,
      textOf: (nodes, { metric }) => shapesText(pointOf(metric), nodes),
    },
    ...metricPage,
    example: { results: [{ value: 23, timestamp: 1793318400 }] },
  }),
];
