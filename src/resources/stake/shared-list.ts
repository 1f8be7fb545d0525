import { typesWhere } from '../../avalanche/chain/transactions.js';
import type { Filters, ValueOf } from '../../lists/list.js';
import { sortedBy } from '../../lists/order.js';
import type { ListOrder } from '../../paging/keyset.js';
import { followsNetwork, isOpen, isRecent, isStake, waitingFrom } from '../reference/present.js';
import { isActive, stakeFrom, status } from './columns.js';

/** SQL of a type; where only stakes of now match, of the transactions that may have one. */
export const ofType = (type: string, value: ValueOf, filters: readonly string[]) =>
  `t.tx_type = '${type}'${filters.includes('present') ? ` AND ${isOpen}${isRecent(type, value('network'), 't.block_timestamp')}` : ''}`;

/**
 * How stakes of a status are found. The condition of those of now is a plain one: of the value of a CASE the
 * planner thinks that few have it.
 */
export const boundStatus = (status: string | null) => ({
  present: status === 'active' || status === 'pending' ? true : null,
  active: status === 'active' ? true : null,
  waiting: status === 'pending' ? true : null,
  past: status === 'completed' || status === 'removed' ? status : null,
});
export const statusFilters = {
  present: { in: 'ranges' },
  active: { sql: () => isActive },
  waiting: { in: 'from' },
  past: { sql: (value: ValueOf) => `(${status}) = ${value('past')}` },
} satisfies Filters;

/** FROM of a list; of those that wait for their start, which are few, no others are read. */
export const fromOf = (value: ValueOf, filters: readonly string[]) =>
  filters.includes('waiting') ? waitingFrom(value('network')) : stakeFrom;

/** What lists over the transactions that began stakes share: by time. Cursors are row ids. */
export const byTime = (stake: 'validates' | 'delegates') => ({
  where: (value: ValueOf) =>
    `t.network = ${value('network')} AND t.chain = 'p' AND ${isStake} AND ${followsNetwork(value('network'))}`,
  ranges: (value: ValueOf, filters: readonly string[]) => ({
    parts: typesWhere('stake', stake).map((type) => ({ where: ofType(type, value, filters) })),
    overlap: false,
  }),
  order: ({ sortOrder }: { sortOrder: ListOrder }) =>
    sortedBy('t', sortOrder, ['block_timestamp', 'tie', 'id'], { moves: [0, 1] }),
  cursor: { table: 'transaction' },
  from: fromOf,
});
