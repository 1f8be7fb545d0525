import { primaryScope } from '../../src/ingest/scope.js';
import { transactionRows } from '../../src/resources/transaction/import.js';
import type { Storage } from '../../src/storage/open.js';
import { SteadyClient } from '../../src/storage/steady-client.js';
import { writeSets, type RowSet } from '../../src/write/transaction.js';
import { judge } from '../harness/measures.js';
import { median, spread } from '../harness/statistics.js';
import { makeTransactions } from '../size/ledger.js';

/** How often writing a block of one transaction should wait for the database. */
const WANTED = 4;

/**
 * What writing a block of one transaction takes, each in a database transaction of its own, as a follower at
 * the head does: statements, how often it waits for answers, and milliseconds.
 *
 * @param blocks how many are measured; as many are written before
 */
export async function measureOneBlock(storage: Storage, blocks: number): Promise<void> {
  const scope = primaryScope({ network: 'mainnet', chain: 'p' });
  const sets = [...makeTransactions(2 * blocks)].map((row): RowSet[] => [
    { kind: transactionRows, scope, rows: [transactionRows.read(row, scope)] },
  ]);
  const found = { statements: [] as number[], waits: [] as number[], milliseconds: [] as number[] };
  await storage.session(async (session) => {
    for (const [index, block] of sets.entries()) {
      const start = performance.now();
      const { statements, waits } = await countStatements(() => writeSets(session, block));
      if (index < blocks) continue;
      found.milliseconds.push(performance.now() - start);
      found.statements.push(statements);
      found.waits.push(waits);
    }
  });
  const judged = judge({
    name: 'a block of one transaction: waits for the database',
    wanted: `at most ${WANTED}`,
    measured: spread(found.waits, 0),
    isMet: median(found.waits) <= WANTED,
  });
  console.log(
    `a block of one transaction: ${spread(found.statements, 0)} statements, ${spread(found.milliseconds, 1)} ms, ` +
      `${spread(found.waits, 0)} waits for the database, wanted at most ${WANTED}: ${judged}`,
  );
}

/**
 * Counts what connections send during `work`: statements, and those before which all earlier ones were
 * answered.
 */
async function countStatements(work: () => Promise<unknown>): Promise<{ statements: number; waits: number }> {
  const prototype = SteadyClient.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const original = prototype.query;
  const counted = { statements: 0, waits: 0 };
  let underWay = 0;
  prototype.query = function (...args) {
    const answer = original.apply(this, args);
    counted.statements += 1;
    if (underWay === 0) counted.waits += 1;
    underWay += 1;
    const end = () => (underWay -= 1);
    if (answer instanceof Promise) answer.then(end, end);
    else (answer as NodeJS.EventEmitter).once('close', end);
    return answer;
  };
  try {
    await work();
    return counted;
  } finally {
    prototype.query = original;
  }
}
