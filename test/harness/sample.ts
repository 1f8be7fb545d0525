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

type Sorted = Pick<TransactionLine, 'txHash' | 'blockTimestamp' | 'blockNumber' | 'position'>;

/** The order of lists of transactions, as a comparison. */
export const newestFirst = (a: Sorted, b: Sorted): number =>
  Number(b.blockTimestamp) - Number(a.blockTimestamp) ||
  Number(b.blockNumber ?? -1) - Number(a.blockNumber ?? -1) ||
  Number(b.position ?? 0) - Number(a.position ?? 0) ||
  (a.txHash < b.txHash ? 1 : -1);

/** Three rows of each shape: for tests of the shapes of rows, where hundreds differ only in values. */
export function ofEachShape<Row>(rows: readonly Row[]): Row[] {
  const met = new Map<string, number>();
  return rows.filter((row) => {
    const shape = JSON.stringify(shapeOf(row));
    met.set(shape, (met.get(shape) ?? 0) + 1);
    return (met.get(shape) ?? 0) <= 3;
  });
}

/** The members of a value and their types, at any depth; of those named for a type which one it is. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(shapeOf(each))))].sort();
  if (value === null || typeof value !== 'object') return typeof value;
  const members = Object.entries(value).map(([name, each]: [string, unknown]) => [
    name,
    name.endsWith('Type') ? each : shapeOf(each),
  ]);
  return Object.fromEntries(members) as unknown;
}

function freeze<T extends object>(value: T): T {
  for (const each of Object.values(value))
    if (typeof each === 'object' && each !== null && !Object.isFrozen(each)) freeze(each as object);
  return Object.freeze(value);
}
