import type { Resource } from '../../resource.js';
import { metricsTag } from '../composite-query/resource.js';
import { subnetMetricExport } from './export.js';
import { subnetMetricImport } from './import.js';
import { metricRoutes } from './rest.js';

export const subnetMetric: Resource = {
  rest: { tag: metricsTag, routes: metricRoutes },
  files: [subnetMetricImport],
  exports: [subnetMetricExport],
  counted: { table: 'subnet_metric', label: 'Days of subnet metrics' },
  example: `# What the validators of an L1 paid so far, day by day, in nAVAX
query SubnetMetric {
  subnetMetric(
    subnetId: "2uf7QFvZ7w4XToVfKm7o25h17KbdS7RaA6qNuZfokrcYxTpoWh"
    metric: perSubnetCumulativeFeesPaid
    first: 10
  ) {
    nodes {
      timestamp
      value
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,
};
