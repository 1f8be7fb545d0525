import { printJson } from '../json.js';
import { pageValues, rowsByPage } from '../paging/nested-page.js';
import type { PageRequest } from '../paging/page-request.js';
import { rowAt } from '../paging/position.js';
import type { Reader } from '../storage/reader.js';
import { bind, type CompiledStatement } from '../storage/statement.js';
import { conditionsOf, isGiven } from './filters.js';
import { carriedText } from './former.js';
import type { BoundList, ListDeclaration, ListedRow, Binds, Shape } from './list.js';
import { Parents, bindsAlone } from './parents.js';
import type { Counted, List, ListPage } from './read.js';
import { windowOf } from './sift.js';
import { listStatements } from './statement-memory.js';
import { countText, cursorWhere, markOf, names, pageText, shapeName } from './sql.js';

type Values = Readonly<Record<string, unknown>>;

/** The list as a whole, as it is counted and its cursors are found. */
const uncut = { direction: 'forward', limit: null, after: null, before: null } as const;

/** A list that is read by statements, one for each shape of a page or count. */
export class StatementList<Query extends object, Node> implements List<Query, Node> {
  readonly name: string;
  readonly toNode: List<Query, Node>['toNode'];
  private readonly filters: ReturnType<typeof conditionsOf>;
  private readonly alone: Binds;
  private readonly parents: Parents;

  constructor(private readonly declaration: ListDeclaration<Query, Node>) {
    const { name, values, parent = [], toNode } = declaration;
    this.name = name;
    this.toNode = toNode;
    this.filters = conditionsOf(declaration);
    this.alone = bindsAlone(values);
    this.parents = new Parents(values, parent);
  }

  bound(query: Query, request: Shape['request']): BoundList {
    if (this.declaration.sift) throw new Error(`${this.name}: for the plain executor`);
    const values = this.valuesOf(query);
    return { declaration: this.declaration, values, shape: this.shapeOf(query, values, request) };
  }

  async read(storage: Reader, query: Query, request: PageRequest): Promise<ListedRow[]> {
    const values = this.valuesOf(query);
    const shape = this.shapeOf(query, values, request);
    const page = this.statement(shapeName(shape), () => pageText(this.declaration, shape, this.alone, false));
    const limit = request.limit === null ? null : request.limit + 1;
    const { after, before } = request;
    const rows = await storage.read<ListedRow>(
      page,
      bind(page, { after, before, limit, ...values, ...this.window(limit, 1) }),
    );
    return request.direction === 'backward' ? rows.reverse() : rows;
  }

  async readBatch(
    storage: Reader,
    pages: readonly [ListPage<Query>, ...ListPage<Query>[]],
  ): Promise<ListedRow[][]> {
    const [{ query, request }] = pages;
    const all = pages.map((page) => this.valuesOf(page.query));
    const shape = this.shapeOf(query, all[0] ?? {}, request);
    const batch = this.statement(`of_${shapeName(shape)}`, () => this.batchText(shape));
    const paging = pageValues(pages);
    const rows = await storage.read<ListedRow & { ordinal: number }>(
      batch,
      bind(batch, { ...this.parents.values(all), ...this.window(paging.limit, pages.length), ...paging }),
    );
    return rowsByPage(rows, pages.length);
  }

  async count(storage: Reader, query: Query, most: number): Promise<Counted> {
    if (this.declaration.count) {
      const count = await this.declaration.count(storage, query, most);
      return { count, read: count };
    }
    const values = this.valuesOf(query);
    const shape = this.countedShape(query, values);
    const count = this.statement(`count_${shapeName(shape)}`, () =>
      countText(this.declaration, shape, this.alone),
    );
    const [counts] = await storage.read<Counted>(count, bind(count, { limit: most, ...values }));
    return counts ?? { count: 0, read: 0 };
  }

  async countBatch(storage: Reader, queries: readonly [Query, ...Query[]], most: number): Promise<Counted[]> {
    const all = queries.map((query) => this.valuesOf(query));
    const shape = this.countedShape(queries[0], all[0] ?? {});
    const { parents } = this;
    const count = this.statement(
      `count_of_${shapeName(shape)}`,
      () => `
          SELECT counted.* FROM ${parents.from()}
          CROSS JOIN LATERAL (${countText(this.declaration, shape, parents.binds)}) counted
          ORDER BY parent.ordinal`,
    );
    return storage.read<Counted>(count, bind(count, { ...parents.values(all), limit: most }));
  }

