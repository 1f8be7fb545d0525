import { DAY_SECONDS } from '../../avalanche/seconds.js';
import { asDigits, asId, asMember, asObject, asSeconds, asWhole, wrong } from '../../rows/check.js';
import type { RowKind } from '../../write/kind.js';
import type { FileKind } from '../../ingest/kind.js';
import { readNetworkPart } from '../../ingest/scope.js';
import type { NetworkScope } from '../../write/scope.js';
import { upsertRows } from '../../write/upsert.js';
import { addSubnets } from '../subnet/write.js';
import { metricNames, type MetricName } from './metric.js';

/** A point of a metric as a line of a file has it: as replies print it, with the arguments of the reply. */
export interface SubnetMetricLine {
  /** The file's name may give it, and the metric too. */
  subnetId: string;
  metric: MetricName<'SubnetMetric'>;
  /** 00:00 UTC of the day, Unix seconds. */
  timestamp: number;
  /** Whole, as a number or as decimal digits. */
  value: string | number | bigint;
}

interface MetricScope extends NetworkScope {
  readonly subnetId?: string | undefined;
  readonly metric?: string | undefined;
}

interface MetricRow {
  subnetId: string;
  /** Null for the cumulative fees, which are not stored. */
  series: 'fees_paid' | 'paying_validators' | null;
  day: number;
  value: string;
}

const MAX_VALUE = 2n ** 256n - 1n;
const asNumber = asWhole(MAX_VALUE);
const asText = asDigits(MAX_VALUE);
const readMetric = asMember(metricNames('SubnetMetric'));

const table = {
  name: 'subnet_metric',
  columns: {
    network: 'network',
    subnet_id: 'text',
    series: 'subnet_series',
    day: 'integer',
    value: 'numeric(78, 0)',
  },
  key: ['network', 'subnet_id', 'series', 'day'],
} as const;

export const subnetMetricRows: RowKind<MetricRow, MetricScope> = {
  tables: ['subnet_metric'],
  lock: ({ network }) => network,
  read(value, scope) {
    const row = asObject<SubnetMetricLine>(value, 'row');
    const metric = readMetric(row.metric ?? scope.metric, 'metric');
    const timestamp = Number(asSeconds(row.timestamp, 'timestamp'));
    if (timestamp % DAY_SECONDS !== 0) throw wrong('timestamp', timestamp, '00:00 UTC of a day');
    return {
      subnetId: asId(row.subnetId ?? scope.subnetId, 'subnetId'),
      series: seriesOf[metric],
      day: timestamp / DAY_SECONDS,
      value: asValue(row.value, 'value'),
    };
  },
  async write(client, { network }, rows) {
    const stored = rows.filter(({ series }) => series !== null);
    const { inserted, updated } = await upsertRows(
      client,
      table,
      stored.map(({ subnetId, series, day, value }) => [network, subnetId, series, day, value]),
    );
    await addSubnets(
      client,
      stored.map(({ subnetId }) => ({ network, subnetId })),
    );
    return { written: inserted + updated, unchanged: rows.length - inserted - updated };
  },
};

/**
 * Files of subnet metrics. Rows of perSubnetCumulativeFeesPaid are checked and then left out: the series is
 * the running total of the daily fees and is computed from them, so that it always equals their sum.
 */
export const subnetMetricImport: FileKind<MetricRow, MetricScope> = {
  name: 'subnet-metrics',
  file: /^(?<network>[a-z]+)\.subnet-metrics(?:\.(?<subnetId>\w{40,})\.(?<metric>[a-zA-Z]+))?(?:\.|$)/,
  example: 'mainnet.subnet-metrics.ndjson',
  page: 'results',
  scope: (fields) => ({ network: readNetworkPart(fields), subnetId: fields.subnetId, metric: fields.metric }),
  rows: subnetMetricRows,
};

function asValue(value: unknown, name: string): string {
  return typeof value === 'string' ? asText(value, name) : asNumber(value, name);
}

const seriesOf = {
  perSubnetDailyFeesPaid: 'fees_paid',
  perSubnetCumulativeFeesPaid: null,
  perSubnetPayingValidators: 'paying_validators',
} as const;
