import type { Batch } from '../../storage/session.js';
import { MembershipWriter } from './memberships.js';
import { SumWriter } from './sums.js';
import type { Change, DerivedTable } from './table.js';

/**
 * Makes derived tables agree with changes of records, in one pass: each table changes by what its function
 * gives after the change minus what it gave before. Must run under the lock of the records, in the
 * transaction that writes them.
 *
 * @param changes each record at most once
 */
export async function writeDerived<Item>(
  batch: Batch,
  tables: readonly DerivedTable<Item>[],
  changes: Iterable<Change<Item>>,
): Promise<void> {
  const writers = tables.map((table) =>
    'sums' in table ? new SumWriter(table) : new MembershipWriter(table),
  );
  for (const change of changes) for (const writer of writers) writer.take(change);
  await Promise.all(writers.map((writer) => writer.write(batch)));
}
