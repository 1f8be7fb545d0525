import { chainName, type PrimaryChain } from '../../src/avalanche/networks.js';
import { sampleFiles } from '../../sample/index.js';
import type { TransactionLine } from '../../src/resources/transaction/import-row.js';
import type { UtxoLine } from '../../src/resources/utxo/import-row.js';

export const chains = ['p', 'x', 'c'] as const;

let read: ReturnType<typeof generateSample> | undefined;

/** The generated sample: made once in a worker, whose files share it, and frozen. */
export function readSample() {
  return (read ??= generateSample());
}

function generateSample() {
  const files = new Map([...sampleFiles()].map(({ name, rows }) => [name, freeze([...rows])]));
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
    allUtxos: freeze(chains.flatMap(utxosOf)),
    allTransactions: freeze(chains.flatMap(transactionsOf)),
  };
}

function freeze<T extends object>(value: T): T {
  for (const each of Object.values(value))
    if (typeof each === 'object' && each !== null && !Object.isFrozen(each)) freeze(each as object);
  return Object.freeze(value);
}
