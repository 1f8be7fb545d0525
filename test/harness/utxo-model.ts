import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { formatAddress } from '../../src/avalanche/address.js';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { utxoIdOf } from '../../src/avalanche/codec/ids.js';
import { blockchainIds, nativeAssetIds } from '../../src/avalanche/networks.js';
import type { Storage } from '../../src/storage/open.js';
import { importRows } from './seed.js';

const owners = Array.from({ length: 5 }, (_, index) =>
  formatAddress('fuji', new Uint8Array(20).fill(index + 1)),
);
const assets = [nativeAssetIds.fuji, encodeCb58(hash('another asset'))];
export const fuji = blockchainIds.fuji;

/** An output as it is imported. */
export interface Output {
  utxoId: string;
  addresses: string[];
  amount: string;
  assetId: string;
  createdOnChainId: string;
  consumedOnChainId: string;
  blockTimestamp?: number;
  staked?: boolean;
  consumingTxHash?: string;
}

// Few different timestamps and amounts: ties are the rule on a real chain.
const output = (index: number) =>
  fc
    .record(
      {
        addresses: fc.uniqueArray(fc.constantFrom(...owners), { minLength: 1, maxLength: 3 }),
        amount: fc.constantFrom('0', '1', '2', '1000', '18446744073709551615'),
        assetId: fc.constantFrom(...assets),
        createdOnChainId: fc.constantFrom(fuji.p, fuji.x),
        consumedOnChainId: fc.constantFrom(fuji.p, fuji.x),
        blockTimestamp: fc.option(fc.constantFrom(0, 1_700_000_000, 1_700_000_001, 4_294_967_296), {
          nil: undefined,
        }),
        staked: fc.boolean(),
        consumingTxHash: fc.option(fc.constant(encodeCb58(hash('spender'))), { nil: undefined }),
      },
      {
        requiredKeys: [
          'addresses',
          'amount',
          'assetId',
          'createdOnChainId',
          'consumedOnChainId',
          'blockTimestamp',
        ],
      },
    )
    .map((fields) => ({
      ...fields,
      utxoId: utxoIdOf(hash('tx'), index),
      txHash: encodeCb58(hash('tx')),
      outputIndex: index,
      utxoType: 'TRANSFER',
    }));

/** The outputs that every test checks: the same 150 in every run. */
export const outputs: readonly Output[] = fc
  .sample(fc.tuple(...Array.from({ length: 150 }, (_, index) => output(index))), { numRuns: 1, seed: 42 })
  .flat();

/** Any list that a query may read. */
export const query = fc.record({
  chain: fc.constantFrom('p', 'x'),
  addresses: fc.option(fc.uniqueArray(fc.constantFrom(...owners), { maxLength: 4 }), { nil: null }),
  assetId: fc.option(fc.constantFrom(...assets), { nil: undefined }),
  minUtxoAmount: fc.constantFrom('0', '0.5', '2', '1e+3', '18446744073709551615', '18446744073709551616'),
  includeSpent: fc.boolean(),
  sortBy: fc.constantFrom('timestamp', 'amount'),
  sortOrder: fc.constantFrom('asc', 'desc'),
  pageSize: fc.integer({ min: 1, max: 100 }),
});
export type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;

/** What the contract says of the list, by looking at every output. */
export function model(
  list: readonly Output[],
  { chain, addresses, assetId, minUtxoAmount, includeSpent, sortBy, sortOrder }: Query,
): string[] {
  const id = fuji[chain];
  const kept = list
    .filter((each) => each.createdOnChainId === id || each.consumedOnChainId === id)
    .filter((each) => addresses === null || addresses.some((address) => each.addresses.includes(address)))
    .filter((each) => chain !== 'x' || assetId === undefined || each.assetId === assetId)
    .filter(
      (each) => Number(each.amount) >= Number(minUtxoAmount) && minUtxoAmount !== '18446744073709551616',
    )
    .filter((each) => includeSpent || each.consumingTxHash === undefined || each.staked === true);
  const key = (each: Output) =>
    sortBy === 'amount' ? BigInt(each.amount) : BigInt(each.blockTimestamp ?? 0);
  const compare = (a: Output, b: Output) =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.utxoId < b.utxoId ? -1 : 1;
  kept.sort((a, b) => (sortOrder === 'asc' ? compare(a, b) : compare(b, a)));
  return kept.map((each) => each.utxoId);
}

/** The list's path over REST. */
export function restPath({
  chain,
  addresses,
  assetId,
  minUtxoAmount,
  includeSpent,
  sortBy,
  sortOrder,
}: Query): string {
  const search = new URLSearchParams({
    minUtxoAmount,
    includeSpent: String(includeSpent),
    sortBy,
    sortOrder,
  });
  if (addresses)
    search.set('addresses', addresses.map((address) => `${chain.toUpperCase()}-${address}`).join(','));
  if (assetId) search.set('assetId', assetId);
  return `/v1/networks/fuji/blockchains/${chain}-chain/utxos?${search}`;
}

/** The list's field over GraphQL with its arguments but the paging ones, left open. */
export function graphqlField({
  chain,
  addresses,
  assetId,
  minUtxoAmount,
  includeSpent,
  sortBy,
  sortOrder,
}: Query): string {
  return (
    `utxos(network: fuji, blockchainId: "${chain}-chain", addresses: ${JSON.stringify(addresses)}, ` +
    `assetId: ${JSON.stringify(assetId ?? null)}, minUtxoAmount: "${minUtxoAmount}", includeSpent: ${includeSpent}, ` +
    `sortBy: ${sortBy}, sortOrder: ${sortOrder}`
  );
}

/** Imports outputs. A file holds the outputs of one chain: created or consumable there. */
export async function importOutputs(storage: Storage, list: readonly Output[]): Promise<void> {
  const onP = (each: Output) => each.createdOnChainId === fuji.p || each.consumedOnChainId === fuji.p;
  await importRows(storage, 'fuji.p-chain.utxos', list.filter(onP));
  await importRows(
    storage,
    'fuji.x-chain.utxos',
    list.filter((each) => !onP(each)),
  );
}

function hash(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
