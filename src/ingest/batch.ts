import type { Batch, Session } from '../storage/session.js';
import { networks } from '../avalanche/networks.js';
import type { ImportKind, ImportScope, Written } from './kind.js';
import { changedTables } from './statistics.js';

/** When a batch is full: whichever comes first. */
export interface BatchLimits {
  rows: number;
  /** Of the rows' JSON. */
  bytes: number;
}

// Each batch has some ten statements, whose answers wait for a turn of the event loop while lines are read. Twice the bytes
// took the process 370 to 400 MiB with transactions instead of 300, and no less time.
export const batchLimits: BatchLimits = { rows: 8000, bytes: 4 * 1024 * 1024 };

// The class of the advisory locks under which imports write; any number that no one else takes.
const IMPORT_LOCK = 1_836_020_321;

// The same for chains whose imports write nothing that others do.
const CHAIN_LOCK = IMPORT_LOCK + 1;

/** What imports lock: a network, or (null) what belongs to none, chains included. */
export const importLocks: readonly ImportScope['network'][] = [...networks, null];

// A batch may wait for another importer's, longer than a reader's statement may take. Keys are looked up by index
// even in tables that have no statistics yet. What fits a batch of thousands is not what fits every batch.
const sessionSettings =
  'SET LOCAL statement_timeout = 0; SET LOCAL random_page_cost = 1; SET LOCAL jit = off; SET LOCAL plan_cache_mode = auto';

/**
 * Gathers the rows of one file and writes them batch by batch, each in one database transaction. While a batch is
 * being written the next one is gathered: at most two are in memory.
 */
export class BatchWriter<Row, Scope extends ImportScope> {
  private rows: Row[] = [];
  private bytes = 0;
  private running: Promise<void> = Promise.resolve();
  readonly total = { written: 0, unchanged: 0 };
  /** The tables that batches have changed. */
  readonly changed = new Set<string>();

  constructor(
    private readonly session: Session,
    private readonly kind: ImportKind<Row, Scope>,
    private readonly scope: Scope,
    private readonly limits: BatchLimits = batchLimits,
  ) {}

  /**
   * Takes a row in.
   *
   * @returns null, or a promise to wait for before the next row; it fails with what an earlier batch failed with.
   *   Not a promise always, because millions of rows would each pay for one.
   */
  add(row: Row, bytes: number): Promise<void> | null {
    this.rows.push(row);
    this.bytes += bytes;
    return this.rows.length >= this.limits.rows || this.bytes >= this.limits.bytes ? this.hand() : null;
  }

  /** Writes what is left, and waits until all is written. */
  async finish(): Promise<void> {
    await this.hand();
    await this.running;
  }

  private async hand(): Promise<void> {
    await this.running;
    const rows = this.rows;
    if (rows.length === 0) return;
    this.rows = [];
    this.bytes = 0;
    this.running = this.write(rows);
    // Its failure is thrown by the next await above; until then it must not count as unhandled.
    this.running.catch(() => undefined);
  }

  private async write(rows: Row[]): Promise<void> {
    const done = await writeBatch(this.session, this.kind, this.scope, rows);
    this.total.written += done.written;
    this.total.unchanged += done.unchanged;
    for (const table of changedTables(this.kind, done)) this.changed.add(table);
  }
}

function writeBatch<Row, Scope extends ImportScope>(
  session: Session,
  kind: ImportKind<Row, Scope>,
  scope: Scope,
  rows: Row[],
): Promise<Written> {
  const locked = scope.onlyChain === undefined ? scope.network : { chain: scope.onlyChain };
  return inImportTransaction(session, [locked], (batch) => kind.write(batch, scope, rows));
}

/**
 * Runs `work` in one database transaction that no other import of these networks, or of this chain, writes beside.
 *
 * @param locked in the order of `importLocks` when there are several, so that two that wait do not wait for each other
 */
export function inImportTransaction<T>(
  session: Session,
  locked: readonly (ImportScope['network'] | { chain: string })[],
  work: (batch: Batch) => Promise<T>,
): Promise<T> {
  return session.transaction(async (batch) => {
    // In one message; PostgreSQL runs them one after the other.
    await batch.query([sessionSettings, ...locked.flatMap(locksOf)].join('; '));
    return work(batch);
  });
}

// A chain's share of what belongs to no network keeps out those who lock all of that. Chains of one hash merely wait.
function locksOf(locked: ImportScope['network'] | { chain: string }): string[] {
  if (locked === null || typeof locked === 'string')
    return [`SELECT pg_advisory_xact_lock(${IMPORT_LOCK}, ${importLocks.indexOf(locked)})`];
  return [
    `SELECT pg_advisory_xact_lock_shared(${IMPORT_LOCK}, ${importLocks.indexOf(null)})`,
    `SELECT pg_advisory_xact_lock(${CHAIN_LOCK}, hashint8(${locked.chain}))`,
  ];
}
