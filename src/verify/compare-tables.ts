import type { Connection } from '../storage/session.js';
import { Findings, type Outcome } from './finding.js';
import { shown, valuesOf } from './row-values.js';
import { digestOf, inOrder, selectOf, type NaturalRow } from './table-rows.js';
import type { ProvedTable, Scope } from './tables.js';

/** Two databases, each in a transaction. */
export interface Sides {
  /** What is verified. */
  readonly stored: Connection;
  /** What it should be. */
  readonly proved: Connection;
}

export interface Comparison {
  readonly scope: Scope;
  /** What made the other side, for people. */
  readonly by: string;
}

/** Compares the rows of a table: by the sum of their hashes, and one by one where that differs. */
export async function compareTable(
  { stored, proved }: Sides,
  table: ProvedTable,
  { scope, by }: Comparison,
): Promise<Outcome> {
  const findings = new Findings();
  const [ours, theirs] = [await selectOf(stored, table, scope), await selectOf(proved, table, scope)];
  const [held, made] = await Promise.all([digestOf(stored, ours), digestOf(proved, theirs)]);
  if (held.hash !== made.hash || held.rows !== made.rows)
    await compareRows(
      inOrder(stored, table.name, ours),
      inOrder(proved, table.name, theirs),
      table,
      findings,
    );
  return findings.outcome(table.name, by, held.rows);
}

async function compareRows(
  stored: AsyncGenerator<NaturalRow>,
  proved: AsyncGenerator<NaturalRow>,
  { isDictionary = false }: ProvedTable,
  findings: Findings,
): Promise<void> {
  let [left, right] = [await stored.next(), await proved.next()];
  while (!left.done || !right.done) {
    const order = orderOf(left, right);
    if (order === 0) compareRow(left.value as NaturalRow, right.value as NaturalRow, findings);
    else if (order < 0) {
      const { key, row } = left.value as NaturalRow;
      if (!isDictionary) findings.add({ row: key, column: null, stored: row, proved: 'no such row' });
    } else {
      const { key, row } = right.value as NaturalRow;
      findings.add({ row: key, column: null, stored: 'no such row', proved: row });
    }
    if (order <= 0) left = await stored.next();
    if (order >= 0) right = await proved.next();
  }
}

type Step = IteratorResult<NaturalRow, unknown>;

/** Which comes first, in the order of bytes; one that has ended comes last. */
function orderOf(left: Step, right: Step): number {
  if (left.done) return 1;
  if (right.done) return -1;
  return Buffer.compare(Buffer.from(left.value.key), Buffer.from(right.value.key));
}

function compareRow(stored: NaturalRow, proved: NaturalRow, findings: Findings): void {
  if (stored.row === proved.row) return;
  const [ours, theirs] = [valuesOf(stored.row), valuesOf(proved.row)];
  for (const column of new Set([...ours.keys(), ...theirs.keys()])) {
    const [held, made] = [shown(ours.get(column)), shown(theirs.get(column))];
    if (held !== made) findings.add({ row: stored.key, column, stored: held, proved: made });
  }
}
