import type { CopyValue } from '../../storage/copy.js';
import type { Batch } from '../../storage/session.js';
import type { BatchLimits } from '../batch.js';
import type { Lock } from '../kind.js';
import type { Columns, ComputedTable } from './computed.js';

/** What a record adds to one row of a table of sums. */
export interface Summand {
  /** Never null, in the order of the declared columns. */
  key: readonly CopyValue[];
  sums: readonly bigint[];
  /** Of a table with members: the row of this record, the values of `key` and `values`. */
  member?: readonly CopyValue[];
}

/** A table of sums over records, one row for each key; a row whose sums are all 0 does not exist. */
export interface SumTable<Item> {
  name: string;
  /** A unique index must cover them. */
  key: Columns;
  sums: Columns;
  /** A table of the records that are summed; then the table of sums has a serial column `id`. */
  members?: { name: string; parent: string; key: Columns; values: Columns };
  /** A pure function: what a record adds. */
  summands(item: Item): readonly Summand[];
}

/**
 * A table of what records belong to. A row belongs to one record: a column of the key is its row id, and no
 * other record has rows of this key.
 */
export interface MembershipTable<Item> {
  name: string;
  key: Columns;
  values: Columns;
  /** A pure function: the rows of a record, the values of `key` and `values`. */
  memberships(item: Item): readonly (readonly CopyValue[])[];
}

export type DerivedTable<Item> = SumTable<Item> | MembershipTable<Item>;

/** The names of tables and of their tables of members. */
export function namesOf(tables: readonly (DerivedTable<never> | ComputedTable)[]): string[] {
  return tables.flatMap((table) =>
    'members' in table && table.members ? [table.name, table.members.name] : [table.name],
  );
}

/** A record before and after it changed: `before` is null if it is new, `after` if it is taken back. */
export interface Change<Item> {
  before: Item | null;
  after: Item | null;
}

/** The tables that are derived from the rows of one table, and how these are read again. */
export interface Derivation<Item> {
  /** The table of the records, with a serial column `id`. */
  source: string;
  tables: readonly DerivedTable<Item>[];
  /** Tables that are written with these, and computed again by themselves. */
  computed?: readonly ComputedTable[];
  /** The locks under which records and tables are written. */
  locks: readonly Lock[];
  /**
   * The next records after a row id, in the order of row ids, and the row id of the last one; null after the
   * end. As many as the limits allow; the last one may exceed the bytes.
   */
  read: (batch: Batch, after: string, limits: BatchLimits) => Promise<{ items: Item[]; last: string | null }>;
}
