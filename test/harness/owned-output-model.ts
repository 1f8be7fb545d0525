import fc from 'fast-check';
import { blockchainIds, nativeAssetIds } from '../../src/avalanche/networks.js';
import type { Storage } from '../../src/storage/open.js';
import { addressOf, idOf, outputId, utxoRow } from './ledger-rows.js';
import { importRows } from './seed.js';

export const owners = ['anna', 'ben', 'carl'].map((name) => addressOf(name, 'fuji'));
export const assets = [
  nativeAssetIds.fuji,
  ...Array.from({ length: 4 }, (_, index) => idOf(`asset ${index}`)),
];
export const { p, x } = blockchainIds.fuji;

/** An output of fuji, made on one of two chains for one of two. */
export interface Output {
  name: string;
  addresses: string[];
  assetId: string;
  amount: string;
  createdOnChainId: string;
  consumedOnChainId: string;
  blockTimestamp: number;
  staked: boolean;
  consumingTxHash: string | undefined;
}

export const outputs = fc
  .array(
    fc.record({
      addresses: fc.uniqueArray(fc.constantFrom(...owners), { minLength: 1, maxLength: 3 }),
      assetId: fc.constantFrom(...assets),
      amount: fc.constantFrom('0', '1', '7', '18446744073709551615'),
      createdOnChainId: fc.constantFrom(p, x),
      consumedOnChainId: fc.constantFrom(p, x),
      blockTimestamp: fc.constantFrom(1_700_000_000, 1_700_000_001),
      staked: fc.boolean(),
      consumingTxHash: fc.option(fc.constant(idOf('spender')), { nil: undefined }),
    }),
    { maxLength: 60 },
  )
  .map((rows) => rows.map((row, index): Output => ({ ...row, name: `output ${index}` })));

export const isSpent = ({ consumingTxHash, staked }: Output) => consumingTxHash !== undefined && !staked;
export const onChain = (id: string) => (row: Output) =>
  row.createdOnChainId === id || row.consumedOnChainId === id;
export const ofOwner = (owner: string) => (row: Output) => row.addresses.includes(owner);

/** Any filters and order of an address's outputs. */
export const outputQuery = {
  owner: fc.constantFrom(...owners),
  chain: fc.constantFrom('p', 'x'),
  sortBy: fc.constantFrom('timestamp', 'amount'),
  sortOrder: fc.constantFrom('asc', 'desc'),
  includeSpent: fc.boolean(),
  minUtxoAmount: fc.constantFrom('0', '0.5', '7', '1e+21'),
  assetId: fc.option(fc.constantFrom(...assets), { nil: null }),
};
type OutputQuery = {
  [Name in keyof typeof outputQuery]: (typeof outputQuery)[Name] extends fc.Arbitrary<infer T> ? T : never;
};

/** The ids of those that match such a query, in order, by checking each. */
export function outputsOf(rows: readonly Output[], query: OutputQuery): string[] {
  const sign = query.sortOrder === 'asc' ? 1 : -1;
  const key = (row: Output) => (query.sortBy === 'amount' ? Number(row.amount) : row.blockTimestamp);
  const id = (row: Output) => outputId(row.name);
  return rows
    .filter(ofOwner(query.owner))
    .filter(onChain(query.chain === 'p' ? p : x))
    .filter((row) => query.includeSpent || !isSpent(row))
    .filter((row) => Number(row.amount) >= Number(query.minUtxoAmount))
    .filter((row) => query.chain === 'p' || !query.assetId || row.assetId === query.assetId)
    .sort((a, b) => sign * (key(a) - key(b) || (id(a) < id(b) ? -1 : 1)))
    .map(id);
}

export async function importOutputs(storage: Storage, rows: readonly Output[]): Promise<void> {
  for (const [chain, id] of [
    ['p', p],
    ['x', x],
  ] as const) {
    const own = rows.filter((row) => row.createdOnChainId === id);
    await importRows(
      storage,
      `fuji.${chain}-chain.utxos`,
      own.map(({ name, ...fields }) => utxoRow(name, fields, 'fuji')),
    );
  }
}
