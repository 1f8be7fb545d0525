import { keyset, keysetName } from '../paging/keyset.js';
import { markAtText, markText, rowText } from '../paging/position.js';
import { conditionText } from './filters.js';
import type { FromText, Keys, ListSql, Order, Binds, Ranges, RowSource, Shape } from './list.js';
import { siftedText } from './sift.js';

const LIMIT = 'LIMIT :limit::bigint';

/** Letters that name the texts that one list can have. */
export function shapeName({ order, filters, request }: Shape): string {
  return [order.name, keysetName(order.direction, request), ...filters].filter(Boolean).join('_');
}

/**
 * SQL of the rows of a page in reading order: a statement, or what follows LATERAL.
 *
 * @param withKeys whether to select the columns k1, k2, … of the order, for an outer query that sorts again;
 *   otherwise the rows' marks, as `mark`
 */
export function pageText(list: ListSql, shape: Shape, binds: Binds, withKeys: boolean): string {
  return cursorRows(list, shape, binds) + rowsText(list, shape, binds, withKeys);
}

function rowsText(list: ListSql, shape: Shape, binds: Binds, withKeys: boolean): string {
  const { columns, lookup, sift, whole } = list;
  if (!lookup) {
    const also = (of: readonly string[]) =>
      withKeys
        ? of.map((sql, index) => `${sql} AS k${index + 1}`)
        : [`${markOfColumns(shape.order, of)} AS mark`];
    if (whole === undefined)
      return keysText(list, shape, binds, [...select(columns), ...also(shape.order.columns)]);
    const sorted = names(shape.order).map((name) => `${whole}.${name}`);
    return `
    SELECT ${[...select(columns), ...also(sorted)].join(', ')}
    FROM (${mergedText(list, shape, binds, [`${whole}.*`, ...named(shape.order.columns)])}) ${whole}
    ORDER BY ${keysetOver(list, shape, binds)(sorted).readingOrder}`;
  }
  const { on, keys: more = {} } = lookup;
  const from = fromText(lookup.from, shape, binds);
  const read = Object.keys(columns).map((name) => `row."${name}"`);
  const wanted = [...named(shape.order.columns), ...select(more)];
  const onPage = names(shape.order).map((name) => `page.${name}`);
  const keys = withKeys ? onPage : [`${markOf(shape.order, 'page.')} AS mark`];
  const { readingOrder, reversed } = keysetOver(list, shape, binds)(onPage);
  const merged = mergedText(list, shape, binds, wanted);
  const reading = {
    order: readingOrder,
    backwards: onPage
      .map((name) => `${name} ${reversed === (shape.order.direction === 'asc') ? 'ASC' : 'DESC'}`)
      .join(', '),
  };
  const page = sift
    ? siftedText(merged, { from, on }, sift.sql(binds.value, shape.filters), reading)
    : merged;
  return `
    SELECT ${[...read, ...(sift ? ['page."isStop"'] : []), ...keys].join(', ')}
    FROM (${page}) page
    CROSS JOIN LATERAL (SELECT ${select(columns).join(', ')} FROM ${from} WHERE ${on} OFFSET 0) row
    ORDER BY ${readingOrder}${sift ? ', page."isStop"' : ''}`;
}

/** SQL of one row with `count`, the rows of the list, and `read`, the entries read for it up to the limit. */
export function countText(list: ListSql, shape: Shape, binds: Binds): string {
  const ranges = list.ranges?.(binds.value, shape.filters);
  if (!ranges)
    return `SELECT count(*)::int AS count, count(*)::int AS read
      FROM (SELECT 1 ${source(list, shape, binds)} ${LIMIT}) found`;
  const entries = entriesText(list, ranges, shape, binds, named(shape.order.columns));
  const rows = ranges.overlap ? `DISTINCT found.${names(shape.order).at(-1)}` : '*';
  return `SELECT count(${rows})::int AS count, count(*)::int AS read
    FROM (SELECT * FROM (${entries}) entry ${LIMIT}) found`;
}

/** For a list that declares none. */
const ONE_RANGE: Ranges = { parts: [{}], overlap: false };

function mergedText(list: ListSql, shape: Shape, binds: Binds, wanted: string[]): string {
  const ranges = list.ranges?.(binds.value, shape.filters) ?? ONE_RANGE;
  const [first, ...others] = ranges.parts;
  if (first && !first.each && others.length === 0) return keysText(list, shape, binds, wanted, first.where);
  const columns = names(shape.order).map((name) => `entry.${name}`);
  const more = Object.keys(list.lookup?.keys ?? {}).map((name) => `entry."${name}"`);
  const read = list.whole === undefined ? [...columns, ...more] : ['entry.*'];
  return `
    SELECT ${ranges.overlap ? 'DISTINCT ' : ''}${read.join(', ')}
    FROM (${entriesText(list, ranges, shape, binds, wanted)}) entry
    ORDER BY ${keysetOver(list, shape, binds)(columns).readingOrder} ${LIMIT}`;
}

