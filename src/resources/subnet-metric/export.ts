import { DAY_SECONDS } from '../../avalanche/seconds.js';
import type { ExportKind } from '../../export/kind.js';
import { inSelection } from '../../export/sql.js';
import { jsonText } from '../../storage/json-text.js';

const pointText = jsonText([
  { name: 'subnetId', form: 'plain', sql: 'm.subnet_id' },
  {
    name: 'metric',
    form: 'plain',
    sql: `CASE m.series WHEN 'fees_paid' THEN 'perSubnetDailyFeesPaid' ELSE 'perSubnetPayingValidators' END`,
  },
  { name: 'timestamp', form: 'number', sql: `m.day::bigint * ${DAY_SECONDS}` },
  { name: 'value', form: 'plain', sql: 'm.value' },
]);

/** Daily values of subnets. The cumulative fees follow from the daily ones. */
export const subnetMetricExport: ExportKind = {
  name: 'subnet-metrics',
  files: (selection) =>
    selection.networks.map((network) => ({
      name: `${network}.subnet-metrics`,
      select: `
        SELECT ${pointText} FROM subnet_metric m
        WHERE m.network = '${network}' AND ${inSelection('m.day', selection, DAY_SECONDS)}
        ORDER BY m.subnet_id${selection.collate}, m.series, m.day`,
    })),
};
