import { networks } from '../avalanche/networks.js';
import type { Batch, Session } from '../storage/session.js';
import { nextVersions, outputsOf, writesOf } from '../storage/write-versions.js';
import { writeFeed, type FirstRows } from './feed.js';
import type { Lock, RowKind, Written } from './kind.js';
import type { WriteScope } from './scope.js';

// The class of the advisory locks under which rows are written; any number that nothing else uses.
const WRITE_LOCK = 1_836_020_321;

// The same for chains whose rows are written at the same time as those of other chains.
const CHAIN_LOCK = WRITE_LOCK + 1;

/** The locks of all that is written but single chains, in the order in which they are taken. */
export const allLocks: readonly Exclude<Lock, object>[] = [...networks, null];

// A batch may wait for another writer's, longer than a reader's statement may take. Keys are looked up by
// index even in tables that have no statistics yet. A plan that suits a batch of thousands does not suit
// every batch.
const sessionSettings = [
  'SET LOCAL statement_timeout = 0',
  'SET LOCAL random_page_cost = 1',
  'SET LOCAL jit = off',
  'SET LOCAL plan_cache_mode = auto',
];

/** Rows of one kind and scope, as the kind has read them. */
export interface RowSet<Row = unknown, Scope extends WriteScope = WriteScope> {
  kind: RowKind<Row, Scope>;
  scope: Scope;
  rows: readonly Row[];
}

/** What the feed has of a write in addition to what its rows say. */
export interface FeedOptions {
  /** Whether the rows are of blocks before the first one that is stored; false when absent. */
  readonly isBackfill?: boolean;
  /** What else has happened. */
  readonly also?: readonly FirstRows[];
}

/**
 * Writes rows of several kinds in one database transaction, in the order given, and then the caller's own
 * state, such as how far it has read. Either all of it is stored or nothing.
 *
 * @param finish writes the caller's state; it gets the result of each set
 * @param feed what the feed has of it
 * @returns the result of each set
 */
export function writeSets(
  session: Session,
  sets: readonly RowSet[],
  finish: (batch: Batch, done: readonly Written[]) => Promise<unknown> = () => Promise.resolve(),
  { isBackfill = false, also = [] }: FeedOptions = {},
): Promise<Written[]> {
  const locks = sets.map(({ kind, scope }) => kind.lock(scope));
  const work = async (batch: Batch) => {
    const done: Written[] = [];
    for (const { kind, scope, rows } of sets) done.push(await kind.write(batch, scope, rows));
    await finish(batch, done);
    await writeFeed(batch, [...done.flatMap(({ first = [] }) => first), ...also], isBackfill);
    return done;
  };
  // Kinds say themselves of which addresses they change outputs.
  return underLocks(session, locks, locks.map(versionOf), work);
}

/**
 * Runs `work` in one database transaction, while no other writer works under these locks. It may change
 * anything of them.
 */
export function inWriteTransaction<T>(
  session: Session,
  locks: readonly Lock[],
  work: (batch: Batch) => Promise<T>,
): Promise<T> {
  const outputs = networks.filter((network) => locks.includes(network)).map(outputsOf);
  return underLocks(session, locks, [...locks.map(versionOf), ...outputs], work);
}

/** @param changed scopes that get other versions */
function underLocks<T>(
  session: Session,
  locks: readonly Lock[],
  changed: readonly string[],
  work: (batch: Batch) => Promise<T>,
): Promise<T> {
  return session.transaction(work, [...sessionSettings, ...statementsOf(locks), ...nextVersions(changed)]);
}

const versionOf = (lock: Lock) => writesOf(lock !== null && typeof lock === 'object' ? lock.chain : lock);

// Always in the same order, so that two writers never wait for each other. The shared lock of a chain
// excludes those who lock everything without a network. Chains with the same hash only wait.
function statementsOf(locks: readonly Lock[]): string[] {
  const whole = allLocks.flatMap((lock, index) =>
    locks.includes(lock) ? [`SELECT pg_advisory_xact_lock(${WRITE_LOCK}, ${index})`] : [],
  );
  const chains = new Set(
    locks.flatMap((lock) => (lock !== null && typeof lock === 'object' ? [lock.chain] : [])),
  );
  if (chains.size === 0 || locks.includes(null)) return whole;
  return [
    ...whole,
    `SELECT pg_advisory_xact_lock_shared(${WRITE_LOCK}, ${allLocks.indexOf(null)})`,
    ...[...chains].sort().map((chain) => `SELECT pg_advisory_xact_lock(${CHAIN_LOCK}, hashint8(${chain}))`),
  ];
}
