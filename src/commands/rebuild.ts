import type { Logger } from 'pino';
import { loadConfig, pastPooler } from '../config.js';
import { showProgress } from '../ingest/progress.js';
import { openMigrated } from '../open-database.js';
import { derivations } from '../resources.js';
import { nameTypes } from '../resources/transaction/import-types.js';
import { unlessAborted, type Stop } from '../stop.js';
import { StorageError } from '../storage/errors.js';
import type { Difference } from '../write/derived/compare.js';
import { rebuild } from '../write/derived/rebuild.js';
import { namesOf } from '../write/derived/table.js';
import { refreshStatistics } from '../write/statistics.js';

interface RebuildOptions {
  /** Compares, and writes nothing. */
  check?: boolean;
}

/**
 * `moraine rebuild`.
 *
 * @param wanted names of tables; none: all
 * @returns the exit code: 1 when a check found a difference
 * @throws StorageError with a message for the operator
 */
export async function rebuildCommand(
  wanted: readonly string[],
  { check = false }: RebuildOptions,
  log: Logger,
  stop: Stop,
): Promise<number> {
  const names = readNames(wanted);
  const storage = await openMigrated(pastPooler(loadConfig()), log, stop);
  const progress = showProgress(process.stderr, 1);
  try {
    const work = storage.session(async (session) => {
      // Before what is derived from the types.
      const named = wanted.length === 0 ? [await nameTypes(session, check)] : [];
      const found: Difference[] = [];
      for (const derivation of derivations)
        found.push(...(await rebuild(session, derivation, { names, check, advance: progress.advance })));
      found.push(...named);
      progress.stop();
      for (const difference of found) print(inWords(difference, check));
      const changed = found.filter(isDifferent).map(({ name }) => name);
      if (!check) await refreshStatistics(session, new Set(changed));
      return changed.length > 0;
    });
    const differed = await unlessAborted(stop.asked, work);
    if (check && differed) print('Nothing was changed; without --check these tables are corrected');
    return check && differed ? 1 : 0;
  } finally {
    progress.stop();
    await storage.close();
  }
}

/** The tables to rebuild; one of members is rebuilt with the table that it belongs to. */
function readNames(wanted: readonly string[]): string[] {
  const tables = derivations.flatMap(({ tables, computed = [] }) => [...tables, ...computed]);
  const unknown = wanted.find((name) => !namesOf(tables).includes(name));
  if (unknown !== undefined)
    throw new StorageError(
      `${unknown} is not a table that can be rebuilt: these are ${namesOf(tables).join(', ')}`,
    );
  const isWanted = (table: (typeof tables)[number]) =>
    wanted.length === 0 || namesOf([table]).some((name) => wanted.includes(name));
  return tables.filter(isWanted).map(({ name }) => name);
}

const isDifferent = ({ wrong, extra }: Difference) => wrong + extra > 0;

function inWords(difference: Difference, check: boolean): string {
  const { name, wrong, extra, example } = difference;
  if (!isDifferent(difference)) return `${name}: nothing differs`;
  const count = (value: number) => value.toLocaleString('en');
  const parts = check
    ? `${count(wrong)} rows are missing or wrong, ${count(extra)} should not exist`
    : `${count(wrong)} rows written, ${count(extra)} deleted`;
  return `${name}: ${parts}; one of them: ${example}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
