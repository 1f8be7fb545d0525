import type { Network } from '../../avalanche/networks.js';
import { keyset, keysetName } from '../../paging/keyset.js';
import type { PageRequest } from '../../paging/page-request.js';
import { jsonText } from '../../storage/json-text.js';
import type { Storage } from '../../storage/open.js';
import { bind, statement } from '../../storage/statement.js';
import type { SubnetMetricName } from './metric.js';

/** A list of points, resolved. */
export interface SubnetMetricQuery {
  /** Null: mainnet when it holds the subnet, else fuji. */
  network: Network | null;
  subnetId: string;
  metric: SubnetMetricName;
  /** Days between which the points lie, both exclusive; null for no bound. */
  afterDay: number | null;
  beforeDay: number | null;
}

export interface PointRow {
  /** The point's day number, which is the position that page tokens carry; a decimal text. */
  id: string;
  /** The specification's JSON of the point. */
  text: string;
}

const SECONDS_PER_DAY = 86_400;

const pointText = jsonText([
  { name: 'value', form: 'number', sql: 'value' },
  { name: 'timestamp', form: 'number', sql: `day::bigint * ${SECONDS_PER_DAY}` },
]);

/** Up to limit + 1 points of a list, newest first in list order. Cursors are day numbers. */
export async function listPoints(
  storage: Storage,
  query: SubnetMetricQuery,
  request: PageRequest,
): Promise<PointRow[]> {
  const cumulative = query.metric === 'perSubnetCumulativeFeesPaid';
  const name = `subnet_metric_${keysetName('desc', request)}${cumulative ? '_cumulative' : ''}`;
  const list = statement(name, () => listText(cumulative, request));
  const rows = await storage.read<PointRow>(
    list,
    bind(list, {
      network: query.network,
      subnetId: query.subnetId,
      series: query.metric === 'perSubnetPayingValidators' ? 'paying_validators' : 'fees_paid',
      afterDay: query.afterDay,
      beforeDay: query.beforeDay,
      after: request.after,
      before: request.before,
      limit: request.limit === null ? null : request.limit + 1,
    }),
  );
  return request.direction === 'backward' ? rows.reverse() : rows;
}

function listText(cumulative: boolean, request: PageRequest): string {
  const { conditions, readingOrder } = keyset(['day'], 'desc', request, (cursor) => `(:${cursor}::int)`);
  // The running total needs the subnet's whole history, one row a day.
  const value = cumulative ? 'sum(value) OVER (ORDER BY day)' : 'value';
  return `
    WITH home AS (
      SELECT coalesce(:network::network, CASE
        WHEN EXISTS (SELECT 1 FROM subnet_metric WHERE network = 'mainnet' AND subnet_id = :subnetId)
        THEN 'mainnet' ELSE 'fuji' END::network) AS network)
    SELECT day::text AS id, ${pointText} AS text FROM (
      SELECT day, ${value} AS value FROM subnet_metric
      WHERE network = (SELECT network FROM home) AND subnet_id = :subnetId AND series = :series::subnet_series
    ) point
    WHERE (:afterDay::int IS NULL OR day > :afterDay::int)
      AND (:beforeDay::int IS NULL OR day < :beforeDay::int)${conditions}
    ORDER BY ${readingOrder} LIMIT :limit::bigint`;
}
