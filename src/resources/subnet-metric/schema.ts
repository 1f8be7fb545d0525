import type { Builder } from '../../graphql/builder.js';
import { registerConnection as registerConnectionType } from '../../graphql/connection-type.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { metricsLimits } from '../../paging/page-request.js';
import {
  l1MetricArguments,
  nodeMetricArguments,
  subnetMetricArguments,
  validationMetricArguments,
} from './arguments.js';
import { pointFields, pointStateFields, type PointNode } from './fields.js';
import { l1PointList, nodePointList, pointList, validationPointList } from './list.js';
import { metrics, type MetricName, type MetricType } from './metric.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    SubnetMetricPoint: PointNode;
  }
  interface LeafTypes {
    SubnetMetric: Leaf<MetricName<'SubnetMetric'>>;
    L1Metric: Leaf<MetricName<'L1Metric'>>;
    NodeMetric: Leaf<MetricName<'NodeMetric'>>;
    ValidationMetric: Leaf<MetricName<'ValidationMetric'>>;
  }
}

const descriptions: Record<MetricType, string> = {
  SubnetMetric: 'A daily series of a subnet.',
  L1Metric: 'A daily series of the L1 validators of all subnets.',
  NodeMetric: 'A daily series of a node as an L1 validator.',
  ValidationMetric: 'A daily series of an L1 validator.',
};

/** What is common to these lists. */
const points = {
  type: 'SubnetMetricPointConnection',
  pages: { limits: metricsLimits, first: 'points from the newest', last: 'points from the oldest' },
} as const;

const sinceFollowed =
  'Empty where the P-chain is not followed, or its computed state is not that of a node; what was paid before following began is not known.';

export function registerMetric(builder: Builder): void {
  for (const [type, values] of Object.entries(metrics) as [MetricType, Record<string, string>][])
    builder.enumType(type, {
      description: descriptions[type],
      values: Object.fromEntries(
        Object.entries(values).map(([name, description]) => [name, { description }]),
      ) as never,
    });
  builder.objectType('SubnetMetricPoint', {
    description: 'The value of a metric on one day.',
    fields: (t) => ({ ...exposeFields(t, pointFields), ...exposeFields(t, pointStateFields) }),
  });
  registerConnectionType(builder, 'SubnetMetricPoint', 'points of a metric');
  addListField(builder, 'Query', 'subnetMetric', {
    ...points,
    description: 'The daily values of a metric of a subnet, newest first; empty for a subnet without data.',
    list: pointList,
    arguments: subnetMetricArguments,
  });
  addListField(builder, 'Query', 'l1Metric', {
    ...points,
    description:
      'The daily values of a metric of the L1 validators of all subnets, newest first: the sums of those of the subnets.',
    list: l1PointList,
    arguments: l1MetricArguments,
  });
  addListField(builder, 'Query', 'nodeMetric', {
    ...points,
    description: `The daily values of a metric of a node as an L1 validator, newest first, for the days on which it paid. ${sinceFollowed}`,
    list: nodePointList,
    arguments: nodeMetricArguments,
  });
  addListField(builder, 'Query', 'validationMetric', {
    ...points,
    description: `The daily values of a metric of an L1 validator, newest first, for the days on which it paid. ${sinceFollowed}`,
    list: validationPointList,
    arguments: validationMetricArguments,
  });
}
