import { narrowing, optional } from '../../arguments/argument.js';
import type { Argument, ArgumentValues, Narrowing } from '../../arguments/argument.js';
import { choiceArgument, idArgument, networkArgument } from '../../arguments/common.js';
import { checkSeconds, DAY_SECONDS, LAST_SECOND } from '../../avalanche/seconds.js';
import { badInput, quote } from '../../errors.js';
import { wholeDecimal } from '../../numbers.js';
import { subnetMetricNames } from './metric.js';

const DAY = BigInt(DAY_SECONDS);
const LARGEST_DAY = 2n ** 31n - 1n;

/**
 * A bound in Unix seconds, which may be written as `1e+9`; its value is a day. A point's time is the first
 * second of its day.
 *
 * @param dayOf the last day that the bound excludes
 */
function bound(which: string, dayOf: (moment: bigint) => bigint): Argument<number | null> {
  return optional({
    type: 'Decimal',
    description: `Only points ${which} this time, exclusive: Unix seconds, a whole number of 0 to ${LAST_SECOND}.`,
    schema: { type: 'integer', format: 'int64', minimum: 0, maximum: LAST_SECOND },
    read: (name, value) => {
      const moment = wholeDecimal(String(value));
      if (moment === null)
        throw badInput(`${name}: ${quote(String(value))} is not a whole number of 0 or more`);
      checkSeconds(name, moment);
      const day = dayOf(moment);
      return Number(day > LARGEST_DAY ? LARGEST_DAY : day);
    },
  });
}

/** The bounds of a list of points. */
export const pointBounds = narrowing({
  startTimestamp: bound('after', (moment) => moment / DAY),
  endTimestamp: bound('before', (moment) => (moment + DAY - 1n) / DAY),
});

export const subnetMetricArguments = {
  subnetId: idArgument('Id of the subnet, CB58.', '2uf7QFvZ7w4XToVfKm7o25h17KbdS7RaA6qNuZfokrcYxTpoWh'),
  metric: {
    ...choiceArgument('SubnetMetric', subnetMetricNames, 'The metric.'),
    example: 'perSubnetDailyFeesPaid',
  },
  network: optional(
    networkArgument(
      'Network of the subnet. If omitted, mainnet when the subnet has data there, otherwise fuji.',
    ),
  ),
  ...pointBounds,
};

export type SubnetMetricNarrowing = Narrowing<typeof subnetMetricArguments>;

/** A list of points; its bounds are days, both exclusive. */
export type SubnetMetricQuery = ArgumentValues<typeof subnetMetricArguments>;
