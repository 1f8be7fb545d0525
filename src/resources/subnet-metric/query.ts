import { readId } from '../../avalanche/input.js';
import { parseNetwork } from '../../avalanche/networks.js';
import type { SubnetMetricName } from './metric.js';
import type { SubnetMetricQuery } from './store.js';

/** The arguments of a list of points as a caller gives them; timestamps as the scalar Long hands them out. */
export interface SubnetMetricArguments {
  network?: string | null;
  subnetId: string;
  metric: SubnetMetricName;
  startTimestamp?: number | string | null;
  endTimestamp?: number | string | null;
}

const SECONDS_PER_DAY = 86_400n;
const LARGEST_DAY = 2n ** 31n - 1n;

/** @throws AppError BAD_USER_INPUT */
export function resolveMetricQuery(args: SubnetMetricArguments): SubnetMetricQuery {
  const { startTimestamp: start, endTimestamp: end } = args;
  return {
    network: args.network ? parseNetwork(args.network) : null,
    subnetId: readId('subnetId', args.subnetId),
    metric: args.metric,
    // Points lie on the first second of their day: those after a moment are of the days after the moment's.
    afterDay: start === null || start === undefined ? null : dayNumber(BigInt(start)),
    beforeDay: end === null || end === undefined ? null : dayNumber(BigInt(end) + SECONDS_PER_DAY - 1n),
  };
}

/** What a page token of the list belongs to. */
export function metricQueryIdentity(query: SubnetMetricQuery): unknown[] {
  const { network, subnetId, metric, afterDay, beforeDay } = query;
  return [network, subnetId, metric, afterDay, beforeDay];
}

function dayNumber(seconds: bigint): number {
  if (seconds < 0n) return -1;
  const day = seconds / SECONDS_PER_DAY;
  return Number(day > LARGEST_DAY ? LARGEST_DAY : day);
}
