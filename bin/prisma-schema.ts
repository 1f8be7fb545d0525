import { readFile } from 'node:fs/promises';

/** A table as schema.prisma or PostgreSQL's catalog describes it; types in PostgreSQL's own spelling. */
export interface Table {
  /** Column name -> type and whether it may be NULL. */
  columns: Record<string, { type: string; nullable: boolean }>;
  primaryKey: string[];
  /** Column lists, sorted. */
  uniqueKeys: string[];
}

export interface Column {
  readonly name: string;
  /** In PostgreSQL's own spelling. */
  readonly type: string;
  readonly nullable: boolean;
  /** What schema.prisma says of it; empty for nothing. */
  readonly description: string;
}

/** Columns that name a row of a table. */
export interface Reference {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly isOptional: boolean;
}

/** A model of schema.prisma. */
export interface Model {
  readonly table: string;
  readonly description: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly references: readonly Reference[];
}

/** A closed set of values. */
export interface Enum {
  readonly type: string;
  readonly description: string;
  readonly values: readonly string[];
}

const scalarTypes: Record<string, string> = {
  String: 'text',
  Boolean: 'boolean',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Decimal: 'numeric(65,30)',
  DateTime: 'timestamp(3) without time zone',
  Json: 'jsonb',
  Bytes: 'bytea',
};

// `$` stands for the arguments of the @db attribute.
const nativeTypes: Record<string, string> = {
  Text: 'text',
  VarChar: 'character varying$',
  Char: 'character$',
  Uuid: 'uuid',
  SmallInt: 'smallint',
  Integer: 'integer',
  BigInt: 'bigint',
  Real: 'real',
  DoublePrecision: 'double precision',
  Decimal: 'numeric$',
  Date: 'date',
  Timestamp: 'timestamp$ without time zone',
  Timestamptz: 'timestamp$ with time zone',
  JsonB: 'jsonb',
  Json: 'json',
  ByteA: 'bytea',
  Inet: 'inet',
};

/** Reads the tables that schema.prisma describes, by table name. @throws on a type that it does not know */
export async function readPrismaSchema(path: URL): Promise<Record<string, Table>> {
  const { models } = await readModels(path);
  return Object.fromEntries(
    models.map(({ table, columns, primaryKey, uniqueKeys }) => [
      table,
      {
        columns: Object.fromEntries(columns.map(({ name, type, nullable }) => [name, { type, nullable }])),
        primaryKey: [...primaryKey],
        uniqueKeys: uniqueKeys.map((key) => key.join(', ')).sort(),
      },
    ]),
  );
}

/**
 * The tables and the closed sets of schema.prisma with what it says of them. @throws as `readPrismaSchema`
 */
export async function readModels(path: URL): Promise<{ models: Model[]; enums: Enum[] }> {
  const blocks = blocksOf(await readFile(path, 'utf8'));
  const enums = blocks.filter(({ keyword }) => keyword === 'enum');
  const models = blocks.filter(({ keyword }) => keyword === 'model');
  const typeOf = new Map(enums.map((each) => [each.name, mapped(each)]));
  const tableOf = new Map(models.map((each) => [each.name, mapped(each)]));
  return {
    models: models.map((block) => readModel(block, typeOf, tableOf)),
    enums: enums.map((block) => ({
      type: mapped(block),
      description: block.description,
      values: block.lines.filter(({ text }) => /^\w+$/.test(text)).map(({ text }) => text),
    })),
  };
}

/** A model or an enum: its lines, each with the comment before it. */
interface Block {
  readonly keyword: string;
  readonly name: string;
  readonly description: string;
  readonly lines: { readonly text: string; readonly description: string }[];
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  let comment: string[] = [];
  for (const line of text.split('\n').map((each) => each.trim())) {
    const [, said] = /^\/\/\/ ?(.*)$/.exec(line) ?? [];
    if (said !== undefined) {
      comment.push(said);
      continue;
    }
    const [, keyword, name] = /^(model|enum)\s+(\w+)\s*\{$/.exec(line) ?? [];
    const description = comment.join(' ');
    comment = [];
    if (keyword && name) {
      open = { keyword, name, description, lines: [] };
      blocks.push(open);
    } else if (line === '}') open = undefined;
    else open?.lines.push({ text: line, description });
  }
  return blocks;
}

const mapped = ({ name, lines }: Block): string =>
  lines.map(({ text }) => /^@@map\("([^"]+)"\)/.exec(text)?.[1]).find(Boolean) ?? name;

type Names = ReadonlyMap<string, string>;

function readModel(block: Block, enums: Names, tables: Names): Model {
  const columns: Column[] = [];
  const references: Reference[] = [];
  let primaryKey: string[] = [];
  const uniqueKeys: string[][] = [];
  const columnOf = new Map<string, string>();
  const columnsOf = (list: string) =>
    list.split(',').map((each) => {
      const name = each.trim().replace(/\(.*$/, '');
      const column = columnOf.get(name);
      if (!column) throw new Error(`schema.prisma: a key names ${name}, which is not a field`);
      return column;
    });
  const related: { name: string; table: string; fields: string; isOptional: boolean }[] = [];
  for (const { text, description } of block.lines) {
    const [, kind, list = ''] = /^@@(id|unique)\((?:fields:\s*)?\[([^\]]*)\]/.exec(text) ?? [];
    if (kind === 'id') primaryKey = columnsOf(list);
    if (kind === 'unique') uniqueKeys.push(columnsOf(list));
    const field = /^(\w+)\s+(\w+)(\[\])?(\?)?(.*)$/.exec(text);
    if (!field) continue;
    const [, name = '', type = '', isList = '', optional, attributes = ''] = field;
    const table = tables.get(type);
    if (table !== undefined) {
      const [, fields] = /@relation\([^)]*fields: \[([^\]]*)\]/.exec(attributes) ?? [];
      if (fields) related.push({ name, table, fields, isOptional: optional !== undefined });
      continue;
    }
    const column = /@map\("([^"]+)"\)/.exec(attributes)?.[1] ?? name;
    columnOf.set(name, column);
    const full = `${columnType(type, attributes, enums)}${isList}`;
    columns.push({ name: column, type: full, nullable: optional !== undefined, description });
    if (/@id\b/.test(attributes)) primaryKey = [column];
    if (/@unique\b/.test(attributes)) uniqueKeys.push([column]);
  }
  for (const { fields, ...reference } of related)
    references.push({ ...reference, columns: columnsOf(fields) });
  const { description } = block;
  return { table: mapped(block), description, columns, primaryKey, uniqueKeys, references };
}

function columnType(type: string, attributes: string, enums: Names): string {
  const native = /@db\.(\w+)(\([^)]*\))?/.exec(attributes);
  const known = native ? nativeTypes[native[1] ?? ''] : (scalarTypes[type] ?? enums.get(type));
  if (!known)
    throw new Error(`schema.prisma: this test does not know the type of "${type} ${attributes.trim()}"`);
  return known.replace('$', native?.[2]?.replace(/\s/g, '') ?? '');
}
