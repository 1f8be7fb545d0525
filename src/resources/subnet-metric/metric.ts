/** The metrics of a subnet, by the names of the API. */
export const subnetMetrics = {
  perSubnetDailyFeesPaid: 'Fees that the L1 validators of the subnet paid on the day, nAVAX.',
  perSubnetCumulativeFeesPaid:
    'Fees that the L1 validators of the subnet paid up to and including the day, nAVAX: the running total of the daily fees.',
  perSubnetPayingValidators: 'Number of L1 validators of the subnet that paid fees on the day.',
} as const;

export type SubnetMetricName = keyof typeof subnetMetrics;

export const subnetMetricNames = Object.keys(subnetMetrics) as SubnetMetricName[];
