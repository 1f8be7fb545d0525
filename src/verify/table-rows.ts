import { pipelineTable } from '../state/following.js';
import type { Connection } from '../storage/session.js';
import { rowsOf } from './cursor.js';
import { tableNamed, type ProvedTable, type Scope } from './tables.js';

/** A row as every installation has it. */
export interface NaturalRow {
  readonly key: string;
  /** JSON text of its columns, in a fixed order. */
  readonly row: string;
}

/** The rows of a table without row ids: SQL that returns `key` and `row`. */
export async function selectOf(connection: Connection, table: ProvedTable, scope: Scope): Promise<string> {
  if (scope !== null && table.partsOf) return table.partsOf(scope);
  const { rows } = await connection.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attname`,
    [table.name],
  );
  const left = [...(table.unproved ?? []), ...(scope === null ? [] : (table.notOnChain ?? []))];
  const columns = rows
    .map(({ name }) => name)
    .filter((name) => !left.includes(name))
    .filter((name) => name !== 'id' || table.key.includes(name));
  const from = new From(table, 't');
  const isFromFiles = scope === null;
  const values = columns.map((column) => {
    const isUnknown = isFromFiles && table.zeroIsUnknown?.includes(column);
    return `'${column}', ${isUnknown ? `nullif(t.${column}, 0)` : from.value(column)}`;
  });
  const conditions = from.within(scope);
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  return `SELECT ${from.key()} AS key, jsonb_build_object(${values.join(', ')})::text AS row FROM ${from.text()} ${where}`;
}

/** A table with the tables that its row ids name. */
class From {
  private readonly joined = new Map<string, From>();

  constructor(
    private readonly table: ProvedTable,
    private readonly alias: string,
  ) {}

  /** What a column says without row ids. */
  value(column: string): string {
    return this.named(column)?.key() ?? `${this.alias}.${column}`;
  }

  key(): string {
    // An unknown row, for example a row id that names none, is shown as such.
    const parts = this.table.key.map((column) => `coalesce(${this.value(column)}::text, '?')`);
    return parts.length === 1 ? String(parts[0]) : `concat_ws(' ', ${parts.join(', ')})`;
  }

  text(): string {
    return `${this.table.name} ${this.alias}${this.joins()}`;
  }

  /** Conditions on rows of a scope. */
  within(scope: Scope): string[] {
    if (scope === null) return [];
    // Chains of L1s are not followed again.
    if (this.table.name === pipelineTable.name)
      return [
        `${this.alias}.network = '${scope.network}'`,
        `split_part(${this.alias}.name, ':', 2) IN ('', '${scope.cEvmChainId}')`,
      ];
    if (this.table.key.includes('network')) return [`${this.alias}.network = '${scope.network}'`];
    if (this.table.key.includes('evm_chain_id')) return [`${this.alias}.evm_chain_id = ${scope.cEvmChainId}`];
    const [first = ''] = this.table.key;
    // A row that names no other one belongs to whoever is compared.
    return (this.named(first)?.within(scope) ?? []).map((condition) => `coalesce(${condition}, true)`);
  }

  private joins(): string {
    return [...this.joined].map(([column, to]) => this.join(column, to)).join('');
  }

  private join(column: string, to: From): string {
    return ` LEFT JOIN ${to.table.name} ${to.alias} ON ${to.alias}.id = ${this.alias}.${column}${to.joins()}`;
  }

  private named(column: string): From | undefined {
    const name = this.table.references?.[column];
    if (name === undefined) return undefined;
    const known = this.joined.get(column);
    if (known) return known;
    const made = new From(tableNamed(name), `${this.alias}_${column}`);
    this.joined.set(column, made);
    return made;
  }
}

/** How many rows there are, and the sum of their hashes. */
export async function digestOf(
  connection: Connection,
  select: string,
): Promise<{ rows: number; hash: string }> {
  const { rows } = await connection.query<{ rows: string; hash: string }>(
    `SELECT count(*)::text AS rows, coalesce(sum(hashtextextended(key || ' ' || row, 0)::numeric), 0)::text AS hash
     FROM (${select}) s`,
  );
  return { rows: Number(rows[0]?.rows), hash: String(rows[0]?.hash) };
}

/** The rows in the order of their keys' bytes; inside a transaction. */
export const inOrder = (connection: Connection, name: string, select: string): AsyncGenerator<NaturalRow> =>
  rowsOf(connection, name, `SELECT key, row FROM (${select}) s ORDER BY key COLLATE "C", row COLLATE "C"`);
