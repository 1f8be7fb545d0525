import type { ArgumentValues } from '../../../arguments/argument.js';
import { badInput } from '../../../errors.js';
import { dayOf } from '../../evm-holding/day.js';
import type { DayRange } from '../../evm-holding/holders.js';
import {
  checkDates,
  contractAddress,
  dates,
  evmChainId,
  nullable,
  timestamps,
  type ReadValues,
} from '../parameter.js';

/** Parameters of sub-queries about NFT holders. */
export const nftParameters = {
  evmChainId,
  contractAddress,
  firstDate: nullable(dates.firstDate),
  lastDate: nullable(dates.lastDate),
  startTs: nullable(timestamps.startTs),
  endTs: nullable(timestamps.endTs),
};

/** See SubQueryType. */
export const nftForms = {
  OfDates: { needs: ['firstDate', 'lastDate'], lacks: ['startTs', 'endTs'] },
  OfTimestamps: { needs: ['startTs', 'endTs'], lacks: ['firstDate', 'lastDate'] },
};

/** @throws AppError BAD_USER_INPUT unless exactly one of the two pairs is given, and in order */
export function checkNftDays(values: ReadValues<typeof nftParameters>): void {
  const { firstDate, lastDate, startTs, endTs } = values;
  const hasDates = firstDate !== null || lastDate !== null;
  const hasTimes = startTs !== null || endTs !== null;
  if (hasDates && hasTimes) throw badInput('firstDate, startTs: give dates or timestamps, not both');
  if ((firstDate === null || lastDate === null) && (startTs === null || endTs === null))
    throw badInput('firstDate, lastDate: are missing; give firstDate and lastDate, or startTs and endTs');
  checkDates(values);
  if (typeof startTs === 'number' && typeof endTs === 'number' && startTs > endTs)
    throw badInput('startTs: is after endTs');
}

/** The days of the question, from values that checkNftDays accepted. */
export function nftDays({
  firstDate,
  lastDate,
  startTs,
  endTs,
}: ArgumentValues<typeof nftParameters>): DayRange {
  return { first: firstDate ?? dayOf(startTs as number), last: lastDate ?? dayOf(endTs as number) };
}
