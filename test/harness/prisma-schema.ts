import { readFile } from 'node:fs/promises';

/** A table as schema.prisma or PostgreSQL's catalog describes it; types in PostgreSQL's own spelling. */
export interface Table {
  /** Column name -> type and whether it may be NULL. */
  columns: Record<string, { type: string; nullable: boolean }>;
  primaryKey: string[];
  /** Column lists, sorted. */
  uniqueKeys: string[];
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
  const text = (await readFile(path, 'utf8')).replace(/\/\/.*$/gm, '');
  const enums = new Map(blocks(text, 'enum').map(([name, body]) => [name, mapped(body) ?? name]));
  const models = blocks(text, 'model');
  const modelNames = new Set(models.map(([name]) => name));
  return Object.fromEntries(
    models.map(([name, body]) => [mapped(body) ?? name, readModel(body, enums, modelNames)]),
  );
}

function blocks(text: string, keyword: string): [string, string][] {
  const found = text.matchAll(new RegExp(`^${keyword}\\s+(\\w+)\\s*\\{([^}]*)\\}`, 'gm'));
  return [...found].map(([, name = '', body = '']) => [name, body]);
}

function mapped(body: string): string | undefined {
  return /@@map\("([^"]+)"\)/.exec(body)?.[1];
}

function readModel(body: string, enums: Map<string, string>, models: Set<string>): Table {
  const table: Table = { columns: {}, primaryKey: [], uniqueKeys: [] };
  const columnOf = new Map<string, string>();
  for (const line of body.split('\n').map((each) => each.trim())) {
    const field = /^(\w+)\s+(\w+)(\[\])?(\?)?(.*)$/.exec(line);
    if (!field) continue;
    const [, name = '', type = '', list, optional, attributes = ''] = field;
    if (models.has(type)) continue;
    const column = /@map\("([^"]+)"\)/.exec(attributes)?.[1] ?? name;
    columnOf.set(name, column);
    table.columns[column] = {
      type: `${columnType(type, attributes, enums)}${list ?? ''}`,
      nullable: optional !== undefined,
    };
    if (/@id\b/.test(attributes)) table.primaryKey = [column];
    if (/@unique\b/.test(attributes)) table.uniqueKeys.push(column);
  }
  const columnsOf = (list: string) =>
    list.split(',').map((each) => {
      const name = each.trim().replace(/\(.*$/, '');
      const column = columnOf.get(name);
      if (!column) throw new Error(`schema.prisma: a key names ${name}, which is not a field`);
      return column;
    });
  for (const [, kind, list = ''] of body.matchAll(/@@(id|unique)\((?:fields:\s*)?\[([^\]]*)\]/g)) {
    if (kind === 'id') table.primaryKey = columnsOf(list);
    else table.uniqueKeys.push(columnsOf(list).join(', '));
  }
  table.uniqueKeys.sort();
  return table;
}

function columnType(type: string, attributes: string, enums: Map<string, string>): string {
  const native = /@db\.(\w+)(\([^)]*\))?/.exec(attributes);
  const known = native ? nativeTypes[native[1] ?? ''] : (scalarTypes[type] ?? enums.get(type));
  if (!known)
    throw new Error(`schema.prisma: this test does not know the type of "${type} ${attributes.trim()}"`);
  return known.replace('$', native?.[2]?.replace(/\s/g, '') ?? '');
}
