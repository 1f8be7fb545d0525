import type { Builder } from '../../graphql/builder.js';
import { registerConnection as registerConnectionType } from '../../graphql/connection-type.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { metricsLimits } from '../../paging/page-request.js';
import { subnetMetricArguments } from './arguments.js';
import { pointFields, pointStateFields, type PointNode } from './fields.js';
import { pointList } from './list.js';
import { subnetMetrics, type SubnetMetricName } from './metric.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    SubnetMetricPoint: PointNode;
  }
  interface LeafTypes {
    SubnetMetric: Leaf<SubnetMetricName>;
  }
}

export function registerMetric(builder: Builder): void {
  builder.enumType('SubnetMetric', {
    description: 'A daily series of a subnet.',
    values: Object.fromEntries(
      Object.entries(subnetMetrics).map(([name, description]) => [name, { description }]),
    ),
  });
  builder.objectType('SubnetMetricPoint', {
    description: 'The value of a metric on one day.',
    fields: (t) => ({ ...exposeFields(t, pointFields), ...exposeFields(t, pointStateFields) }),
  });
  registerConnectionType(builder, 'SubnetMetricPoint', 'points of a metric');
  addListField(builder, 'Query', 'subnetMetric', {
    type: 'SubnetMetricPointConnection',
    description: 'The daily values of a metric of a subnet, newest first; empty for a subnet without data.',
    list: pointList,
    arguments: subnetMetricArguments,
    pages: { limits: metricsLimits, first: 'points from the newest', last: 'points from the oldest' },
  });
}
