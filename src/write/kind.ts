import type { Network } from '../avalanche/networks.js';
import type { Batch } from '../storage/session.js';
import type { ComputedTable } from './derived/computed.js';
import type { FirstRows } from './feed.js';
import type { WriteScope } from './scope.js';

/**
 * The lock under which rows are written: of a network; null: of everything without a network, chains
 * included; or of one EVM chain (a decimal id), for kinds that write nothing that chains share, so that other
 * chains are written at the same time.
 */
export type Lock = Network | null | { readonly chain: string };

/** The result of writing a batch. */
export interface Written {
  /** Rows that changed the database. */
  written: number;
  /** Rows that were stored before, unchanged. */
  unchanged: number;
  /** The tables that were changed, if not all of the kind's; partitions by their own names. */
  changed?: readonly string[];
  /** What it stored first, and which outputs it spent, of what the feed has; none when absent. */
  first?: readonly FirstRows[];
}

/**
 * A kind of row that can be written, whatever it comes from: a file, a node, the sample.
 *
 * `write` receives rows as `read` returned them, in the order of their source, possibly with repeated keys,
 * inside a database transaction that holds the lock: between its statements no other writer works under it.
 * See upsert.ts and ids.ts for the tools. It must write nothing for rows that are stored already, so that a
 * source can be read again and again.
 */
export interface RowKind<Row = unknown, Scope extends WriteScope = WriteScope> {
  /** Tables that `write` changes: vacuumed after an import. The first one is empty in an empty database. */
  readonly tables: readonly [string, ...string[]];
  /**
   * Those of them that no `write` reads through an index that is not unique: if they are empty, their indexes
   * are made after the rows.
   */
  readonly indexedLate?: readonly string[];
  /**
   * Tables that `write` computes by an index of their source. Where the indexes of that are made after the
   * rows, so are these tables, and `write` leaves them alone: see isLate.
   */
  readonly computedLate?: readonly ComputedTable[];
  lock(scope: Scope): Lock;
  /** @throws RowError that says what is wrong with the row; RowLeftOut when it is never stored */
  read(value: unknown, scope: Scope): Row;
  write(client: Batch, scope: Scope, rows: readonly Row[]): Promise<Written>;
  /**
   * What is left of a value that is read or written in vain: what identifies it, without what strangers write
   * freely. Absent: such a row is left out.
   */
  least?(value: unknown): unknown;
}
