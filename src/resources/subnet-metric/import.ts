import { asDigits, asId, asMember, asObject, asWhole, wrong } from '../../ingest/check.js';
import type { ImportKind } from '../../ingest/kind.js';
import { readNetworkPart, type NetworkScope } from '../../ingest/scope.js';
import { upsertRows } from '../../ingest/upsert.js';
import { addSubnets } from '../subnet/import-store.js';
import { subnetMetricNames, type SubnetMetricName } from './metric.js';

/** A point of a metric as a line of a file holds it. */
export interface SubnetMetricLine {
  subnetId: string;
  metric: SubnetMetricName;
  /** 00:00 UTC of the day, Unix seconds. */
  timestamp: number;
  value: string;
}

interface MetricRow {
  subnetId: string;
  /** Null for the cumulative fees, which are not stored. */
  series: 'fees_paid' | 'paying_validators' | null;
  day: number;
  value: string;
}

const SECONDS_PER_DAY = 86_400;
// The last second of the year 9999.
const readTimestamp = asWhole(253_402_300_799n);
const readValue = asDigits(2n ** 256n - 1n);
const readMetric = asMember(subnetMetricNames);

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

/**
 * Files of subnet metrics. Rows of perSubnetCumulativeFeesPaid are checked and then left out: the series is the
 * running total of the daily fees and is computed from them, so that it always equals their sum.
 */
export const subnetMetricImport: ImportKind<MetricRow, NetworkScope> = {
  name: 'subnet-metrics',
  file: /^(?<network>[a-z]+)\.subnet-metrics(?:\.|$)/,
  example: 'mainnet.subnet-metrics.ndjson',
  tables: ['subnet_metric'],
  scope: (parts) => ({ network: readNetworkPart(parts) }),
  read(value) {
    const row = asObject<SubnetMetricLine>(value, 'row');
    const metric = readMetric(row.metric, 'metric');
    const timestamp = Number(readTimestamp(row.timestamp, 'timestamp'));
    if (timestamp % SECONDS_PER_DAY !== 0) throw wrong('timestamp', timestamp, '00:00 UTC of a day');
    return {
      subnetId: asId(row.subnetId, 'subnetId'),
      series: seriesOf[metric],
      day: timestamp / SECONDS_PER_DAY,
      value: readValue(row.value, 'value'),
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

const seriesOf = {
  perSubnetDailyFeesPaid: 'fees_paid',
  perSubnetCumulativeFeesPaid: null,
  perSubnetPayingValidators: 'paying_validators',
} as const;
