import type { ListOrder, Shape, ValueOf } from '../../lists/list.js';
import type { TransactionQuery } from './arguments.js';
import type { TransactionTypeName } from '../../avalanche/chain/transactions.js';
import { storedTypes } from './tx-types.js';

/** SQL types of the filters that every list of transactions has; names are short, as statements' are. */
export const rangeValues = { since: 'numeric', until: 'numeric', start: 'numeric', end: 'numeric' };

/** The range of a query as it is bound. */
export function boundRange({ since, until, startBlock, endBlock }: TransactionQuery) {
  return { since, until, start: startBlock, end: endBlock };
}

/** The types that a query selects, as they are stored; null for all. */
export function requestedTypes({
  txType,
  txTypes,
}: Pick<TransactionQuery, 'txType' | 'txTypes'>): readonly TransactionTypeName[] | null {
  const types = txType === null ? txTypes : [txType];
  return types && types.flatMap(storedTypes);
}

/** The columns of a range, in SQL. */
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
 * SQL of a list's time for the conditions of its lower and its upper bound. An index scan starts at only one
 * bound, and of a time and a cursor PostgreSQL may choose the time, and then reads everything between: `+ 0`
 * leaves it only the cursor.
 */
function timeBounds(time: string, { after, before }: Shape['request'], direction: ListOrder) {
  const [older, newer] = direction === 'desc' ? [before, after] : [after, before];
  return { low: older === null ? time : `${time} + 0`, high: newer === null ? time : `${time} + 0` };
}

/** SQL of the conditions of `since` and `until`, in a list by time: newest first if it has one order. */
export function inTimes(
  time: string,
  value: ValueOf,
  filters: readonly string[],
  request: Shape['request'],
  direction: ListOrder = 'desc',
): string[] {
  const { low, high } = timeBounds(time, request, direction);
  return [
    ...(filters.includes('since') ? [`${low} >= ${value('since')}`] : []),
    ...(filters.includes('until') ? [`${high} < ${value('until')}`] : []),
  ];
}

/**
 * SQL of the conditions of a range of time and blocks, in a list by time: one range of time, because on a
 * chain the time of a later block is never before that of an earlier one.
 */
export function inRange(
  { time, blockNumber, network, chain }: Ranged,
  value: ValueOf,
  filters: readonly string[],
  request: Shape['request'],
  direction: ListOrder,
): string[] {
  const { low, high } = timeBounds(time, request, direction);
  const timeOf = (beyond: string, direction: string) => `(
    SELECT b.block_timestamp FROM transaction b
    WHERE b.network = ${network} AND b.chain = ${chain} AND b.block_number ${beyond}
    ORDER BY b.block_number ${direction}, b.block_timestamp ${direction} LIMIT 1)`;
  // Blocks of the same second differ by their numbers; `+ 0` keeps PostgreSQL from reading another index for
  // them.
  const conditions: Readonly<Record<string, () => string>> = {
    start: () =>
      `${low} >= ${timeOf(`>= ${value('start')}`, 'ASC')} AND ${blockNumber} + 0 >= ${value('start')}`,
    end: () => `${high} <= ${timeOf(`< ${value('end')}`, 'DESC')} AND ${blockNumber} + 0 < ${value('end')}`,
  };
  return [
    ...inTimes(time, value, filters, request, direction),
    ...filters.flatMap((each) => conditions[each]?.() ?? []),
  ];
}
