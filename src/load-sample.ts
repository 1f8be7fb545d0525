import type { Logger } from 'pino';
import { nativeAssetIds } from './avalanche/networks.js';
import type { Config } from './config.js';
import { writeStateRows } from './follow/staking/write-rows.js';
import { batchLimits } from './write/batch.js';
import { allLocks, inWriteTransaction } from './write/transaction.js';
import { hasRowsText, hasNoRows } from './ingest/installation.js';
import { recognise } from './ingest/source-file.js';
import { changedTables, refreshStatistics } from './write/statistics.js';
import { fileKinds, tablesForWorkers } from './resources.js';
import { networkTable } from './state/following.js';
import type { Storage } from './storage/open.js';
import type { Connection, Session } from './storage/session.js';
import { statement } from './storage/statement.js';

export interface SampleResult {
  rows: number;
  written: number;
  seconds: number;
}

/**
 * Loads the generated sample chain (network fuji) through the checks and writers of an import, without files,
 * in one database transaction: if it is interrupted, the sample is stored whole or not at all. Loading it
 * again writes nothing.
 *
 * @throws RowError when a generated row is refused, which is a fault of ours; what the database throws
 */
export function loadSample(storage: Storage, log: Logger): Promise<SampleResult> {
  return storage.session((session) => load(session, log, () => Promise.resolve(true)));
}

/** Whether an empty database should have the sample: a network that is followed fills it otherwise. */
export function wantsSample({ SAMPLE, FOLLOW }: Pick<Config, 'SAMPLE' | 'FOLLOW'>): boolean {
  return SAMPLE && FOLLOW.length === 0;
}

/**
 * Loads the sample when nothing has been imported or followed yet; gateways that start together load it once.
 * Never into a standby, which has what its primary has.
 */
export async function loadSampleOnce(storage: Storage, log: Logger): Promise<void> {
  // First without the locks: an import may have them for a while, and its tables are not empty.
  if (storage.follows || !(await isEmpty(storage))) return;
  await storage.session((session) =>
    load(session, log, async () => !(await followsNode(session)) && (await hasNoRows(session, fileKinds))),
  );
}

/** Whether nothing has been imported or followed yet. */
export async function isEmpty(storage: Storage): Promise<boolean> {
  // Tables that stay on this server first: if they have rows, a worker of Citus that is down does not keep a
  // gateway from starting.
  const onWorkers = new Set<string>(tablesForWorkers.flat());
  const kinds = (moved: boolean) => fileKinds.filter(({ rows }) => onWorkers.has(rows.tables[0]) === moved);
  const looks = [
    statement('import_held', `SELECT (${hasRowsText(kinds(false))}) OR (${FOLLOWS_NODE}) AS "hasRows"`),
    statement('import_held_on_workers', hasRowsText(kinds(true))),
  ];
  for (const each of looks) {
    const [found] = await storage.read<{ hasRows: boolean }>(each, []);
    if (found?.hasRows !== false) return false;
  }
  return true;
}

/** What files, or the sample, have filled a database with. */
export async function contentsOf(database: Connection): Promise<'nothing' | 'sample' | 'rows'> {
  if (await hasNoRows(database, fileKinds)) return 'nothing';
  const { rows } = await database.query(`SELECT 1 FROM address WHERE network = 'fuji' AND address = $1`, [
    SAMPLE_OWNER,
  ]);
  return rows.length > 0 ? 'sample' : 'rows';
}

/** The address of the sample that its examples use: made of a generated key hash, so no real one. */
const SAMPLE_OWNER = 'fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm';

/** What its P-chain's state depends on: all forks are active, and L1 validators pay what they pay on fuji. */
const sampleRules = {
  cortinaTime: 0,
  durangoTime: 0,
  heliconTime: Infinity,
  etnaTime: 0,
  avaxAssetId: nativeAssetIds.fuji,
  fee: { target: 10_000n, minPrice: 512n, excessConversionConstant: 1_246_488_515n },
};

/** A node's network, which has no rows before its first blocks are read. */
const FOLLOWS_NODE = `SELECT EXISTS (SELECT 1 FROM ${networkTable.name})`;

async function followsNode(database: Connection): Promise<boolean> {
  const { rows } = await database.query<{ exists: boolean }>(FOLLOWS_NODE);
  return rows[0]?.exists === true;
}

async function load(session: Session, log: Logger, wanted: () => Promise<boolean>): Promise<SampleResult> {
  const start = performance.now();
  const result: SampleResult = { rows: 0, written: 0, seconds: 0 };
  const changed = new Set<string>();
  await inWriteTransaction(session, allLocks, async (batch) => {
    if (!(await wanted())) return;
    log.info('loading the generated sample chain');
    // Imported only here, because only the first start needs the generator.
    const { makeSample } = await import('../sample/index.js');
    const sample = makeSample();
    for (const { name, rows } of sample.files) {
      const file = recognise(name, {}, fileKinds);
      const { kind, scope } = { kind: file.kind.rows, scope: file.scope };
      for (const given of inBatches(rows)) {
        const read = given.map((row) => kind.read(row, scope));
        const done = await kind.write(batch, scope, read);
        result.rows += given.length;
        result.written += done.written;
        for (const table of changedTables(kind, done)) changed.add(table);
      }
    }
    // A network that is followed has a state of its own.
    if (!(await followsNode(session))) await writeStateRows(batch, 'fuji', sampleRules, sample.state);
  });
  await refreshStatistics(session, changed);
  result.seconds = (performance.now() - start) / 1000;
  if (result.rows > 0) log.info(result, 'loaded the generated sample chain');
  return result;
}

function* inBatches(rows: Iterable<object>): Generator<object[]> {
  let batch: object[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < batchLimits.rows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
