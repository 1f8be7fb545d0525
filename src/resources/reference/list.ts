import type { Shape, ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import { transactionRows, type TransactionNode } from '../transaction/fields.js';
import { linksByTime } from '../transaction/list.js';
import { requestedTypes, inTimes, timeFilters } from '../transaction/query.js';
import type { TransactionTypeName } from '../../avalanche/chain/transactions.js';
import type { ReferenceNarrowing, ReferenceQuery } from '../reference/arguments.js';

/** The referenced object, by its row id, a decimal text. */
export interface OfReferenced {
  rowId: string;
}

/** How lists know the object: the SQL types of their values, and SQL of its row id. */
interface Subject {
  values: Readonly<Record<string, string>>;
  rowId: (value: ValueOf) => string;
}

const byRowId: Subject = { values: { rowId: 'bigint' }, rowId: (value) => value('rowId') };

/**
 * Declares lists of the transactions that refer to an object: newest first, each a range of one index.
 * Cursors are row ids of transactions.
 *
 * @param links the table of the references
 * @param column its column with the row id of the object
 */
export function listsOfReferences<Of extends object = OfReferenced>(
  links: string,
  column: string,
  { values: own, rowId }: Subject = byRowId,
) {
  const common = {
    parent: Object.keys(own),
    from: `${links} l`,
    where: (value: ValueOf, filters: readonly string[], request: Shape['request']) =>
      [`l.${column} = ${rowId(value)}`, ...inTimes('l.time', value, filters, request)].join(' AND '),
    ...linksByTime('l'),
    columns: transactionRows.columns,
    toNode: transactionRows.toNode,
    lookup: { from: transactionRows.from, on: 't.id = page.k3' },
  };
  return {
    all: (name: string) =>
      defineList<Of & ReferenceQuery, TransactionNode, ReferenceNarrowing>({
        name,
        ...common,
        values: { ...own, types: 'text[]', since: 'numeric', until: 'numeric' },
        bind: (query) => ({ ...query, types: requestedTypes(query) }),
        filters: {
          txType: { as: 'types' },
          txTypes: { as: 'types' },
          types: { in: 'ranges' },
          ...timeFilters,
        },
        // The first rows of each type, because that is one range of an index.
        ranges: (value, filters) => ({
          parts: [
            filters.includes('types')
              ? { each: `unnest(${value('types')}) AS part(type)`, where: 'l.tx_type = part.type' }
              : {},
          ],
          overlap: false,
        }),
      }),
    ofTypes: (name: string, types: readonly TransactionTypeName[]) =>
      defineList<Of, TransactionNode, never>({
        name,
        ...common,
        values: own,
        ranges: () => ({ parts: types.map((type) => ({ where: `l.tx_type = '${type}'` })), overlap: false }),
      }),
  };
}
