import type { Logger } from 'pino';
import { loadConfig, pastPooler } from '../config.js';
import { openMigrated } from '../open-database.js';
import { tablesForWorkers } from '../resources.js';
import { unlessAborted, type Stop } from '../stop.js';
import { readCoordinator, readTables, type PlacedTable } from '../storage/topology/citus.js';
import { freeLeftovers, isToMove, moveTables } from '../storage/topology/distribute.js';
import type { Storage } from '../storage/open.js';
import type { Session } from '../storage/session.js';

interface DistributeOptions {
  /** Says what would be done, and does nothing. */
  check?: boolean;
}

/** `moraine distribute`. @throws StorageError with a message for the operator */
export async function distributeCommand(
  { check }: DistributeOptions,
  log: Logger,
  stop: Stop,
): Promise<void> {
  const storage = await openMigrated(pastPooler(loadConfig()), log, stop);
  try {
    const work = storage.session((session) => distribute(session, check ?? false, storage));
    await unlessAborted(stop.asked, work);
  } finally {
    await storage.close();
  }
}

async function distribute(session: Session, check: boolean, storage: Storage): Promise<void> {
  const { version, workers } = await readCoordinator(session);
  print(`Citus ${version}; workers: ${workers.map(addressOf).join(', ')}`);
  const groups = await Promise.all(tablesForWorkers.map((names) => readTables(session, names)));
  // All are checked before the first is moved.
  const waiting = groups.filter(isToMove);
  for (const group of groups)
    for (const table of group) print(tableLine(table, check && waiting.includes(group)));
  if (check) {
    print(
      waiting.length > 0 ? 'Nothing was changed; without --check these are moved' : 'Nothing is left to move',
    );
    return;
  }
  for (const group of waiting) await move(session, group, storage);
  const freed = await freeLeftovers(session, tablesForWorkers.flat());
  if (freed > 0) print(`freed ${sizeOf(freed)} that the moved tables had used here`);
  print(waiting.length > 0 ? 'Done: imports and the gateway work as before' : 'Nothing was left to move');
}

async function move(session: Session, group: readonly PlacedTable[], storage: Storage): Promise<void> {
  const start = performance.now();
  let present = '';
  const timer = setInterval(() => void reportProgress(storage, present), 5000).unref();
  try {
    await moveTables(session, group, ({ name, bytes }) => {
      present = name;
      print(`moving ${name}, ${sizeOf(bytes)}`);
    });
  } finally {
    clearInterval(timer);
  }
  const names = group.map(({ name }) => name);
  const [placed] = await readTables(session, names);
  const where = placed?.worker ? addressOf(placed.worker) : 'a worker';
  print(`${names.join(', ')}: on ${where} after ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

// Prints how many rows COPY has written on the workers so far; nothing if the role may not ask them.
async function reportProgress(storage: Storage, table: string): Promise<void> {
  const copied = await storage
    .spareConnection((connection) =>
      connection.query<{ rows: string | null }>(
        `SELECT sum(result::bigint) AS rows FROM run_command_on_workers(
         'SELECT coalesce(sum(tuples_processed), 0) FROM pg_stat_progress_copy') WHERE success`,
      ),
    )
    .catch(() => undefined);
  const rows = copied?.rows[0]?.rows;
  if (rows) print(`  ${table}: ${Number(rows).toLocaleString('en')} rows copied`);
}

function tableLine({ name, bytes, worker }: PlacedTable, isMoved: boolean): string {
  const where = worker ? `on ${addressOf(worker)}` : `here${isMoved ? ', would be moved' : ''}`;
  return `  ${name.padEnd(20)} ${sizeOf(bytes).padStart(9)}  ${where}`;
}

const addressOf = ({ host, port }: { host: string; port: number }) => `${host}:${port}`;
const sizeOf = (bytes: number) => `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
