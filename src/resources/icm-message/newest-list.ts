import { networks } from '../../avalanche/networks.js';
import type { ListDeclaration } from '../../lists/list.js';
import { sortedBy } from '../../lists/order.js';
import { inTimes } from '../transaction/query.js';
import { icmMessageRows } from './fields.js';

/** What all lists of messages share: cursors are row ids. */
export const newestFirst = {
  from: 'icm_message m',
  order: sortedBy('m', 'desc', ['timestamp', 'tie', 'message_id', 'id'], {
    moves: [0, 1],
    // Without a log the order is the former one.
    resorted: `o.network IN (${networks.map((each) => `'${each}'`).join(', ')}) AND o.timestamp = c.timestamp AND (o.tie, c.tie) <> (0, 0)`,
  }),
  cursor: { table: 'icm_message' },
  columns: icmMessageRows.columns,
  toNode: icmMessageRows.toNode,
  lookup: { from: icmMessageRows.from, on: 'm.id = page.k4' },
} satisfies Partial<ListDeclaration<never>>;

export const bounds: ListDeclaration<never>['where'] = (...list) =>
  ['m.network = n.network', ...inTimes('m.timestamp', ...list)].join(' AND ');
