import fc from 'fast-check';
import { blockchainIds, nativeAssetIds } from '../../src/avalanche/networks.js';
import type { Storage } from '../../src/storage/open.js';
import { poolOf } from './connections.js';
import { addressOf, idOf, outputId, utxoRow } from './ledger-rows.js';
import { paging } from './list-model.js';
import { importRows } from './seed.js';

export const owners = ['anna', 'ben', 'carl', 'dora'].map((name) => addressOf(name, 'fuji'));
export const assets = [nativeAssetIds.fuji, idOf('asset 1'), idOf('asset 2')] as const;
export const ids = blockchainIds.fuji;
const chains = ['p', 'x', 'c'] as const;

/** The fields of an output that matter for assets. */
export interface Output {
  name: string;
  addresses: string[];
  assetId: string;
  amount: string;
  createdOnChainId: string;
  consumedOnChainId: string;
  blockTimestamp: number;
  consumingTxHash: string | undefined;
}

export const outputs = fc
  .array(
    fc.record({
      addresses: fc.uniqueArray(fc.constantFrom(...owners), { minLength: 1, maxLength: 3 }),
      assetId: fc.constantFrom(...assets),
      amount: fc.constantFrom('0', '1', '7', '8', '18446744073709551615'),
      createdOnChainId: fc.constantFrom(ids.p, ids.x, ids.x),
      consumedOnChainId: fc.constantFrom(ids.x, ids.x, ids.c),
      blockTimestamp: fc.constantFrom(1_700_000_000, 1_700_000_001),
      consumingTxHash: fc.option(fc.constant(idOf('spender')), { nil: undefined }),
    }),
    { maxLength: 60 },
  )
  .map((rows) => rows.map((row, index): Output => ({ ...row, name: `output ${index}` })));

export async function importOutputs(storage: Storage, rows: readonly Output[]): Promise<void> {
  for (const chain of ['p', 'x'] as const) {
    const own = rows.filter((row) => row.createdOnChainId === ids[chain]);
    await importRows(
      storage,
      `fuji.${chain}-chain.utxos`,
      own.map(({ name, ...fields }) => utxoRow(name, fields, 'fuji')),
    );
  }
}

/** A list of an asset on a chain. */
export const ofAsset = fc.record({
  ...paging(6),
  assetId: fc.constantFrom(...assets),
  chain: fc.constantFrom(...chains),
});
export type OfAsset = typeof ofAsset extends fc.Arbitrary<infer T> ? T : never;

const isShown = (row: Output, chain: (typeof chains)[number]) =>
  [row.createdOnChainId, row.consumedOnChainId].includes(ids[chain]);

/** Amounts by holder, by looking at every output. */
function amounts(rows: readonly Output[], { assetId, chain }: OfAsset): Map<string, bigint> {
  const held = new Map<string, bigint>();
  for (const row of rows) {
    if (row.assetId !== assetId || row.consumingTxHash !== undefined || !isShown(row, chain)) continue;
    for (const owner of row.addresses) held.set(owner, (held.get(owner) ?? 0n) + BigInt(row.amount));
  }
  return held;
}

/** Ids of all assets, in the order in which this installation stored them. */
export async function assetsAsTheyCame(storage: Storage): Promise<string[]> {
  const { rows } = await poolOf(storage).query<{ asset_id: string }>(
    'SELECT asset_id FROM asset ORDER BY id',
  );
  return rows.map(({ asset_id }) => asset_id);
}

/** Holders from the richest, equal ones in the order of this installation. */
export async function holdersOf(storage: Storage, rows: readonly Output[], each: OfAsset): Promise<string[]> {
  const known = await poolOf(storage).query<{ address: string }>(
    'SELECT address FROM address ORDER BY id DESC',
  );
  const position = new Map(known.rows.map(({ address }, index) => [address, index]));
  return [...amounts(rows, each)]
    .filter(([, amount]) => amount > 0n)
    .sort(
      ([a, one], [b, other]) =>
        Number(other > one) - Number(other < one) || (position.get(a) ?? 0) - (position.get(b) ?? 0),
    )
    .map(([owner, amount]) => `${owner} ${amount}`);
}

/** A list of the outputs of an asset. */
export const listOf = fc
  .record({
    includeSpent: fc.boolean(),
    sortBy: fc.constantFrom('timestamp', 'amount'),
    sortOrder: fc.constantFrom('asc', 'desc'),
    addresses: fc.option(fc.subarray(owners), { nil: null }),
    minUtxoAmount: fc.constantFrom(null, '0', '0.5', '7', '7.5', '1e+19'),
  })
  .chain((filters) => ofAsset.map((each) => ({ ...each, ...filters })));
export type ListOf = typeof listOf extends fc.Arbitrary<infer T> ? T : never;

/** The outputs of an asset on the X-chain, by looking at every output. */
export function outputsOf(rows: readonly Output[], { assetId, ...filters }: ListOf): string[] {
  const { includeSpent, sortBy, sortOrder, addresses, minUtxoAmount } = filters;
  const key = (row: Output) => (sortBy === 'amount' ? BigInt(row.amount) : BigInt(row.blockTimestamp));
  const sign = sortOrder === 'asc' ? 1 : -1;
  const isOwned = (row: Output) =>
    addresses === null || addresses.some((owner) => row.addresses.includes(owner));
  return rows
    .filter((row) => row.assetId === assetId && isShown(row, 'x'))
    .filter((row) => includeSpent || row.consumingTxHash === undefined)
    .filter((row) => isOwned(row) && Number(row.amount) >= Number(minUtxoAmount ?? '0'))
    .map((row) => ({ key: key(row), id: outputId(row.name) }))
    .sort((a, b) => sign * (Number(a.key > b.key) - Number(a.key < b.key) || (a.id < b.id ? -1 : 1)))
    .map(({ id }) => id);
}

/** The arguments of that list but the paging ones. */
export function outputArguments({
  includeSpent,
  sortBy,
  sortOrder,
  addresses,
  minUtxoAmount,
}: ListOf): string {
  const given = { includeSpent, sortBy, sortOrder };
  const quoted = { addresses, minUtxoAmount };
  return [
    ...Object.entries(given).map(([name, value]) => `${name}: ${value}`),
    ...Object.entries(quoted).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  ].join(', ');
}
