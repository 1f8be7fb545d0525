/** A value as it is written; PostgreSQL reads its text. */
type Value = string | number | bigint | boolean | null;

/** A column: its SQL type as the catalog has it, and its value in this process. */
export interface Column<T = unknown> {
  readonly type: string;
  readonly nullable: boolean;
  /** Whether it is written by itself: then it is no part of a row. */
  readonly isApart?: true;
  /** Between PostgreSQL's text and the value; NULL is null. */
  readonly read: (this: void, text: string) => T;
  readonly write: (this: void, value: never) => Value;
}

export type Columns = Readonly<Record<string, Column>>;

/**
 * A table that the follower fills and others read. Its fields have the names of those of its model in
 * schema.prisma.
 */
export interface StateTable<C extends Columns = Columns, Name extends string = string> {
  readonly name: Name;
  readonly fields: C;
  /** The SQL types of a row by the names of their columns. */
  readonly columns: Readonly<Record<string, string>>;
  readonly key: readonly string[];
  /** SQL of the table under an alias, and of its columns. */
  as(alias: string): { readonly from: string } & { readonly [Field in keyof C]: string };
}

/** A row of a network, without the network. */
export type Row<C extends Columns> = {
  readonly [
    Field in keyof C as Field extends 'network' ? never : C[Field] extends { isApart: true } ? never : Field
  ]: ReturnType<C[Field]['read']>;
};
export type RowOf<Table> = Table extends StateTable<infer C> ? Row<C> : never;

export const columnName = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const ofRow = (fields: Columns) => Object.entries(fields).filter(([, { isApart }]) => !isApart);

/**
 * Declares a table. `test/storage/catalog.test.ts` compares it with schema.prisma and with PostgreSQL's
 * catalog.
 */
export const stateTable = <const Name extends string, C extends Columns>(
  name: Name,
  key: readonly (keyof C & string)[],
  fields: C,
): StateTable<C, Name> => ({
  name,
  fields,
  columns: Object.fromEntries(ofRow(fields).map(([field, { type }]) => [columnName(field), type])),
  key: key.map(columnName),
  as(alias) {
    const columns = Object.keys(fields).map((field) => [field, `${alias}.${columnName(field)}`]);
    return { from: `${name} ${alias}`, ...(Object.fromEntries(columns) as Record<keyof C, string>) };
  },
});

interface Reads {
  read<Texts extends object>(
    statement: { readonly name: string; readonly text: string },
    values: unknown[],
  ): Promise<Texts[]>;
}

/**
 * A function that reads rows of a network.
 *
 * @param condition SQL of which rows; values that follow the network are `$2` and so on
 */
export function rowsOf<C extends Columns>({ name, fields }: StateTable<C>, condition = 'true') {
  const columns = ofRow(fields).filter(([field]) => field !== 'network');
  const texts = columns.map(([field]) => `${columnName(field)}::text AS "${field}"`).join(', ');
  const statement = {
    name: `state.${name}`,
    text: `SELECT ${texts} FROM ${name} WHERE network = $1::network AND ${condition}`,
  };
  return async (reader: Reads, network: string, ...values: unknown[]): Promise<Row<C>[]> => {
    const rows = await reader.read<Record<string, string | null>>(statement, [network, ...values]);
    return rows.map((row) => {
      const values: Record<string, unknown> = {};
      for (const [field, { read }] of columns) {
        const text = row[field] ?? null;
        values[field] = text === null ? null : read(text);
      }
      return values as Row<C>;
    });
  };
}

/** The values of a row in the order of its columns. */
export const valuesOf = <C extends Columns>(
  { fields }: StateTable<C>,
  row: Row<C> & { readonly network: string },
): Value[] =>
  ofRow(fields).map(([field, { write }]) => {
    const value: unknown = row[field as keyof typeof row];
    return value === null ? null : write(value as never);
  });
