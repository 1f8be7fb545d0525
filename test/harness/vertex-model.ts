import fc from 'fast-check';
import type { Network } from '../../src/avalanche/networks.js';
import type { Storage } from '../../src/storage/open.js';
import { idOf, transactionRow } from './ledger-rows.js';
import { importRows } from './seed.js';

export interface Vertex {
  name: number;
  network: Network;
  timestamp: number;
  /** Not given: its name. */
  height?: number;
  transactions: number[];
  /** Names of others; some of them are not stored. */
  parents: number[];
}

/** How many transactions are stored, those of fuji from 0 on. */
export const HELD = 12;
export const txHash = (number: number) => idOf(`transaction ${number}`);
export const hashOf = ({ name }: Pick<Vertex, 'name'>) => idOf(`vertex ${name}`);
const heightOf = ({ name, height = name }: Pick<Vertex, 'name' | 'height'>) => height;

// Few different times; some of the transactions are not stored.
export const vertices = fc
  .array(
    fc.record({
      network: fc.constantFrom<Network>('mainnet', 'fuji'),
      timestamp: fc.constantFrom(1_600_000_000, 1_600_000_001, 4_294_967_296),
      height: fc.integer({ min: 0, max: 9 }),
      transactions: fc.uniqueArray(fc.integer({ min: 0, max: HELD + 3 }), { maxLength: 9 }),
      parents: fc.uniqueArray(fc.integer({ min: 0, max: 15 }), { maxLength: 6 }),
    }),
    { maxLength: 50 },
  )
  .map((rows) => rows.map((row, name): Vertex => ({ ...row, name })));

/** An import row of it. */
export const toRow = ({ parents = [], ...vertex }: Omit<Vertex, 'parents'> & Partial<Vertex>) => ({
  vertexHash: hashOf(vertex),
  parentHashes: parents.map((name) => hashOf({ name })),
  vertexHeight: heightOf(vertex),
  vertexIndex: 0,
  vertexTimestamp: vertex.timestamp,
  txCount: vertex.transactions.length,
  transactions: vertex.transactions.map(txHash),
  vertexSizeBytes: 425,
});

export async function importVertices(storage: Storage, rows: readonly Vertex[]): Promise<void> {
  for (const network of ['mainnet', 'fuji'] as const) {
    const own = rows.filter((row) => row.network === network);
    await importRows(storage, `${network}.x-chain.vertices`, own.map(toRow));
  }
}

/** Imports the stored transactions. */
export async function importTransactions(storage: Storage): Promise<void> {
  const rows = Array.from({ length: HELD }, (_, number) => transactionRow(`transaction ${number}`));
  await importRows(storage, 'fuji.x-chain.transactions', rows);
}

/** Hashes of a network's vertices in the order of their lists. */
export const newestFirst = (rows: readonly Vertex[], network: Network) =>
  rows
    .filter((row) => row.network === network)
    .sort(
      (a, b) => b.timestamp - a.timestamp || heightOf(b) - heightOf(a) || (hashOf(a) < hashOf(b) ? 1 : -1),
    )
    .map(hashOf);

/** Hashes of those of fuji that build on a vertex, in the order of their lists. */
export const childrenOf = (rows: readonly Vertex[], name: number) =>
  newestFirst(
    rows.filter(({ parents }) => parents.includes(name)),
    'fuji',
  );
