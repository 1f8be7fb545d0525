import type { Place } from '../lists/list.js';
import { names, pageText } from '../lists/sql.js';
import type { Asking, ListAsking } from './asking.js';
import { atLeastOne, column, concat, keyText, literal, object, type Pieces } from './pieces.js';
import { infoText, looksBeyond, type PageSql } from './page-info.js';
import type { ListNode, ListPart, Root, Row, RowNode } from './plan.js';

/** A value of a statement: of which list or row, and its name there. */
export interface Slot {
  index: number;
  name: string;
}

/** One statement for a field of the query. */
export interface RootStatement {
  text: string;
  slots: readonly Slot[];
}

/** What stands around a place in the reply's text where a page token belongs: no JSON text holds these. */
export const [BEFORE_CURSOR, AFTER_CURSOR] = ['\u0001', '\u0002'];

/** SQL of a parent's keys by name. */
type Keys = Readonly<Record<string, string>>;

/**
 * The statement of a field of the query: one row with the column `text`, the JSON of the field, and for a list `rows`.
 *
 * @param asked what all lists and rows are asked for, by index; values aside it decides the text
 */
export function rootStatement({ is }: Root, asked: readonly Asking[]): RootStatement {
  const writer = new Writer(asked);
  if ('text' in is) throw new TypeError('a text needs no statement');
  const text = 'list' in is ? writer.list(is.list, {}) : writer.row(is.row, {});
  return { text, slots: writer.slots };
}

class Writer {
  readonly slots: Slot[] = [];
  private aliases = 0;

  constructor(private readonly asked: readonly Asking[]) {}

  /** A SELECT of the connection's JSON: one row, even of an empty list, for counting makes it an aggregate. */
  list(node: ListNode, parent: Keys): string {
    const { index, source, parts } = node;
    const { declaration, shape, limit = 0, values, hasCursor, isPassing } = this.asked[index] as ListAsking;
    const { order, request } = shape;
    const alias = this.alias();
    const own = ownKeys(source.of, parent);
    const place: Place = {
      value: (name) => {
        const known = own[name];
        const type = declaration.values[name];
        // Known to the planner, which then plans once: see docs/decisions/0018-one-statement.md.
        if (known === undefined && node.isFixed && !hasCursor && !isPassing)
          return `${literal(values[name])}::${type}`;
        if (known === undefined) return `${this.slot(index, name)}::${type}`;
        return typeof known === 'string' ? known : `ARRAY[${known.join(', ')}]`;
      },
      cursor: (name) => `${this.slot(index, `:${name}`)}::bigint`,
    };
    const isCounted = looksBeyond(parts, request.direction);
    const sorted = (direction: string) =>
      names(order)
        .map((name) => `${alias}.${name} ${direction}`)
        .join(', ');
    const inOrder = sorted(order.direction);
    const backwards = sorted(order.direction === 'asc' ? 'desc' : 'asc');
    const kept = isCounted ? ` FILTER (WHERE ${alias}.place <= ${limit})` : '';
    const columns: Record<string, string> = {};
    const laterals: string[] = [];
    const cursor = () => this.cursor(node, alias, columns, declaration.columns['id'] ?? '', parent);
    const rowOf = (row: Row) => this.object(row, alias, columns, laterals);
    const pieces = object(
      parts.map((part) => [
        part.key,
        this.listPart(part, { shape, rowOf, cursor, kept, inOrder, backwards, limit }),
      ]),
    );
    const page = pageText({ ...declaration, columns: atLeastOne(columns) }, shape, place, true).replaceAll(
      ':limit::bigint',
      // As a number: the planner takes a parameter to be a tenth of all rows, and then plans anew for each request.
      String(isCounted ? limit + 1 : limit),
    );
    const reading = request.direction === 'forward' ? inOrder : backwards;
    const from = isCounted
      ? `(SELECT ${alias}.*, row_number() OVER (ORDER BY ${reading}) AS place FROM (${page}) ${alias}) ${alias}`
      : `(${page}) ${alias}`;
    return `SELECT ${concat(pieces)} AS text, count(*)::int AS rows FROM ${from} ${laterals.join(' ')}`;
  }

