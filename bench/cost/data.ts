import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { nativeAsset, nativeAssetIds } from '../../src/avalanche/networks.js';
import { loadSampleOnce } from '../../src/load-sample.js';
import { poolOf } from '../../test/harness/connections.js';
import { chainRow } from '../../test/harness/evm-rows.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../../test/harness/ledger-rows.js';
import { openBenchDatabase } from '../harness/database.js';
import { importFiles, writeRows } from '../harness/files.js';
import * as evm from '../size/evm.js';
import * as ledger from '../size/ledger.js';

/** Transactions of 100 outputs of one address: what the most expensive documents read. */
const WIDE = { transactions: 200, outputs: 100 };
/** As many as a search looks at. */
const CHAINS = 1000;
export const wideOwner = addressOf('wide owner');
const wide = (number: number) => `wide ${number}`;
export const wideTransaction = idOf(wide(0));

/** The sample, and rows of mainnet that are as many and as wide as a stranger's documents may read. */
export async function openCostDatabase(): Promise<Awaited<ReturnType<typeof openBenchDatabase>>> {
  const opened = await openBenchDatabase('cost');
  const { storage, env } = opened;
  await loadSampleOnce(storage, pino({ level: 'warn' }));
  const { rows } = await poolOf(storage).query('SELECT FROM transaction WHERE tx_hash = $1', [
    idOf(wide(WIDE.transactions - 1)),
  ]);
  if (rows.length > 0) return opened;
  console.log('importing rows (once)…');
  const folder = await mkdtemp(join(tmpdir(), 'moraine-bench-cost-'));
  try {
    const chains = Array.from({ length: CHAINS }, (_none, index) => chainRow(String(500_000 + index)));
    const files = [
      await writeRows(folder, 'evm.chains', [chainRow('43114', { isTestnet: false }), ...chains]),
      await writeRows(folder, 'mainnet.p-chain.transactions', [
        ...wideTransactions(),
        ...ledger.makeTransactions(4000),
      ]),
      await writeRows(folder, 'evm.43114.internal-transactions', evm.makeFrames(8000)),
      await writeRows(folder, 'mainnet.icm.messages', evm.makeMessages(2000)),
    ];
    await importFiles(process.cwd(), files, env);
  } finally {
    await rm(folder, { recursive: true });
  }
  return opened;
}

function* wideTransactions(): Generator<object> {
  const amount = { assetId: nativeAssetIds.mainnet, ...nativeAsset, amount: '1000' };
  for (let number = 0; number < WIDE.transactions; number += 1) {
    const block = { blockTimestamp: 1_500_000_000 + number, blockNumber: String(10_000_000 + number) };
    const txHash = idOf(wide(number));
    yield transactionRow(wide(number), {
      ...block,
      blockHash: idOf(`block of ${number}`),
      memo: '0x',
      value: [amount],
      emittedUtxos: Array.from({ length: WIDE.outputs }, (_none, outputIndex) =>
        utxoRow(`output ${outputIndex} of wide ${number}`, {
          ...block,
          txHash,
          outputIndex,
          asset: amount,
          addresses: [wideOwner],
          threshold: 1,
          platformLocktime: 0,
          staked: false,
        }),
      ),
    });
  }
}