  isCounted(): boolean {
    return !this.declaration.sift;
  }

  exists(storage: Reader, query: Query, position: string): Promise<boolean> {
    const { exists, cursor } = this.declaration;
    if (exists) return exists(storage, rowAt(BigInt(position)).toString());
    if (!cursor) return Promise.resolve(true);
    const values = this.valuesOf(query);
    // Only the order decides the text: filters and direction do not.
    const { order } = this.shapeOf(query, values, uncut);
    const find = this.statement(
      order.name ? `exists_${order.name}` : 'exists',
      () => `SELECT 1 FROM ${cursor.table} c WHERE ${cursorWhere(cursor, order, ':id::bigint', this.alone)}`,
    );
    return storage.holds(find, bind(find, { id: position, ...values }));
  }

  async carried(storage: Reader, query: Query, position: string): Promise<string | null> {
    const { cursor } = this.declaration;
    const { order } = this.shapeOf(query, this.valuesOf(query), uncut);
    const text = cursor && carriedText(cursor, order, ':id::bigint');
    if (!text) return null;
    const find = this.statement('carried', () => text);
    const [row] = await storage.read<{ position: string }>(find, bind(find, { id: position }));
    return row?.position ?? null;
  }

  kindOf(query: Query): string {
    const { values: types, parent = [] } = this.declaration;
    const values = this.valuesOf(query);
    const { order, filters } = this.shapeOf(query, values, uncut);
    const common = Object.keys(types).filter((each) => !parent.includes(each));
    return printJson([order.name, order.direction, filters, common.map((each) => values[each])]);
  }

  parentOf(query: Query): string {
    const values = this.valuesOf(query);
    return printJson((this.declaration.parent ?? []).map((each) => values[each]));
  }

  private valuesOf(query: Query): Values {
    return this.declaration.bind ? this.declaration.bind(query) : (query as Values);
  }

  private shapeOf(query: Query, values: Values, request: Shape['request']): Shape {
    for (const each of this.filters.refused)
      if (isGiven((query as Values)[each])) throw new Error(`${this.name} does not take ${each}`);
    const { order } = this.declaration;
    return {
      order: typeof order === 'function' ? order(query) : order,
      filters: this.filters.conditions.flatMap(([each, { isOn = isGiven }]) =>
        isOn(values[each]) ? [each] : [],
      ),
      request,
    };
  }

  private countedShape(query: Query, values: Values): Shape {
    return this.shapeOf(this.declaration.counted?.(query) ?? query, values, uncut);
  }

  /** The statement of a name within the list. */
  private statement(part: string, makeText: () => string): CompiledStatement {
    return listStatements.of(`${this.name}_${part}`, makeText);
  }

  /** The bound of a list whose rows are checked one by one. */
  private window(limit: number | null, pages: number): Values {
    const { sift } = this.declaration;
    return sift ? { window: windowOf(sift, limit, pages) } : {};
  }

  private batchText(shape: Shape): string {
    const { declaration, parents } = this;
    const { order, request } = shape;
    const columns = [...Object.keys(declaration.columns), ...(declaration.sift ? ['isStop'] : [])];
    const keys = names(order).map((key) => `page.${key} ${order.direction}`);
    // A stop has the keys of the row that was checked last, and comes after it.
    const stop = declaration.sift
      ? `, page."isStop" ${request.direction === 'backward' ? 'DESC' : 'ASC'}`
      : '';
    return `
          SELECT parent.ordinal::int AS ordinal, ${columns.map((each) => `page."${each}"`).join(', ')},
            ${markOf(order, 'page.')} AS mark
          FROM ${parents.from(['after', 'before'])}
          CROSS JOIN LATERAL (${pageText(declaration, shape, parents.binds, true)}) page
          ORDER BY parent.ordinal, ${keys.join(', ')}${stop}`;
  }
}
