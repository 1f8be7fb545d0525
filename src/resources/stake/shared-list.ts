import { typesWhere } from '../../avalanche/chain/transactions.js';
import type { ValueOf } from '../../lists/list.js';
import { sortedBy } from '../../lists/order.js';
import type { ListOrder } from '../../paging/keyset.js';
import { followsNetwork, isRecent } from '../reference/present.js';
import { isStake, stakeFrom } from './columns.js';

/** SQL of a type; where only stakes of now match, of the transactions that may have one. */
export const ofType = (type: string, value: ValueOf, filters: readonly string[]) =>
  `t.tx_type = '${type}'${filters.includes('present') ? isRecent(type, value('network'), 't.block_timestamp') : ''}`;

/** Whether a status is one of stakes that have not ended; null for all stakes. */
export const presentOf = (status: string | null) =>
  status === 'active' || status === 'pending' ? true : null;

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
  from: stakeFrom,
});
