import type { Batch, Session } from '../../storage/session.js';
import { batchLimits } from '../batch.js';
import { inWriteTransaction } from '../transaction.js';
import { comparisonsOf, countDifferences, deleteExtra, insertMissing, type Difference } from './compare.js';
import { makeTemporary } from './temporary.js';
import type { Derivation, DerivedTable } from './table.js';
import { writeDerived } from './write.js';

export interface RebuildOptions {
  /** Which of the derivation's tables. */
  names: readonly string[];
  /** Compares, and writes nothing. */
  check: boolean;
  /** Called after each batch. @param share of the records, from 0 to 1 @param rows records so far */
  advance: (share: number, rows: number) => void;
}

/**
 * Computes derived tables anew from all records, in temporary tables, and makes the stored ones agree: a row that is
 * right is not touched. In one transaction, which excludes imports and during which readers see what was stored before.
 *
 * @returns what differed, by table
 */
export function rebuild<Item>(
  session: Session,
  derivation: Derivation<Item>,
  { names, check, advance }: RebuildOptions,
): Promise<Difference[]> {
  const tables = derivation.tables.filter(({ name }) => names.includes(name));
  if (tables.length === 0) return Promise.resolve([]);
  return inWriteTransaction(session, derivation.locks, async (batch) => {
    await batch.query('SAVEPOINT before_rebuild');
    const fresh: DerivedTable<Item>[] = [];
    for (const table of tables) fresh.push(await makeTemporary(batch, table));
    await fill(batch, derivation, fresh, advance);
    const comparisons = tables.flatMap((table, place) => comparisonsOf(table, fresh[place] as typeof table));
    const differences: Difference[] = [];
    for (const each of comparisons) differences.push(await countDifferences(batch, each));
    // Reading records may have stored an address that was missing.
    if (check) await batch.query('ROLLBACK TO SAVEPOINT before_rebuild');
    else {
      // Members refer to rows of the table before theirs.
      for (const each of comparisons) await insertMissing(batch, each);
      for (const each of comparisons.toReversed()) await deleteExtra(batch, each);
    }
    return differences;
  });
}

async function fill<Item>(
  batch: Batch,
  { source, read }: Derivation<Item>,
  tables: readonly DerivedTable<Item>[],
  advance: RebuildOptions['advance'],
): Promise<void> {
  const { rows } = await batch.query<{ last: string }>(
    `SELECT coalesce(max(id), 0)::text AS last FROM ${source}`,
  );
  const end = Number(rows[0]?.last);
  let count = 0;
  for (let after: string | null = '0'; ;) {
    const { items, last }: Awaited<ReturnType<typeof read>> = await read(batch, after, batchLimits);
    if (last === null) return;
    await writeDerived(
      batch,
      tables,
      items.map((item) => ({ before: null, after: item })),
    );
    after = last;
    count += items.length;
    advance(Number(after) / end, count);
  }
}
