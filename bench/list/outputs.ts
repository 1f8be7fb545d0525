import type { Storage } from '../../src/storage/open.js';
import { poolOf } from '../../test/harness/connections.js';
import { generateLedger } from '../../test/harness/generated-ledger.js';
import { openBenchDatabase } from '../harness/database.js';
import { stopProcess } from '../harness/processes.js';
import { judge } from '../harness/measures.js';
import { median, ratios, spread } from '../harness/statistics.js';
import { ratesOf, type Length } from './compare.js';
import { startBoth, startFloor } from './peers.js';

const OUTPUTS = 2_000_000;
const HOT = [350_000, 280_000, 200_000, 150_000];
const LIST = '/v1/networks/mainnet/blockchains/p-chain/utxos';
/** The largest accepted ratios of the floor's throughput to ours, by page size. */
const WANTED: readonly [pageSize: number, wanted: number][] = [
  [10, 0.95],
  [100, 0.85],
];

/**
 * The REST list of UTXOs against the least that could serve it, both on one database of 2,000,000 outputs.
 */
export async function compareOutputs(length: Length): Promise<void> {
  const { storage, env } = await openBenchDatabase('list');
  const started = [];
  try {
    const addresses = await prepare(storage);
    const { gateway, floor, headers } = await startBoth('floor.ts', LIST, env, 'stringify');
    started.push(gateway, floor);
    const splice = await startFloor('floor.ts', headers, env, 'splice');
    started.push(splice);
    for (const [pageSize, wanted] of WANTED) {
      const paths = addresses.map(
        (address, index) =>
          `${LIST}?pageSize=${pageSize}&addresses=${[address, addresses[(index + 1) % addresses.length]].join('%2C')}`,
      );
      const [ours = [], floors = [], spliced = []] = await ratesOf([gateway, floor, splice], paths, length);
      const found = ratios(floors, ours);
      const judged = judge({
        name: `REST, outputs, ${pageSize} per page: floor's throughput ÷ ours`,
        wanted: `at most ${wanted}`,
        measured: spread(found),
        isMet: median(found) <= wanted,
      });
      console.log(
        `${pageSize} per page: floor's throughput ÷ ours ${spread(found)}, wanted at most ${wanted}: ${judged}\n` +
          `  a floor that passes the database's text on instead of stringifying ÷ ours ${spread(ratios(spliced, ours))}\n` +
          `  requests a second: ours ${median(ours).toFixed(0)}, floor ${median(floors).toFixed(0)}`,
      );
    }
  } finally {
    await Promise.all(started.map(({ child }) => stopProcess(child)));
    await storage.close();
  }
}

async function prepare(storage: Storage): Promise<string[]> {
  const { rows } = await poolOf(storage).query<{ address: string }>(
    `SELECT a.address FROM address a WHERE a.network = 'mainnet' AND a.address <> '' AND a.address NOT LIKE 'avax1cold%' ORDER BY a.id`,
  );
  if (rows.length === HOT.length) return rows.map((row) => row.address);
  console.log(`making ${OUTPUTS.toLocaleString('en')} outputs (once, takes some minutes)…`);
  return generateLedger(poolOf(storage), { outputs: OUTPUTS, hot: HOT });
}
