const paid = 'nAVAX';
const runningTotal = 'the running total of the daily fees';

/** The daily metrics of each thing that has any, by the names of the API. */
export const metrics = {
  SubnetMetric: {
    perSubnetDailyFeesPaid: `Fees that the L1 validators of the subnet paid on the day, ${paid}.`,
    perSubnetCumulativeFeesPaid: `Fees that the L1 validators of the subnet paid up to and including the day, ${paid}: ${runningTotal}.`,
    perSubnetPayingValidators: 'Number of L1 validators of the subnet that paid fees on the day.',
  },
  L1Metric: {
    totalValidatorFeesDaily: `Fees that all L1 validators paid on the day, ${paid}.`,
    totalCumulativeFeesDaily: `Fees that all L1 validators paid up to and including the day, ${paid}: ${runningTotal}.`,
    totalPayingValidatorsDaily: 'Number of L1 validators of all subnets that paid fees on the day.',
  },
  NodeMetric: {
    perNodeDailyFeesPaid: `Fees that the node paid as an L1 validator on the day, in all subnets, ${paid}.`,
    perNodeCumulativeFeesPaid: `Fees that the node paid as an L1 validator up to and including the day, ${paid}: ${runningTotal}.`,
  },
  ValidationMetric: {
    validationFeesDaily: `Fees that the L1 validator paid on the day, ${paid}.`,
    validationCumulativeFeesDaily: `Fees that the L1 validator paid up to and including the day, ${paid}: ${runningTotal}.`,
  },
} as const;

export type MetricType = keyof typeof metrics;
export type MetricName<Type extends MetricType> = keyof (typeof metrics)[Type] & string;

export const metricNames = <Type extends MetricType>(type: Type) =>
  Object.keys(metrics[type]) as MetricName<Type>[];

/** Whether a metric adds up all days, and which of the stored series it reads. */
export const readingOf = (metric: string) => ({
  total: metric.includes('Cumulative') || null,
  series: metric.includes('PayingValidators') ? 'paying_validators' : 'fees_paid',
});
