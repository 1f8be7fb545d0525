import { readFileSync } from 'node:fs';
import { checkpointTables } from '../../src/ingest/checkpoint-tables.js';
import { files, textOf } from './source-imports.js';

/** That a file of src reads or writes a table: in SQL, as a model, or in a declaration of what is written. */
export interface TableUse {
  file: string;
  table: string;
  writes: boolean;
}

export const schemaFile = new URL('../../prisma/schema.prisma', import.meta.url);
const schema = readFileSync(schemaFile, 'utf8').replaceAll(/\/\/.*$/gm, '');
/** The tables by their models, as Prisma's client calls these. */
const models = new Map(
  [...schema.matchAll(/^model (\w)(\w+) \{[^}]*@@map\("(\w+)"\)/gm)].map(
    ([, first = '', rest = '', table = '']) => [first.toLowerCase() + rest, table],
  ),
);
export const tables = [...models.values()].sort();

/** The follower's tables, by the constants of src/state that declare them. */
export const stateTables = new Map(
  files
    .filter((file) => file.startsWith('state/'))
    .flatMap((file) => [...textOf(file).matchAll(/const (\w+) = stateTable\(\s*'(\w+)'/g)])
    .map(([, constant = '', table = '']) => [constant, table]),
);

/** A text of source without comments, whose SQL has the names of tables in place of constants. */
export function withTables(text: string): string {
  const aliases = [...text.matchAll(/const (\w+) = (?:\w+\.)?(\w+)\.as\('(\w+)'\)/g)];
  const constants = [...text.matchAll(/const (\w+) = (['`])([^'`\n]+)\2/g)];
  const named = new Map([
    ...constants.map(([, constant = '', , value = '']) => [constant, value] as const),
    ...[...stateTables].map(([constant, table]) => [`${constant}.name`, table] as const),
    ...aliases.map(
      ([, constant = '', table = '', alias = '']) =>
        [`${constant}.from`, `${stateTables.get(table)} ${alias}`] as const,
    ),
  ]);
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replaceAll(
    /\$\{([\w.]+)\}/g,
    // Where a file imports all constants of a declaration, their names have one more part.
    (whole, name: string) => named.get(name) ?? named.get(name.replace(/^\w+\./, '')) ?? whole,
  );
}

const sql =
  /\b(?:(INSERT INTO|(?<!\b(?:DO|FOR|KEY) )UPDATE|DELETE FROM|TRUNCATE)|FROM|JOIN|USING)\s+(\w+)(\$\{)?/g;
/** Of a list after FROM or USING. */
const listed = /,\s+(\w+) [a-z]\w*\s+(?:WHERE|JOIN|CROSS|LEFT)\b/g;
const call = /\b(\w+)\s*\.\s*(?:(?:find|count|aggregate|groupBy)\w*|((?:create|update|delete|upsert)\w*))\(/g;
/** A text that a FROM begins with, or goes on with. */
const beginning = /['`](\w+)(?:(?: [a-z]\w*)?\s+(?:CROSS|LEFT|JOIN|WHERE)\b| [a-z]['`])/g;
/** The table of a list's cursor, of pages, and what is counted. */
const listedTable = /\b(?:table|pagedTable|source): '(\w+)'/g;
/** What a write is given: a table with its columns or sums, or of objects with that of their references. */
const declared =
  /\bname: '(\w+)',?(?=[^;]{0,300}\b(?:columns|sums|values)\b)|\btable: '(\w+)',\s+name: |\blinks: '(\w+)'/g;
const given = /\b(?:copy|takeIds|withNew|upsertRows|updateRows)\((?:\w+, )?(?:'(\w+)'|(\w+))/g;

/** What a file does with tables. */
export function tablesIn(source: string): Omit<TableUse, 'file'>[] {
  const text = withTables(source);
  const uses: Omit<TableUse, 'file'>[] = [];
  const note = (name: string | undefined, writes: boolean, isPrefix = false) => {
    for (const table of tables)
      if (isPrefix ? table.startsWith(name ?? '?') : table === name) uses.push({ table, writes });
  };
  for (const [, written, name, more] of text.matchAll(sql))
    note(name, written !== undefined, more !== undefined);
  for (const [, name] of text.matchAll(listed)) note(name, false);
  for (const [, name] of text.matchAll(beginning)) note(name, false);
  for (const [, name] of text.matchAll(listedTable)) note(name, false);
  for (const [, model = '', written] of text.matchAll(call)) note(models.get(model), written !== undefined);
  for (const [, ...names] of text.matchAll(declared)) for (const name of names) note(name, true);
  for (const [, name, constant = ''] of text.matchAll(given)) note(name ?? stateTables.get(constant), true);
  return uses;
}

const own = files.filter((file) => !file.startsWith('../') && !file.startsWith('state/'));

/** Every use of a table by a file of src; the folder of the declarations has none. */
export const tableUses: TableUse[] = [
  ...own.flatMap((file) => tablesIn(textOf(file)).map((use) => ({ file, ...use }))),
  // Their names are in a list.
  ...checkpointTables.flatMap((table) => [
    { file: 'ingest/checkpoints.ts', table, writes: true },
    { file: 'export/checkpoints.ts', table, writes: false },
  ]),
];

/** The files with a statement that writes a table which is not named there. */
export const writersOfAny = own.filter((file) =>
  /\b(?:INSERT INTO|(?<!\b(?:DO|FOR|KEY) )UPDATE|DELETE FROM|TRUNCATE) \$\{/.test(withTables(textOf(file))),
);
