import type { ArgumentValues, Narrowing } from '../../arguments/argument.js';
import { networkArgument } from '../../arguments/common.js';
import { pointBounds } from '../subnet-metric/arguments.js';

export const networkStatsArguments = {
  network: networkArgument('Network of the days.'),
  ...pointBounds,
};

export type NetworkStatsNarrowing = Narrowing<typeof networkStatsArguments>;

/** The days of a network; the bounds are days, both exclusive. */
export type NetworkStatsQuery = ArgumentValues<typeof networkStatsArguments>;