  /** A SELECT of the row's JSON; it gives nothing where there is no such row. */
  row({ index, source, row }: RowNode, parent: Keys): string {
    const alias = this.alias();
    const given = source.of?.(parent as never) as Keys | undefined;
    const from = this.rowFrom(
      source.find,
      (name, type) => given?.[name] ?? `${this.slot(index, name)}::${type}`,
    );
    const needed = source.needs === undefined ? '' : ` AND ${parent[source.needs]} IS NOT NULL`;
    const columns: Record<string, string> = {};
    const laterals: string[] = [];
    const text = this.object(row, alias, columns, laterals);
    const read = Object.entries(atLeastOne(columns)).map(([name, sql]) => `${sql} AS "${name}"`);
    return `SELECT ${concat(text)} AS text FROM (
      SELECT ${read.join(', ')} FROM ${from}${needed} LIMIT 1) ${alias} ${laterals.join(' ')}`;
  }

  /** FROM and WHERE of the row of a key. */
  private rowFrom(find: RowNode['source']['find'], value: (part: string, type: string) => string): string {
    if ('types' in find) {
      const columns = Object.entries(find.types).map(([part, type]) => `${value(part, type)} AS "${part}"`);
      return `(SELECT ${columns.join(', ')}) ${find.as} WHERE true`;
    }
    const conditions = Object.entries(find.key).map(([part, [type, sql]]) => `${sql} = ${value(part, type)}`);
    return `${find.source.from} WHERE ${conditions.join(' AND ')}`;
  }

  private listPart(part: ListPart, page: PageSql): Pieces {
    if (part.is === 'sql') return [part.sql];
    const { kept, inOrder } = page;
    const all = (row: Pieces) => [`'['`, `string_agg(${concat(row)}, ',' ORDER BY ${inOrder})${kept}`, `']'`];
    if (part.is === 'nodes') return all(page.rowOf(part.row));
    if (part.is === 'pageInfo') return object(part.parts.map((each) => [each.key, [infoText(each, page)]]));
    return all(
      object(
        part.parts.map((each) => {
          if (each.is === 'sql') return [each.key, [each.sql]];
          return [each.key, each.is === 'cursor' ? [page.cursor()] : page.rowOf(each.row)];
        }),
      ),
    );
  }

  /**
   * Pieces of the JSON of a row over `alias`: what its own tables say is made one text beside them, in `columns`; what
   * hangs on it comes from `laterals`.
   */
  private object(row: Row, alias: string, columns: Record<string, string>, laterals: string[]): Pieces {
    const pieces: Pieces = [];
    let own: Pieces = [`'{'`];
    const flush = () => {
      if (own.length === 0) return;
      pieces.push(column(alias, columns, concat(own)));
      own = [];
    };
    const keys = Object.fromEntries(
      Object.keys(row.type?.keys ?? {}).map((name) => [name, `${alias}."of ${name}"`]),
    );
    row.parts.forEach((part, at) => {
      own.push(keyText(part.key, at));
      if (part.is === 'sql') {
        own.push(part.sql);
        return;
      }
      for (const [name, sql] of Object.entries(row.type?.keys ?? {})) columns[`of ${name}`] = sql;
      const inner = part.is === 'list' ? this.list(part.list, keys) : this.row(part.row, keys);
      const name = this.alias();
      laterals.push(`LEFT JOIN LATERAL (${inner}) ${name} ON true`);
      flush();
      pieces.push(`coalesce(${name}.text, 'null')`);
    });
    own.push(`'}'`);
    flush();
    return pieces;
  }

  /** SQL of the JSON text of a row's page token, to be made of the row's id: see BEFORE_CURSOR. */
  private cursor(
    { index }: ListNode,
    alias: string,
    columns: Record<string, string>,
    id: string,
    parent: Keys,
  ): string {
    const of = Object.entries(parent).flatMap(([name, sql]) => [`'${name}'`, sql]);
    const json = of.length > 0 ? `json_build_object(${of.join(', ')})::text` : `'{}'`;
    return `concat('${BEFORE_CURSOR}${index}:', ${column(alias, columns, id)}, ':', ${json}, '${AFTER_CURSOR}')`;
  }

  private slot(index: number, name: string): string {
    const known = this.slots.findIndex((slot) => slot.index === index && slot.name === name);
    return `$${known >= 0 ? known + 1 : this.slots.push({ index, name })}`;
  }

  private alias(): string {
    this.aliases += 1;
    return `x${this.aliases}`;
  }
}

/** What of a list's values its parent's row says, in SQL. */
function ownKeys(of: ListNode['source']['of'], parent: Keys): Record<string, string | string[]> {
  const keys = Object.entries(of).map(([name, valueOf]) => [
    name,
    valueOf(parent as never) as string | string[],
  ]);
  return Object.fromEntries(keys) as Record<string, string | string[]>;
}
