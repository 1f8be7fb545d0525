import type { Filter, Filters, Shape, ValueOf } from '../../lists/list.js';
import { transactionRows } from '../transaction/fields.js';
import { byTime } from '../transaction/list.js';
import { askedTypes, inTimes, timeFilters } from '../transaction/query.js';
import type { TxType } from '../transaction/tx-types.js';
import type { NamingNarrowing, NamingQuery } from './arguments.js';

/** What is named, by its row id, a decimal text. */
export interface OfNamed {
  rowId: string;
}

/**
 * What lists of the transactions that name something are declared by: newest first, each a range of one index. Cursors are
 * row ids of transactions.
 *
 * @param links the table of who names what
 * @param column in it the row id of what is named
 */
export function listsOfNaming(links: string, column: string) {
  const common = {
    parent: ['rowId'],
    from: `${links} l`,
    where: (value: ValueOf, filters: readonly string[], request: Shape['request']) =>
      [`l.${column} = ${value('rowId')}`, ...inTimes('l.time', value, filters, request)].join(' AND '),
    order: {
      name: '',
      direction: 'desc' as const,
      columns: ['l.time', 'l.tie', 'l.transaction_id'],
      position: byTime.position,
      moves: byTime.moves,
    },
    cursor: byTime.cursor,
    columns: transactionRows.columns,
    lookup: { from: transactionRows.from, on: 't.id = page.k3' },
  };
  return {
    all: {
      ...common,
      values: { rowId: 'bigint', types: 'text[]', since: 'numeric', until: 'numeric' },
      bind: (query: OfNamed & NamingQuery) => ({ ...query, types: askedTypes(query) }),
      filters: {
        txType: { as: 'types' },
        txTypes: { as: 'types' },
        types: { in: 'ranges' },
        ...timeFilters,
      } satisfies Record<NamingNarrowing, Filter> & Filters,
      // A top-N of each type, as that is one range of an index.
      ranges: (value: ValueOf, filters: readonly string[]) => ({
        parts: [
          filters.includes('types')
            ? { each: `unnest(${value('types')}) AS part(type)`, where: 'l.tx_type = part.type' }
            : {},
        ],
        overlap: false,
      }),
    },
    ofTypes: (types: readonly TxType[]) => ({
      ...common,
      values: { rowId: 'bigint' },
      ranges: () => ({
        parts: types.map((type) => ({ where: `l.tx_type = '${type}'` })),
        overlap: false,
      }),
    }),
  };
}