/** SQL of the first rows of every range. */
function entriesText(list: ListSql, { parts }: Ranges, shape: Shape, binds: Binds, wanted: string[]): string {
  const texts = parts.map(({ each, where }) => {
    const keys = keysText(list, shape, binds, wanted, where);
    return each ? `(SELECT entry.* FROM ${each} CROSS JOIN LATERAL (${keys}) entry)` : `(${keys})`;
  });
  return texts.join(' UNION ALL ');
}

function keysText(list: ListSql, shape: Shape, binds: Binds, wanted: string[], range?: string): string {
  const keyset = keysetOver(list, shape, binds);
  const entries = `SELECT ${wanted.join(', ')} ${source(list, shape, binds, range)}`;
  return (list.keys ?? cut)({ ...shape, binds, keyset, entries });
}

/** The usual SQL of a page's keys. */
export function cut({ order, keyset, entries }: Pick<Keys, 'order' | 'keyset' | 'entries'>): string {
  const page = keyset(order.columns);
  return `${entries}${page.conditions} ORDER BY ${page.readingOrder} ${LIMIT}`;
}

/** The WITH clause of a page, which finds the rows of its cursors once. */
function cursorRows({ cursor }: ListSql, { order, request }: Shape, binds: Binds): string {
  if (!cursor?.once || !order.position) return '';
  const columns = named(order.position('c')).join(', ');
  const rows = (['after', 'before'] as const)
    .filter((name) => request[name] !== null)
    .map((name) => {
      const where = cursorWhere(cursor, order, binds.cursor(name), binds);
      return `${name}_row AS MATERIALIZED (SELECT ${columns} FROM ${cursor.table} c WHERE ${where})`;
    });
  return rows.length > 0 ? `WITH ${rows.join(', ')} ` : '';
}

function keysetOver({ cursor }: ListSql, shape: Shape, binds: Binds) {
  const { order, request } = shape;
  const position = (name: 'after' | 'before') => {
    const at = binds.cursor(name);
    if (!cursor || !order.position) return rowText(at);
    if (cursor.once) return `(SELECT ${names(order).join(', ')} FROM ${name}_row)`;
    const where = cursorWhere(cursor, order, at, binds);
    return `(SELECT ${order.position('c').join(', ')} FROM ${cursor.table} c WHERE ${where})`;
  };
  return (columns: readonly string[]) => {
    const page = keyset(columns, order.direction, request, position);
    return { ...page, conditions: page.conditions + (order.prunes ? pruning(columns[0], shape) : '') };
  };
}

/** The condition for the row `c` of a cursor: no row if it has moved, and then the page is empty. */
export function cursorWhere(
  cursor: NonNullable<ListSql['cursor']>,
  order: Order,
  at: string,
  { value }: Pick<Binds, 'value'>,
): string {
  const id = rowText(at);
  const row = cursor.at?.('c', id, value) ?? `c.id = ${id}`;
  if (!order.moves?.length || !order.position) return row;
  return `${row} AND ${markOfColumns(order, order.position('c'))} = ${markAtText(at)}`;
}

/** SQL of the mark of a row. @param prefix of the order's columns k1, k2, … */
export const markOf = (order: Order, prefix: string) =>
  markOfColumns(
    order,
    names(order).map((name) => `${prefix}${name}`),
  );

const markOfColumns = ({ moves = [] }: Order, columns: readonly string[]) =>
  markText(moves.map((index) => columns[index] ?? ''));

/** A row comparison does not prune partitions, a comparison of the first column does. */
function pruning(first: string | undefined, { order, request }: Shape): string {
  const [beyond, ahead] = order.direction === 'asc' ? ['>=', '<='] : ['<=', '>='];
  return (
    (request.after === null ? '' : ` AND ${first} ${beyond} (SELECT k1 FROM after_row)`) +
    (request.before === null ? '' : ` AND ${first} ${ahead} (SELECT k1 FROM before_row)`)
  );
}

/** FROM and WHERE of all keys, or of those of a range. */
function source({ from, where, filters = {} }: ListSql, shape: Shape, binds: Binds, range?: string): string {
  const { filters: given, request, order } = shape;
  const { value } = binds;
  const filtered = given.map((name) => conditionText(filters[name], value));
  const conditions = [where(value, given, request, order.direction), range, ...filtered].filter(Boolean);
  return `FROM ${fromText(from, shape, binds)} WHERE ${conditions.join(' AND ')}`;
}

function fromText(from: FromText, { filters }: Shape, { value }: Binds): string {
  return typeof from === 'string' ? from : from(value, filters);
}

/** The names of an order's columns: k1, k2, … */
export function names({ columns }: Order): string[] {
  return columns.map((_column, index) => `k${index + 1}`);
}

function named(columns: readonly string[]): string[] {
  return columns.map((column, index) => `${column} AS k${index + 1}`);
}

/** A SELECT list. */
export function select(columns: RowSource['columns']): string[] {
  return Object.entries(columns).map(([name, sql]) => `${sql} AS "${name}"`);
}
