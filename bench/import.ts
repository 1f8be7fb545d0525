import { comparePrices } from './import/histories.js';
import { compareWithCopy } from './import/outputs.js';
import { openBenchDatabase } from './harness/database.js';

/**
 * What an import of outputs takes against a plain COPY of what it writes, and what an import of transactions pays for
 * tables that it derives.
 *
 * @param args the number of outputs, 200,000 unless given; with it the first of the two alone
 */
export async function run([outputs]: string[]): Promise<void> {
  const { storage, env } = await openBenchDatabase('import');
  try {
    await compareWithCopy(storage, env, Number(outputs ?? 200_000));
    if (outputs === undefined) await comparePrices(storage);
  } finally {
    await storage.close();
  }
}
