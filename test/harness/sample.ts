import { chainName, type PrimaryChain } from '../../src/avalanche/networks.js';
import { sampleFiles } from '../../sample/index.js';
import type { TransactionLine } from '../../src/resources/transaction/import-row.js';
import type { UtxoLine } from '../../src/resources/utxo/import-row.js';

export const chains = ['p', 'x', 'c'] as const;

/** The generated sample, read once. */
export function readSample() {
  const files = new Map([...sampleFiles()].map(({ name, rows }) => [name, [...rows]]));
  const rowsOf = <T>(name: string) => {
    const rows = files.get(name);
    if (!rows) throw new Error(`The sample has no file ${name}.`);
    return rows as T[];
  };
  const utxosOf = (chain: PrimaryChain) => rowsOf<UtxoLine>(`fuji.${chainName(chain)}.utxos`);
  const transactionsOf = (chain: PrimaryChain) =>
    rowsOf<TransactionLine>(`fuji.${chainName(chain)}.transactions`);
  return {
    files,
    rowsOf,
    utxosOf,
    transactionsOf,
    allUtxos: chains.flatMap(utxosOf),
    allTransactions: chains.flatMap(transactionsOf),
  };
}
