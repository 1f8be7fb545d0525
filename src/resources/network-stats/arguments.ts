import { optional, type ArgumentValues, type Narrowing } from '../../arguments/argument.js';
import { choiceArgument, idArgument, networkArgument } from '../../arguments/common.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import { readId } from '../../avalanche/input.js';
import { ID, only } from '../../avalanche/patterns.js';
import { badInput, quote } from '../../errors.js';
import { pointBounds } from '../subnet-metric/arguments.js';
import { stakingMetrics } from './fields.js';

/** Pages of days: a month unless more are requested, at most nearly six years. */
export const dayLimits = { max: 2160, default: 30 };

export const networkStatsArguments = {
  network: networkArgument('Network of the days.'),
  ...pointBounds,
};

/** Of the metrics of REST, which are of the primary network alone. */
export const networkMetricArguments = {
  ...networkStatsArguments,
  metric: {
    ...choiceArgument('String', stakingMetrics, 'The metric.'),
    example: 'validatorCount',
  },
  subnetId: optional<string>({
    ...idArgument('Id of the primary network, CB58: stakes in other subnets are not counted by day.'),
    schema: { type: 'string', pattern: only(ID), enum: [ZERO_ID] },
    read: (name, value) => {
      if (readId(name, String(value)) === ZERO_ID) return ZERO_ID;
      throw badInput(
        `${name}: stakes in ${quote(String(value))} are not counted by day; only those in the primary network are, ${ZERO_ID}`,
      );
    },
  }),
};

export type NetworkStatsNarrowing = Narrowing<typeof networkStatsArguments>;

/** The days of a network; the bounds are days, both exclusive. */
export type NetworkStatsQuery = ArgumentValues<typeof networkStatsArguments>;
