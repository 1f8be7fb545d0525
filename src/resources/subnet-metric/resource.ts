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
};
