import { readFileSync } from 'node:fs';
import { tablesForWorkers } from '../../src/resources.js';

/** A form of statement that Citus refuses for a table that is on a worker, or answers wrongly. */
interface Form {
  /** Its name, and what Citus says of it. */
  name: string;
  isIn: (statement: Mentions) => boolean;
}

interface Mentions {
  /** Without comments and texts in quotes. */
  text: string;
  /** Groups of tables that may be on different workers. */
  groups: number;
  /** Of a hot read, which is planned without its values. */
  name: string | undefined;
}

const models = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
const staying = [...models.matchAll(/@@map\("(\w+)"\)/g)]
  .map(([, table = '']) => table)
  .filter((table) => !tablesForWorkers.flat().includes(table));
const readsStaying = new RegExp(`\\b(?:FROM|JOIN)\\s+(?:${staying.join('|')})\\b`, 'i');

const changes = /^\s*(?:WITH\b[\s\S]*\b)?(?:INSERT INTO|UPDATE|DELETE FROM)\b/i;
const isUpdate = ({ text }: Mentions) => /^\s*(?:UPDATE|DELETE)\b/i.test(text);

/** Tried on Citus 13.2: see docs/decisions/0033-citus.md. */
const refusedForms: readonly Form[] = [
  {
    name: 'joins a temporary table: "relation … is not distributed", "direct joins between distributed and local tables"',
    isIn: ({ text }) => /\bstaged_\w+/i.test(text) || /\bCREATE TEMP/i.test(text),
  },
  {
    name: 'changes rows inside of WITH: "correlated subqueries are not supported when the FROM clause contains a CTE"',
    isIn: ({ text }) => /\bAS\s*(?:NOT\s+)?(?:MATERIALIZED\s*)?\(\s*(?:INSERT|UPDATE|DELETE)\b/i.test(text),
  },
  {
    name: 'a volatile function in a change: "functions used in UPDATE queries … must not be VOLATILE"',
    isIn: (each) =>
      isUpdate(each) &&
      /\b(?:clock_timestamp|random|gen_random_uuid|nextval|timeofday)\s*\(/i.test(each.text),
  },
  {
    name: 'text made an enumeration in a change: "STABLE functions … cannot be called with column references"',
    isIn: (each) =>
      isUpdate(each) && /\w\.\w+::(?:internal_tx_type|evm_holding_kind)\b(?!\[)/i.test(each.text),
  },
  {
    name: 'a number of a sequence in a statement that reads the table: a worker gives another one',
    isIn: ({ text }) => /\bnextval\s*\(/i.test(text),
  },
  {
    name: 'INSERT … WHERE NOT EXISTS without OFFSET 0: "direct joins …"',
    isIn: ({ text }) => changes.test(text) && /\bNOT EXISTS\b/i.test(text) && !/\bOFFSET 0\b/i.test(text),
  },
  {
    name: 'several changes in one ALTER TABLE: "cannot execute ADD CONSTRAINT command with other subcommands"',
    isIn: ({ text }) => /^\s*ALTER TABLE\b/i.test(text) && /,\s*(?:ADD|DROP|ALTER)\b/i.test(text),
  },
  {
    name: 'a trigger: "triggers are not supported"',
    isIn: ({ text }) => /\bCREATE\s+(?:OR REPLACE )?TRIGGER\b/i.test(text),
  },
  {
    name: 'the table of a row by its number: a worker has others',
    isIn: ({ text }) => /\btableoid\b/i.test(text),
  },
  {
    name: 'tables of two groups, which may be on two workers: "complex joins are only supported …"',
    isIn: ({ text, groups }) => groups > 1 && !/^\s*(?:VACUUM|SELECT (?:EXISTS|ARRAY\[))/i.test(text),
  },
  {
    // Operations are read in parts if Citus refuses them: see execution/planned.ts.
    name: 'a hot read of tables that stay too: "could not create distributed plan"',
    isIn: ({ text, name }) =>
      name !== undefined &&
      !/^(operation|document):/.test(name) &&
      /\$\d/.test(text) &&
      readsStaying.test(text),
  },
];

/**
 * What Citus would refuse of a statement after `moraine distribute`; nothing for one of tables that stay.
 *
 * @param name of a hot read
 */
export function refusedIn(statement: string, name?: string): string[] {
  const text = statement.replaceAll(/--[^\n]*|'(?:[^']|'')*'/g, "''");
  const groups = tablesForWorkers.filter((tables) =>
    tables.some((table) => new RegExp(`\\b${table}(?:_\\d\\w*)?\\b`).test(text)),
  ).length;
  if (groups === 0) return [];
  return refusedForms.filter(({ isIn }) => isIn({ text, groups, name })).map(({ name }) => name);
}
