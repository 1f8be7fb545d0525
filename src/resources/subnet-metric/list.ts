import { DAY_SECONDS } from '../../avalanche/seconds.js';
import { fieldsText } from '../../fields/field.js';
import { nodeWith } from '../../fields/node.js';
import { defineList } from '../../lists/read.js';
import { stakingTable } from '../../state/staking.js';
import type { SubnetMetricNarrowing, SubnetMetricQuery } from './arguments.js';
import { pointFields, type PointNode } from './fields.js';

const staking = stakingTable.as('c');

/** The points of a metric, newest first. Cursors are day numbers, whether or not a day has a point. */
export const pointList = defineList<SubnetMetricQuery, PointNode, SubnetMetricNarrowing>({
  name: 'subnet_metric',
  values: {
    network: 'network',
    subnetId: 'text',
    series: 'subnet_series',
    afterDay: 'int',
    beforeDay: 'int',
  },
  parent: ['network', 'subnetId'],
  bind: ({ network, subnetId, metric, startTimestamp, endTimestamp }) => ({
    network,
    subnetId,
    afterDay: startTimestamp,
    beforeDay: endTimestamp,
    series: metric === 'perSubnetPayingValidators' ? 'paying_validators' : 'fees_paid',
    total: metric === 'perSubnetCumulativeFeesPaid' || null,
  }),
  // The running total needs the subnet's whole history, one row a day.
  from: (value, filters) => `(
    SELECT m.day, ${filters.includes('total') ? 'sum(m.value) OVER (ORDER BY m.day)' : 'm.value'} AS value,
      coalesce(m.day >= (${staking.chainTime} - 1) / ${DAY_SECONDS}, false) AS running
    FROM subnet_metric m LEFT JOIN ${staking.from} ON ${staking.network} = m.network
    WHERE m.network = (SELECT coalesce(${value('network')}, CASE
        WHEN EXISTS (SELECT 1 FROM subnet_metric WHERE network = 'mainnet' AND subnet_id = ${value('subnetId')})
        THEN 'mainnet' ELSE 'fuji' END::network))
      AND m.subnet_id = ${value('subnetId')} AND m.series = ${value('series')}) point`,
  where: () => 'true',
  filters: {
    startTimestamp: { as: 'afterDay' },
    endTimestamp: { as: 'beforeDay' },
    afterDay: { sql: (value) => `day > ${value('afterDay')}` },
    beforeDay: { sql: (value) => `day < ${value('beforeDay')}` },
    total: { in: 'from' },
  },
  order: { name: '', direction: 'desc', columns: ['day'] },
  columns: { id: 'day::text', isRunning: 'running', text: fieldsText(pointFields) },
  toNode: nodeWith('isRunning'),
});
