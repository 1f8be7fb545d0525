/** Reads a value of an import row as PostgreSQL's text. @throws RowError that begins with the name */
export type ReadColumn<T, Scope> = (value: unknown, name: string, scope: Scope) => T;

/** A column that an import fills from the field under which it is declared. */
export interface Column<Name extends string = string, T = unknown> {
  name: Name;
  /** SQL type. */
  type: string;
  read: ReadColumn<T, never>;
}

type Columned = Readonly<Record<string, { sql: string; column?: Column; absent?: string }>>;
type NameOf<F> = F extends { column: Column<infer Name> } ? Name : never;
type ValueOf<F> = F extends { column: Column<string, infer T> } ? T : never;

/** The columns that an import fills, as PostgreSQL's texts; NULL means unknown or none. */
export type RecordOf<F extends Columned> = {
  [Key in keyof F as NameOf<F[Key]>]: F[Key] extends { absent: string }
    ? ValueOf<F[Key]> | null
    : ValueOf<F[Key]>;
};

/** The declared half of a field that has a column of the table `alias`. */
export function columnOf<const Name extends string, T, Scope = never>(
  alias: string,
  name: Name,
  type: string,
  read: ReadColumn<T, Scope>,
): { sql: string; column: Column<Name, T> } {
  return { sql: `${alias}.${name}`, column: { name, type, read: read } };
}

/** SQL types of the columns, by name. */
export function columnTypes(fields: Columned): Record<string, string> {
  return Object.fromEntries(columned(fields).map(([, { name, type }]) => [name, type]));
}

/**
 * A function that reads the columns from an import row; a column that may be absent is null if the row does
 * not have it.
 *
 * @param others further members of a record, which the caller sets: all records are copies of one, because
 *   adding twenty names to an object takes several times as long
 * @throws RowError
 */
export function recordReader<F extends Columned, Scope, Others extends object = object>(
  fields: F,
  others: Others = {} as Others,
): (row: Readonly<Record<string, unknown>>, scope: Scope) => Others & RecordOf<F> {
  const columns = columned(fields);
  const empty = { ...others, ...Object.fromEntries(columns.map(([, { name }]) => [name, null])) };
  return (row, scope) => {
    const record: Record<string, unknown> = { ...empty };
    for (const [field, { name, read }, isOptional] of columns) {
      const value = row[field];
      const isAbsent = isOptional && (value === undefined || value === null);
      record[name] = isAbsent ? null : read(value, field, scope as never);
    }
    return record as Others & RecordOf<F>;
  };
}

/**
 * A function that merges two records: a value that only one of them knows is kept; if both know it, the newer
 * counts. An empty list means unknown.
 */
export function recordMerger<F extends Columned>(
  fields: F,
): <Row extends RecordOf<F>>(older: Row, newer: Row) => Row {
  const columns = columned(fields);
  const named = (wanted: typeof columns) => wanted.map(([, { name }]) => name as keyof RecordOf<F>);
  const names = named(columns.filter(([, , isOptional]) => isOptional));
  const lists = named(columns.filter(([, { type }]) => type.endsWith('[]')));
  return (older, newer) => {
    const merged = { ...newer };
    for (const name of names) merged[name] ??= older[name];
    for (const name of lists) if (isEmptyList(merged[name])) merged[name] = older[name] ?? merged[name];
    return merged;
  };
}

/** Of a list, or of its text for PostgreSQL. */
export const isEmptyList = (value: unknown) => value === '{}' || (Array.isArray(value) && value.length === 0);

function columned(fields: Columned): [field: string, column: Column, isOptional: boolean][] {
  return Object.entries(fields).flatMap(([name, { column, absent }]) =>
    column ? [[name, column, absent !== undefined] as [string, Column, boolean]] : [],
  );
}
