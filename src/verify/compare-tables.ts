import type { Connection } from '../storage/session.js';
import { Findings, type Outcome } from './finding.js';
import { isLessExact, shown, valuesOf } from './row-values.js';
import type { Differing, RowsOfGaps } from './rows-of-gaps.js';
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
  /** Tells rows that differ because of a gap from other differences; absent: no gaps are known. */
  readonly gaps?: RowsOfGaps;
}

/** Compares the rows of a table: by the sum of their hashes, and one by one where that differs. */
export async function compareTable(
  { stored, proved }: Sides,
  table: ProvedTable,
  { scope, by, gaps }: Comparison,
): Promise<Outcome> {
  const findings = new Findings();
  const [ours, theirs] = [await selectOf(stored, table, scope), await selectOf(proved, table, scope)];
  const [held, made] = await Promise.all([digestOf(stored, ours), digestOf(proved, theirs)]);
  if (held.hash !== made.hash || held.rows !== made.rows)
    await compareRows(
      inOrder(stored, table.name, ours),
      inOrder(proved, table.name, theirs),
      table,
      // An import of the same rows makes the same sort keys.
      new TableDifferences(scope === null ? { ...table, sortKey: undefined } : table, findings, gaps),
    );
  return findings.outcome(table.name, by, held.rows);
}

async function compareRows(
  stored: AsyncGenerator<NaturalRow>,
  proved: AsyncGenerator<NaturalRow>,
  { isDictionary = false }: ProvedTable,
  differences: TableDifferences,
): Promise<void> {
  let [left, right] = [await stored.next(), await proved.next()];
  while (!left.done || !right.done) {
    const order = orderOf(left, right);
    if (order === 0) await differences.compare(left.value as NaturalRow, right.value as NaturalRow);
    else if (order > 0) await differences.addMissing(right.value as NaturalRow);
    else if (!isDictionary) await differences.addNeedless(left.value as NaturalRow);
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

/** Notes how the rows of a table differ, and why, if a gap is the reason. */
class TableDifferences {
  constructor(
    private readonly table: ProvedTable,
    private readonly findings: Findings,
    private readonly gaps: RowsOfGaps | undefined,
  ) {}

  /** A row that should be stored is not. */
  addMissing({ key, row }: NaturalRow): Promise<void> {
    const sides = { key, column: null, stored: null, proved: valuesOf(row) };
    return this.add(sides, 'no such row', row);
  }

  async compare(stored: NaturalRow, proved: NaturalRow): Promise<void> {
    if (stored.row === proved.row) return;
    const { key } = stored;
    const [ours, theirs] = [valuesOf(stored.row), valuesOf(proved.row)];
    for (const column of new Set([...ours.keys(), ...theirs.keys()])) {
      const [held, made] = [shown(ours.get(column)), shown(theirs.get(column))];
      const isKnown =
        isUnsaid(this.table, column, ours, theirs) ||
        isLessExact(this.table.sortKey, column, ours.get(column));
      if (held !== made && !isKnown)
        await this.add({ key, column, stored: ours, proved: theirs }, held, made);
    }
  }

  /** A row that is stored should not be. */
  addNeedless({ key, row }: NaturalRow): Promise<void> {
    const sides = { key, column: null, stored: valuesOf(row), proved: null };
    return this.add(sides, row, 'no such row');
  }

  private async add(row: Differing, stored: string, proved: string): Promise<void> {
    const side = await this.gaps?.whose(this.table.name, row);
    if (side === 'stored') this.findings.noteMissing();
    // Differences by a gap of the node's are reported together, not row by row.
    else if (side !== 'proved') this.findings.add({ row: row.key, column: row.column, stored, proved });
  }
}

/** Whether a value is one that only some nodes say, and one of both sides has none. */
export const isUnsaid = (
  { ofSomeNodes = [] }: ProvedTable,
  column: string,
  ...sides: readonly ReadonlyMap<string, unknown>[]
): boolean => ofSomeNodes.includes(column) && sides.some((side) => (side.get(column) ?? null) === null);
