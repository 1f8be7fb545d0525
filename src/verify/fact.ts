import type { Connection } from '../storage/session.js';
import { rowsOf } from './cursor.js';
import { Findings, type Outcome } from './finding.js';

/** Two sources of the same value. */
export interface Fact {
  readonly table: string;
  readonly column: string;
  readonly by: string;
  /** SQL of what is compared: `row`, `stored` and `proved`, texts. */
  readonly pairs: string;
}

interface Pair {
  readonly row: string;
  readonly stored: string | null;
  readonly proved: string | null;
}

/** Compares the two sources. */
export async function compareFact(session: Connection, { table, column, by, pairs }: Fact): Promise<Outcome> {
  const findings = new Findings();
  const { rows: counted } = await session.query<{ count: string }>(
    `SELECT count(*)::text AS count FROM (${pairs}) p`,
  );
  const differing = `SELECT * FROM (${pairs}) p WHERE stored IS DISTINCT FROM proved`;
  for await (const { row, stored, proved } of rowsOf<Pair>(session, 'fact', differing))
    findings.add({ row, column, stored: stored ?? 'null', proved: proved ?? 'null' });
  return findings.outcome(table, by, Number(counted[0]?.count));
}
