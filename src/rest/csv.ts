import { stringify } from 'csv-stringify/sync';
import type { JsonSchema, JsonSchemas } from '../fields/json-schema.js';
import { parseJson, printJson } from '../json.js';
import type { RouteResponse } from './route.js';

/** How the reply of a list is written as CSV (docs/contract.md, "CSV"). */
export interface CsvForm {
  /** The member of the reply that has the rows. */
  rows: string;
  /** The way to the value of each column; rows that are no objects have one column and no way. */
  columns: readonly (readonly string[])[];
}

/** A page as CSV, and the token of the next one. */
interface CsvPage {
  text: string;
  nextPageToken?: string;
}

/** Objects in rows have columns of their own down to this depth; none is deeper. */
const DEEPEST = 4;

/**
 * How a reply is written as CSV; undefined if it is not a list. The columns are those of the schema, so that
 * all pages of a list have the same.
 */
export function csvForm({ schema, components = {} }: RouteResponse): CsvForm | undefined {
  const members = membersOf(schema, components);
  const names = Object.keys(members).filter((name) => members[name]?.['type'] === 'array');
  const [rows] = names;
  const isList = Object.hasOwn(members, 'nextPageToken') || Object.keys(members).length === 1;
  if (rows === undefined || names.length > 1 || !isList) return undefined;
  return { rows, columns: columnsOf(members[rows]?.['items'] as JsonSchema, components, DEEPEST) };
}

/** The text of a list reply as CSV: RFC 4180, with the names of the columns. */
export function asCsv({ rows, columns }: CsvForm, body: string): CsvPage {
  const page = parseJson(body) as Record<string, unknown>;
  const lines = (page[rows] as unknown[]).map((row) => columns.map((column) => cellOf(valueAt(row, column))));
  const head = columns.map((column) => column.join('.') || rows);
  const text = stringify([head, ...lines], {
    record_delimiter: 'windows',
    // A name that a stranger chose could be a formula for the program that opens the file.
    escape_formulas: true,
  });
  return { text, nextPageToken: page['nextPageToken'] as string | undefined };
}

function columnsOf(schema: JsonSchema | undefined, components: JsonSchemas, depth: number): string[][] {
  const members = Object.entries(membersOf(schema, components));
  if (members.length === 0 || depth === 0) return [[]];
  return members.flatMap(([name, member]) =>
    columnsOf(member, components, depth - 1).map((column) => [name, ...column]),
  );
}

/** The members of a row, or of a part of it; of alternatives, those of all of them. */
function membersOf(schema: JsonSchema | undefined, components: JsonSchemas): JsonSchemas {
  const resolved = resolve(schema, components);
  const alternatives = (resolved?.['oneOf'] ?? []) as JsonSchema[];
  return Object.assign(
    {},
    resolved?.['properties'],
    ...alternatives.map((each) => membersOf(each, components)),
  ) as JsonSchemas;
}

/** A schema, or the one of `components` that it refers to, also where its value may be null. */
function resolve(schema: JsonSchema | undefined, components: JsonSchemas): JsonSchema | undefined {
  const [only] = (schema?.['allOf'] ?? []) as JsonSchema[];
  const reference = (only ?? schema)?.['$ref'];
  return typeof reference === 'string' ? components[reference.split('/').at(-1) ?? ''] : schema;
}

function valueAt(row: unknown, column: readonly string[]): unknown {
  let value = row;
  for (const name of column) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value;
}

/** Nothing where there is no value; a list, and an object without fixed members, as JSON. */
function cellOf(value: unknown): string | number | bigint {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return printJson(value);
  return typeof value === 'boolean' ? String(value) : (value as string | number | bigint);
}
