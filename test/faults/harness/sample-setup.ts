import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { idOf, transactionRow, utxoRow } from '../../harness/ledger-rows.js';
import { onceForAll } from '../../harness/once-for-all.js';
import { runCommand } from './gateway.js';
import { newFolder, runPostgres } from './postgres.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server whose database "moraine" contains the sample, and a stopped copy of it. */
    sampleServer: { url: string; folder: string };
  }
}

/** The transaction with the large reply: many outputs, as a real one with 9,000 is. */
export const largeTransaction = idOf('a transaction with many outputs');
const largeOutputs = 6500;

/** Prepares the data that every fault is tried on, once. */
export default onceForAll('sampleServer', async (provide) => {
  const made = await newFolder();
  // An embedded database is a cluster like any other, once nobody uses it.
  await succeed(['migrate'], { DATA_DIR: made });
  const server = await runPostgres(made);
  const env = { DATABASE_URL: server.url };
  await succeed(['sample'], env);
  const file = join(server.folder, 'fuji.p-chain.transactions.ndjson');
  await writeFile(file, `${JSON.stringify(largeRow())}\n`);
  await succeed(['import', file], env);
  await server.stop();
  const folder = await newFolder();
  await cp(join(server.folder, 'postgres'), join(folder, 'postgres'), { recursive: true });
  await server.start();
  provide('sampleServer', { url: server.url, folder });
  return async () => {
    await server.drop();
    await rm(folder, { recursive: true, force: true });
  };
});

function largeRow(): object {
  const emittedUtxos = Array.from({ length: largeOutputs }, (_, index) =>
    utxoRow(`large ${index}`, { txHash: largeTransaction, outputIndex: index }, 'fuji'),
  );
  return transactionRow('a transaction with many outputs', { emittedUtxos });
}

async function succeed(args: string[], env: Record<string, string>): Promise<void> {
  const { code, output } = await runCommand(args, env);
  if (code !== 0) throw new Error(`moraine ${args.join(' ')} ended with ${code}:\n${output}`);
}
