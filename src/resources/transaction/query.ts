import type { Shape, ValueOf } from '../../lists/list.js';
import type { TransactionQuery } from './arguments.js';
import type { TxType } from './tx-types.js';

/** SQL types of the values that every list of transactions is filtered by; names are short, as statements' are. */
export const rangeValues = { since: 'numeric', until: 'numeric', start: 'numeric', end: 'numeric' };

/** The range of a query as it is bound. */
export function boundRange({ since, until, startBlock, endBlock }: TransactionQuery) {
  return { since, until, start: startBlock, end: endBlock };
}

/** The types that a query asks for; null for all. */
export function askedTypes({
  txType,
  txTypes,
}: Pick<TransactionQuery, 'txType' | 'txTypes'>): readonly TxType[] | null {
  return txType === null ? txTypes : [txType];
}

/** Of what a range is made, in SQL. */
export interface Ranged {
  time: string;
  blockNumber: string;
  network: string;
  chain: string;
}

/** See inTimes. */
export const timeFilters = { since: { in: 'where' }, until: { in: 'where' } } as const;
/** See inRange. */
export const rangeFilters = {
  ...timeFilters,
  startBlock: { as: 'start' },
  endBlock: { as: 'end' },
  start: { in: 'where' },
  end: { in: 'where' },
} as const;

/**
 * SQL of a time by which a list is sorted, newest first, for its lower and its upper bound. An index scan begins at one of
 * its bounds only, and of a moment and a cursor PostgreSQL may take the moment, which reads everything between: `+ 0`
 * leaves it the cursor alone.
 */
function besideCursors(time: string, { after, before }: Shape['request']) {
  return { low: before === null ? time : `${time} + 0`, high: after === null ? time : `${time} + 0` };
}

/** SQL of the conditions that `since` and `until` come to, in a list by time, newest first. */
export function inTimes(
  time: string,
  value: ValueOf,
  filters: readonly string[],
  request: Shape['request'],
): string[] {
  const { low, high } = besideCursors(time, request);
  return [
    ...(filters.includes('since') ? [`${low} >= ${value('since')}`] : []),
    ...(filters.includes('until') ? [`${high} < ${value('until')}`] : []),
  ];
}

/**
 * SQL of the conditions of a list by time, newest first, that its range of time and blocks comes to: one range of time, for
 * on a chain the time of a later block is never before that of an earlier one.
 */
export function inRange(
  { time, blockNumber, network, chain }: Ranged,
  value: ValueOf,
  filters: readonly string[],
  request: Shape['request'],
): string[] {
  const { low, high } = besideCursors(time, request);
  const timeOf = (beyond: string, direction: string) => `(
    SELECT b.block_timestamp FROM transaction b
    WHERE b.network = ${network} AND b.chain = ${chain} AND b.block_number ${beyond}
    ORDER BY b.block_number ${direction}, b.block_timestamp ${direction} LIMIT 1)`;
  // Blocks of the same second are told apart by their numbers; another index than the list's is not to be read for them.
  const conditions: Readonly<Record<string, () => string>> = {
    start: () =>
      `${low} >= ${timeOf(`>= ${value('start')}`, 'ASC')} AND ${blockNumber} + 0 >= ${value('start')}`,
    end: () => `${high} <= ${timeOf(`< ${value('end')}`, 'DESC')} AND ${blockNumber} + 0 < ${value('end')}`,
  };
  return [
    ...inTimes(time, value, filters, request),
    ...filters.flatMap((each) => conditions[each]?.() ?? []),
  ];
}
