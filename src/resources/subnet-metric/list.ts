import { DAY_SECONDS } from '../../avalanche/seconds.js';
import { fieldsText } from '../../fields/field.js';
import { nodeWith } from '../../fields/node.js';
import type { ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import { feeDayTable, l1ValidatorTable, paidFeeTable, stakingTable } from '../../state/staking.js';
import { l1StateOf } from '../l1-validator/fields.js';
import type {
  L1MetricQuery,
  MetricNarrowing,
  NodeMetricQuery,
  SubnetMetricQuery,
  ValidationMetricQuery,
} from './arguments.js';
import { pointFields, type PointNode } from './fields.js';
import { readingOf } from './metric.js';

const staking = stakingTable.as('c');
const validator = l1ValidatorTable.as('v');
const paid = paidFeeTable.as('p');
const feeDay = feeDayTable.as('f');

/** What the queries of all these lists have. */
type MetricQuery = Omit<L1MetricQuery, 'metric'> & { metric: string };

/** What a metric is of: the values that its SQL names, and which of them a parent knows. */
interface MetricOf<Query> {
  readonly values: Readonly<Record<string, string>>;
  readonly bind: (query: Query) => Readonly<Record<string, unknown>>;
  readonly parent?: readonly string[];
}

/**
 * A list of the points of a metric, newest first. Cursors are day numbers, whether or not a day has a point.
 *
 * @param days SQL of the days with a value, and of whether it can still grow: `day`, `value`, `running`
 */
const metricList = <Query extends MetricQuery>(
  name: string,
  { values, bind, parent }: MetricOf<Query>,
  days: (value: ValueOf) => string,
) =>
  defineList<Query, PointNode, MetricNarrowing>({
    name,
    values: { network: 'network', ...values, afterDay: 'int', beforeDay: 'int' },
    parent,
    bind: (query) => ({
      ...bind(query),
      network: query.network,
      afterDay: query.startTimestamp,
      beforeDay: query.endTimestamp,
      ...readingOf(query.metric),
    }),
    // The running total needs the whole history, one row a day.
    from: (value, filters) => `(
    SELECT day, ${filters.includes('total') ? 'sum(value) OVER (ORDER BY day)' : 'value'} AS value, running
    FROM (${days(value)}) each) point`,
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

/** SQL of the network of a query, or of mainnet if that has such rows. */
const networkOf = (value: ValueOf, table: string, isOne: string) =>
  `(SELECT coalesce(${value('network')}, CASE
      WHEN EXISTS (SELECT 1 FROM ${table} x WHERE x.network = 'mainnet' AND ${isOne})
      THEN 'mainnet' ELSE 'fuji' END::network))`;

/** SQL of the days of subnets. @param isOne which row of which subnet, by its alias */
const subnetDays = (value: ValueOf, isOne: (alias: string) => string) => `
    SELECT m.day, sum(m.value) AS value,
      coalesce(m.day >= (max(${staking.chainTime}) - 1) / ${DAY_SECONDS}, false) AS running
    FROM subnet_metric m LEFT JOIN ${staking.from} ON ${staking.network} = m.network
    WHERE m.network = ${networkOf(value, 'subnet_metric', isOne('x'))} AND ${isOne('m')} AND m.series = ${value('series')}
    GROUP BY m.day`;

/**
 * SQL of days with the sum of fees of one L1 validator at the beginning and at the end of each; that of the
 * beginning is null for a day on which following began.
 */
const feeDays = `
      SELECT network, day, accrued, running,
        lag(accrued) OVER (PARTITION BY network ORDER BY day) AS before
      FROM (
        SELECT ${feeDay.network}, ${feeDay.day}, ${feeDay.accrued}, false FROM ${feeDay.from}
        UNION ALL
        SELECT ${staking.network}, ((${staking.chainTime} - 1) / ${DAY_SECONDS})::int, ${staking.accrued}, true
        FROM ${staking.from}) every(network, day, accrued, running)`;

/**
 * SQL of the days on which L1 validators `v` paid. Every active one pays the same for a second, so that what
 * one paid on a day is where its sums and those of the day overlap.
 */
const paidDays = (value: ValueOf, isOne: (alias: string) => string) => `
    SELECT d.day, sum(least(paid.until_fee, d.accrued) - greatest(paid.since_fee, d.before)) AS value,
      bool_or(d.running) AS running
    FROM ${validator.from} JOIN ${staking.from} ON ${l1StateOf(validator.network)}
    CROSS JOIN LATERAL (
      SELECT ${paid.sinceFee}, ${paid.untilFee} FROM ${paid.from}
      WHERE ${paid.network} = ${validator.network} AND ${paid.validationId} = ${validator.validationId}
      UNION ALL
      SELECT ${validator.sinceFee}, ${staking.accrued} WHERE ${validator.endFee} > 0) paid(since_fee, until_fee)
    JOIN (${feeDays}) d
      ON d.network = ${validator.network} AND paid.since_fee < d.accrued AND paid.until_fee > d.before
    WHERE ${validator.network} = ${networkOf(value, l1ValidatorTable.name, isOne('x'))} AND ${isOne('v')}
    GROUP BY d.day`;

const series = { series: 'subnet_series' };

export const pointList = metricList<SubnetMetricQuery>(
  'subnet_metric',
  {
    values: { subnetId: 'text', ...series },
    bind: ({ subnetId }) => ({ subnetId }),
    parent: ['network', 'subnetId'],
  },
  (value) => subnetDays(value, (alias) => `${alias}.subnet_id = ${value('subnetId')}`),
);

export const l1PointList = metricList<L1MetricQuery>(
  'l1_metric',
  { values: series, bind: () => ({}) },
  (value) => subnetDays(value, () => 'true'),
);

export const nodePointList = metricList<NodeMetricQuery>(
  'node_metric',
  { values: { nodeId: 'text' }, bind: ({ nodeId }) => ({ nodeId }) },
  (value) => paidDays(value, (alias) => `${alias}.node_id = ${value('nodeId')}`),
);

export const validationPointList = metricList<ValidationMetricQuery>(
  'validation_metric',
  { values: { validation: 'text' }, bind: ({ l1ValidationId }) => ({ validation: l1ValidationId }) },
  (value) => paidDays(value, (alias) => `${alias}.validation_id = ${value('validation')}`),
);
