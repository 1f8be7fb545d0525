import { narrowing, optional, type ArgumentValues, type Narrowing } from '../../arguments/argument.js';
import { idArgument } from '../../arguments/common.js';
import type { Network } from '../../avalanche/networks.js';
import { dailyBalanceArguments, MOST_DAYS } from '../evm-holding/arguments.js';

const { firstDate, lastDate } = dailyBalanceArguments;

/** The arguments of an address's balance history, without the address. */
export const balanceHistoryArguments = {
  assetId: optional(idArgument('Id of the asset, CB58. If omitted, AVAX.')),
  ...narrowing({
    firstDate: optional({
      ...firstDate,
      description: `${firstDate.description} If omitted, the range is the ${MOST_DAYS} days up to lastDate.`,
    }),
    lastDate: optional({
      ...lastDate,
      description: `${lastDate.description} If omitted, today, or the last of ${MOST_DAYS} days from firstDate on if that is earlier.`,
    }),
  }),
};

export type BalanceHistoryNarrowing = Narrowing<typeof balanceHistoryArguments>;

/** The days of an address with an asset; days are numbers, see evm-holding/day.ts. */
export interface BalanceHistoryQuery extends ArgumentValues<typeof balanceHistoryArguments> {
  network: Network;
  address: string;
}
