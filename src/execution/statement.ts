import type { Binds, ValueOf } from '../lists/list.js';
import { names, pageText } from '../lists/sql.js';
import { markText, positionText } from '../paging/position.js';
import type { BoundArguments, BoundListArguments } from './bound-arguments.js';
import { AFTER_TEXT, BEFORE_TEXT, LOST_CURSOR } from './marks.js';
import { cursorText, keyInSql, ownKeys, type Keys } from './keys.js';
import { atLeastOne, column, concat, keyText, literal, object, type Pieces } from './pieces.js';
import { infoText, looksBeyond, type PageSql } from './page-info.js';
import { partOf, rowOfPage, WHOLE_REPLY, within, type Room } from './room.js';
import type { ListNode, ListPart, Root, Row, RowNode } from './plan.js';

/** A parameter of a statement: the list or row that has its value, and the value's name. */
export interface StatementParameter {
  index: number;
  name: string;
}

/** One statement for a field of the query. */
export interface RootStatement {
  text: string;
  parameters: readonly StatementParameter[];
}

/**
 * The statement of a field of the query: one row with the column `text`, the JSON of the field; see marks.ts.
 *
 * @param bound the arguments of all lists and rows, by index; all but their values decide the text
 */
export function rootStatement({ is }: Root, bound: readonly BoundArguments[]): RootStatement {
  const writer = new Writer(bound);
  if ('text' in is) throw new TypeError('a text needs no statement');
  const text = 'list' in is ? writer.list(is.list, {}, WHOLE_REPLY) : writer.row(is.row, {}, WHOLE_REPLY);
  return { text, parameters: writer.parameters };
}

class Writer {
  readonly parameters: StatementParameter[] = [];
  private aliases = 0;

  constructor(private readonly bound: readonly BoundArguments[]) {}

  /** A SELECT of the connection's JSON. It always returns one row, because counting makes it an aggregate. */
  list(node: ListNode, parent: Keys, room: Room): string {
    const { index, source, parts } = node;
    const { declaration, shape, limit, values, hasCursor, present } = this.bound[index] as BoundListArguments;
    const { order, request } = shape;
    const alias = this.alias();
    const own = ownKeys(source.of, parent, declaration);
    const binds: Binds = {
      value: (name) => {
        const known = own[name];
        const type = declaration.values[name];
        // A constant, so that PostgreSQL plans the statement once: see docs/decisions/0018-one-statement.md.
        if (known === undefined && node.isFixed && !hasCursor && present === null)
          return `${literal(values[name])}::${type}`;
        if (known === undefined) return `${this.parameter(index, name)}::${type}`;
        return typeof known === 'string' ? known : `ARRAY[${known.join(', ')}]`;
      },
      cursor: (name) => `${this.parameter(index, `:${name}`)}::bigint`,
    };
    const size = limit === 'bound' ? `${this.parameter(index, ':limit')}::bigint` : limit;
    const isCounted = size !== null && looksBeyond(parts, request.direction);
    const sorted = (direction: string) =>
      names(order)
        .map((name) => `${alias}.${name} ${direction}`)
        .join(', ');
    const inOrder = sorted(order.direction);
    const kept = isCounted ? ` FILTER (WHERE ${alias}.nth <= ${size})` : '';
    const columns: Record<string, string> = {};
    const laterals: string[] = [];
    const id = () => column(alias, columns, declaration.columns['id'] ?? '');
    const positionAt = (of = (value: string) => value) =>
      positionText(of(id()), markText((order.moves ?? []).map((index) => of(`${alias}.k${index + 1}`))));
    const cursor = cursorText(node, parent);
    const roomOfRow = rowOfPage(partOf(room, parts.length), size);
    const rowOf = (row: Row) => this.object(row, alias, columns, laterals, roomOfRow);
    const textOf = () => within(roomOfRow, column(alias, columns, declaration.columns['text'] ?? ''));
    const pieces = object(
      parts.map((part) => [
        part.key,
        this.listPart(part, { shape, rowOf, textOf, position: positionAt, cursor, kept, inOrder, size }),
      ]),
    );
    // The plain executor then reads all of it again: see executor.ts.
    if (hasCursor) pieces.unshift(`CASE WHEN count(*) = 0 THEN '${LOST_CURSOR}' END`);
    const page = pageText({ ...declaration, columns: atLeastOne(columns) }, shape, binds, true).replaceAll(
      ':limit::bigint',
      // As a number: PostgreSQL assumes that a parameter stands for a tenth of all rows, and then plans each
      // request again.
      isCounted ? `${size} + 1` : String(size),
    );
    const backwards = order.direction === 'asc' ? 'desc' : 'asc';
    const reading = request.direction === 'forward' ? inOrder : sorted(backwards);
    const from = isCounted
      ? `(SELECT ${alias}.*, row_number() OVER (ORDER BY ${reading}) AS nth FROM (${page}) ${alias}) ${alias}`
      : `(${page}) ${alias}`;
    return `SELECT ${concat(pieces)} AS text, count(*) AS rows FROM ${from} ${laterals.join(' ')}`;
  }

