import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Other } from '../harness/against.js';
import { importFiles, writeRows } from '../harness/files.js';
import { startGateway } from '../harness/gateway.js';
import { endedTime, serverTime } from '../harness/processor.js';
import { stopProcess } from '../harness/processes.js';
import { inRounds } from '../harness/rounds.js';
import { judge } from '../harness/measures.js';
import { median, ratios, spread } from '../harness/statistics.js';
import { makeTransactions } from '../size/ledger.js';
import { WANTED } from './histories.js';
import { makeOutputs } from './output-file.js';

const PORT = 4730;

interface Measured {
  /** Processor time of both sides, seconds. */
  seconds: number;
  memory: number;
}

/**
 * The cost of imports of the same files in this checkout and in another one, each into a new database.
 *
 * @param transactions absent: outputs alone
 */
export async function compareCommits(
  other: Other,
  { outputs, transactions, rounds }: { outputs: number; transactions?: number; rounds: number },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'moraine-bench-import-'));
  try {
    const files: Record<string, string> = {
      [`${outputs} outputs`]: await writeRows(folder, 'mainnet.p-chain.utxos', makeOutputs(outputs)),
    };
    if (transactions !== undefined)
      files[`${transactions} transactions that name subnets, nodes and L1 validators`] = await writeRows(
        ...([folder, 'mainnet.p-chain.transactions', makeTransactions(transactions)] as const),
      );
    const checkouts = [process.cwd(), other.checkout];
    for (const [name, file] of Object.entries(files)) {
      const measured = await inRounds(checkouts, rounds, (checkout) => measure(checkout, file, folder));
      const of = (index: number, what: keyof Measured) => (measured[index] ?? []).map((each) => each[what]);
      const found = ratios(of(0, 'seconds'), of(1, 'seconds'));
      const judged = judge({
        name: `import, ${name}: processor time ÷ that of ${other.name}`,
        wanted: `at most ${WANTED}`,
        measured: spread(found),
        isMet: median(found) <= WANTED,
      });
      console.log(
        `${name}: processor time ÷ that of ${other.name} ${spread(found)}, wanted at most ${WANTED}: ${judged}\n` +
          `  seconds: ours ${spread(of(0, 'seconds'), 1)}, theirs ${spread(of(1, 'seconds'), 1)}; peak memory: ours ${spread(of(0, 'memory'), 0)} MiB, theirs ${spread(of(1, 'memory'), 0)} MiB`,
      );
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The checkout's gateway has made the tables and keeps the server running, which the import then uses. */
async function measure(checkout: string, file: string, folder: string): Promise<Measured> {
  const env = { DATA_DIR: await mkdtemp(join(folder, 'data-')) };
  const { child } = await startGateway(checkout, env, PORT);
  try {
    const server = Number(
      (await readFile(join(env.DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0],
    );
    const taken = () => serverTime(server) + endedTime(server) + endedTime(process.pid);
    const before = taken();
    const { memory } = await importFiles(checkout, [file], env);
    return { seconds: (taken() - before) / 1e6, memory };
  } finally {
    await stopProcess(child);
    await rm(env.DATA_DIR, { recursive: true });
  }
}
