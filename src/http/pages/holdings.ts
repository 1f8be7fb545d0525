import { networks, primaryChains } from '../../avalanche/networks.js';
import type { FollowReader } from '../../follow/status/status.js';
import type { CountedRows, Ledger, LedgerRows, NewestRow, Query } from '../../resource.js';
import type { Reader } from '../../storage/reader.js';

/** Rows are counted up to this number; beyond it the planner's estimate is shown, which costs nothing. */
const COUNTED = 10_000;

/** A number of rows. */
export interface Count {
  rows: number;
  exact: boolean;
}

/** What the first screen shows of the resources. */
export interface FirstScreen {
  counted: readonly CountedRows[];
  countedByLedger: readonly LedgerRows[];
}

/** What is stored of one chain of the primary network. */
export interface LedgerHoldings extends Ledger {
  counts: ReadonlyMap<LedgerRows, Count>;
  newest?: NewestRow;
}

export interface Holdings {
  /** The chains that have rows. */
  ledgers: LedgerHoldings[];
  /** Other kinds of rows, those that have any. */
  others: { label: string; count: Count }[];
  /** How far each followed chain is, for which nodes followers wait, and what they leave out, in words. */
  followed: string[];
}

/**
 * Counts what the database contains: a few dozen index ranges of at most COUNTED rows.
 *
 * @throws what pg throws
 */
export async function readHoldings(
  { prisma }: Pick<Reader, 'prisma'>,
  { counted, countedByLedger }: FirstScreen,
  following: FollowReader,
): Promise<Holdings> {
  const query: Query = <Row extends object>(sql: string) => prisma.$queryRawUnsafe<Row[]>(sql);
  const tables = await query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
  );
  const present = counted.filter(({ table }) => tables.some(({ name }) => name === table));
  const ledgers = networks.flatMap((network) => primaryChains.map((chain) => ({ network, chain })));
  const sources: string[] = present.map(({ table }) => table);
  for (const { source } of countedByLedger) sources.push(...ledgers.map(await source(query)));
  const counts = (await countAll(query, sources)).values();
  const next = () => counts.next().value ?? { rows: 0, exact: true };
  const others = present.map(({ label }) => ({ label, count: next() }));
  const columns = countedByLedger.map((kind) => ({ kind, counts: ledgers.map(next) }));
  const newest: NewestRow[] = [];
  for (const kind of countedByLedger) newest.push(...((await kind.newest?.(query)) ?? []));
  return {
    ledgers: ledgers
      .map((ledger, index) => ({
        ...ledger,
        counts: new Map(columns.map(({ kind, counts }) => [kind, counts[index] ?? next()])),
        newest: newest.find(({ network, chain }) => network === ledger.network && chain === ledger.chain),
      }))
      .filter(({ counts }) => [...counts.values()].some(({ rows }) => rows > 0)),
    others: others.filter(({ count }) => count.rows > 0),
    followed: [
      ...(await following.pipelines()),
      ...(await following.waiting()),
      ...(await following.leftOut()),
    ].map(following.describe),
  };
}

async function countAll(query: Query, sources: readonly string[]): Promise<Count[]> {
  const counting = sources.map(
    (source) => `(SELECT count(*)::integer FROM (SELECT 1 FROM ${source} LIMIT ${COUNTED + 1}) counted)`,
  );
  const rows = await query<{ counts: number[] }>(`SELECT ARRAY[${counting.join(', ')}] AS counts`);
  const counts: Count[] = [];
  for (const [index, source] of sources.entries()) {
    const counted = rows[0]?.counts[index] ?? 0;
    counts.push(
      counted <= COUNTED
        ? { rows: counted, exact: true }
        : { rows: Math.max(COUNTED, await estimate(query, source)), exact: false },
    );
  }
  return counts;
}

async function estimate(query: Query, source: string): Promise<number> {
  const rows = await query<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(
    `EXPLAIN (FORMAT JSON) SELECT 1 FROM ${source}`,
  );
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}
