import { narrowing, optional } from '../../arguments/argument.js';
import type { Argument, ArgumentValues, Narrowing } from '../../arguments/argument.js';
import { choiceArgument, idArgument, networkArgument } from '../../arguments/common.js';
import { secondsArgument } from '../../arguments/whole.js';
import { DAY_SECONDS } from '../../avalanche/seconds.js';
import { nodeIdArgument } from '../validator/arguments.js';
import { metricNames, type MetricName, type MetricType } from './metric.js';

const DAY = BigInt(DAY_SECONDS);
const LARGEST_DAY = 2n ** 31n - 1n;

/**
 * A bound whose value is a day. A point's time is the first second of its day.
 *
 * @param dayOf the last day that the bound excludes
 */
const bound = (which: string, dayOf: (moment: bigint) => bigint): Argument<number | null> =>
  secondsArgument(`Only points ${which} this time, exclusive:`, (moment) => {
    const day = dayOf(moment);
    return Number(day > LARGEST_DAY ? LARGEST_DAY : day);
  });

/** The bounds of a list of points. */
export const pointBounds = narrowing({
  startTimestamp: bound('after', (moment) => moment / DAY),
  endTimestamp: bound('before', (moment) => (moment + DAY - 1n) / DAY),
});

/** The arguments of a metric that come after what it is of. */
const metricArguments = <Type extends MetricType>(type: Type, example: MetricName<Type>) => ({
  metric: { ...choiceArgument(type, metricNames(type), 'The metric.'), example },
  network: optional(
    networkArgument('Network of the metric. If omitted, mainnet when it has data there, otherwise fuji.'),
  ),
  ...pointBounds,
});

export const subnetMetricArguments = {
  subnetId: idArgument('Id of the subnet, CB58.', '2uf7QFvZ7w4XToVfKm7o25h17KbdS7RaA6qNuZfokrcYxTpoWh'),
  ...metricArguments('SubnetMetric', 'perSubnetDailyFeesPaid'),
};

export const l1MetricArguments = metricArguments('L1Metric', 'totalValidatorFeesDaily');

export const nodeMetricArguments = {
  nodeId: { ...nodeIdArgument, example: 'NodeID-A9B1z9N9GzNK376G2qDV5et6dusVADSb3' },
  ...metricArguments('NodeMetric', 'perNodeDailyFeesPaid'),
};

export const validationMetricArguments = {
  l1ValidationId: idArgument(
    'Id of the validation period of the L1 validator, CB58.',
    '1M2KK3CfuVCL1c8MY7ox4c1LJB68R6mwPHoHZeAu8oL8kGSDU',
  ),
  ...metricArguments('ValidationMetric', 'validationFeesDaily'),
};

/** What narrows each of these lists. */
export type MetricNarrowing = Narrowing<typeof pointBounds>;

/** Lists of points; their bounds are days, both exclusive. */
export type SubnetMetricQuery = ArgumentValues<typeof subnetMetricArguments>;
export type L1MetricQuery = ArgumentValues<typeof l1MetricArguments>;
export type NodeMetricQuery = ArgumentValues<typeof nodeMetricArguments>;
export type ValidationMetricQuery = ArgumentValues<typeof validationMetricArguments>;
