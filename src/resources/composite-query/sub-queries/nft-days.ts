import { badInput } from '../../../errors.js';
import { dayOf } from '../../evm-holding/day.js';
import type { DayRange } from '../../evm-holding/holders.js';
import {
  contractAddress,
  dates,
  dayRange,
  evmChainId,
  optional,
  timestamps,
  type SubQueryValues,
} from '../parameter.js';

/** Parameters of sub-queries about NFT holders. */
export const nftParameters = {
  evmChainId,
  contractAddress,
  firstDate: optional(dates.firstDate),
  lastDate: optional(dates.lastDate),
  startTs: optional(timestamps.startTs),
  endTs: optional(timestamps.endTs),
};

/**
 * The days that are asked about.
 *
 * @throws AppError BAD_USER_INPUT unless exactly one of the two pairs is given, and in order
 */
export function nftDays(values: SubQueryValues<typeof nftParameters>): DayRange {
  const { firstDate, lastDate, startTs, endTs } = values;
  const hasDates = firstDate !== null || lastDate !== null;
  const hasTimes = startTs !== null || endTs !== null;
  if (hasDates && hasTimes) throw badInput('firstDate, startTs: give dates or timestamps, not both');
  if (firstDate !== null && lastDate !== null) return dayRange(firstDate, lastDate);
  if (startTs !== null && endTs !== null) {
    // Two moments of one day may be in the wrong order too.
    if (startTs > endTs) throw badInput('startTs: is after endTs');
    return dayRange(dayOf(startTs), dayOf(endTs));
  }
  throw badInput('firstDate, lastDate: are missing; give firstDate and lastDate, or startTs and endTs');
}