  /** A SELECT of the row's JSON; it returns no row if there is no such row. */
  row({ index, source, row }: RowNode, parent: Keys, room: Room): string {
    const alias = this.alias();
    const given = source.of && keyInSql(source.of, parent);
    const from = this.rowFrom(
      source.find,
      (name, type) => given?.[name] ?? `${this.parameter(index, name)}::${type}`,
    );
    const need = source.needs === undefined ? undefined : parent[source.needs];
    const needed = need === undefined ? '' : ` AND ${need} IS NOT NULL`;
    const columns: Record<string, string> = {};
    const laterals: string[] = [];
    const text = this.object(row, alias, columns, laterals, room);
    const read = Object.entries(atLeastOne(columns)).map(([name, sql]) => `${sql} AS "${name}"`);
    return `SELECT ${concat(text)} AS text FROM (
      SELECT ${read.join(', ')} FROM ${from}${needed} LIMIT 1) ${alias} ${laterals.join(' ')}`;
  }

  /** FROM and WHERE of a row found by its key. */
  private rowFrom(find: RowNode['source']['find'], value: (part: string, type: string) => string): string {
    if ('types' in find) {
      const { as, types, select = (valueOf) => given(Object.keys(types), valueOf) } = find;
      return `(${select((part) => value(part, types[part] ?? ''))}) ${as} WHERE true`;
    }
    const conditions = Object.entries(find.key).map(([part, [type, sql]]) => `${sql} = ${value(part, type)}`);
    return `${find.source.from} WHERE ${conditions.join(' AND ')}`;
  }

  private listPart(part: ListPart, page: PageSql): Pieces {
    if (part.is === 'sql') return [part.sql];
    const { kept, inOrder } = page;
    const all = (row: Pieces) => [`'['`, `string_agg(${concat(row)}, ',' ORDER BY ${inOrder})${kept}`, `']'`];
    if (part.is === 'json') return [`'${BEFORE_TEXT}'`, ...all([page.textOf()]), `'${AFTER_TEXT}'`];
    if (part.is === 'nodes') return all(page.rowOf(part.row));
    if (part.is === 'pageInfo') return object(part.parts.map((each) => [each.key, [infoText(each, page)]]));
    return all(
      object(
        part.parts.map((each) => {
          if (each.is === 'sql') return [each.key, [each.sql]];
          return [each.key, each.is === 'cursor' ? [page.cursor(page.position())] : page.rowOf(each.row)];
        }),
      ),
    );
  }

  /**
   * Pieces of the JSON of a row over `alias`: the columns of its own tables are one text, in `columns`; its
   * lists and rows come from `laterals`. Each has an equal part of the room.
   */
  private object(
    row: Row,
    alias: string,
    columns: Record<string, string>,
    laterals: string[],
    room: Room,
  ): Pieces {
    const hanging = row.parts.filter(({ is }) => is !== 'sql').length;
    const part = partOf(room, 2 * hanging + 1);
    const pieces: Pieces = [];
    let own: Pieces = [`'{'`];
    const flush = () => {
      if (own.length === 0) return;
      pieces.push(within(part, column(alias, columns, concat(own))));
      own = [];
    };
    const keys = Object.fromEntries(
      Object.keys(row.type?.keys ?? {}).map((name) => [name, `${alias}."of ${name}"`]),
    );
    row.parts.forEach((each, at) => {
      own.push(keyText(each.key, at));
      if (each.is === 'sql') {
        own.push(each.sql);
        return;
      }
      for (const [name, sql] of Object.entries(row.type?.keys ?? {})) columns[`of ${name}`] = sql;
      const inner = each.is === 'list' ? this.list(each.list, keys, part) : this.row(each.row, keys, part);
      const name = this.alias();
      laterals.push(`LEFT JOIN LATERAL (${inner}) ${name} ON true`);
      flush();
      pieces.push(`coalesce(${name}.text, 'null')`);
    });
    own.push(`'}'`);
    flush();
    return pieces;
  }

  private parameter(index: number, name: string): string {
    const known = this.parameters.findIndex((each) => each.index === index && each.name === name);
    return `$${known >= 0 ? known + 1 : this.parameters.push({ index, name })}`;
  }

  private alias(): string {
    this.aliases += 1;
    return `x${this.aliases}`;
  }
}

/** A SELECT of the parts of a key. */
const given = (parts: string[], value: ValueOf) =>
  `SELECT ${parts.map((part) => `${value(part)} AS "${part}"`).join(', ')}`;
