import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Filling } from './database.js';
import { runImport } from './ingest.js';
import { realData } from './seed.js';

/** The files of real data whose names match, as paths. */
export const realPaths = (pattern: RegExp): string[] =>
  readdirSync(realData)
    .filter((file) => pattern.test(file))
    .map((file) => fileURLToPath(new URL(file, realData)));

/** Of mainnet's chains: outputs, and transactions, 15 of which are without a blockTimestamp. */
export const realLedger = {
  utxos: /^mainnet\..-chain\.utxos\./,
  transactions: /^mainnet\..-chain\.transactions\./,
};

/**
 * The whole ledger of real data, with its vertex, its messages and the chains: for tests that only read it.
 */
export const realFilling: Filling = {
  name: 'real',
  async fill(storage) {
    const ledger = [...realPaths(realLedger.utxos), ...realPaths(realLedger.transactions)];
    expect(await runImport(storage, ledger)).toMatchObject({
      rows: 39_035,
      written: 39_020,
      unchanged: 0,
      rejected: 15,
      brokenFiles: 0,
    });
    // 180 chains are without an RPC address and a token.
    const others = realPaths(/^(mainnet\.x-chain\.vertices|mainnet\.icm\.messages|evm\.chains)\./);
    expect(await runImport(storage, others)).toMatchObject({ rejected: 180, brokenFiles: 0 });
  },
};
