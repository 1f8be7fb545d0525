import { DAY_SECONDS } from '../../avalanche/seconds.js';
import type { Network } from '../../avalanche/networks.js';
import { subnetMetricRows } from '../../resources/subnet-metric/import.js';
import type { NetworkScope } from '../../write/scope.js';
import type { KindRows } from '../pipeline.js';
import { type SubnetDay } from './subnet-fees.js';

/** What subnets' L1 validators have paid on days, as points of the subnets' metrics. */
export function metricRows(network: Network, days: readonly SubnetDay[]): KindRows[] {
  if (days.length === 0) return [];
  const rows = days.flatMap(({ subnetId, day, fees, payers }) => {
    const point = { subnetId, timestamp: day * DAY_SECONDS };
    return [
      { ...point, metric: 'perSubnetDailyFeesPaid', value: fees.toString() },
      { ...point, metric: 'perSubnetPayingValidators', value: payers },
    ];
  });
  const scope: NetworkScope = { network };
  return [{ kind: subnetMetricRows, scope, rows }];
}
