import fc from 'fast-check';
import { blockchainIds, nativeAssetIds } from '../../src/avalanche/networks.js';
import type { Storage } from '../../src/storage/open.js';
import { addressOf, idOf, transactionRow, utxoRow } from './ledger-rows.js';
import { importRows } from './seed.js';

/** What an output's row says of the past. */
export interface PastOutput {
  utxoId: string;
  txHash: string;
  outputIndex: number;
  addresses: string[];
  amount: string;
  assetId: string;
  createdOnChainId: string;
  consumedOnChainId: string;
  staked?: boolean;
  blockNumber?: string;
  blockTimestamp?: number;
  consumingTxHash?: string;
  consumingBlockNumber?: string;
  consumingBlockTimestamp?: number;
}

export const pastOwners = ['anna', 'ben', 'cleo'].map((name) => addressOf(name, 'fuji'));
const { p, x, c } = blockchainIds.fuji;
const chains = ['p', 'x', 'c'] as const;
const assets = [nativeAssetIds.fuji, idOf('coin')];

/** The time of a block: two in each second, and ties are the rule. */
export const timeOfBlock = (number: number) => 1_700_000_000 + Math.floor(number / 2);
export const LAST_BLOCK = 20;

// No block 0: on the X-chain and the C-chain that number says that the block is unknown.
const block = fc.integer({ min: 1, max: LAST_BLOCK });
const event = fc.option(fc.record({ number: block, isNumbered: fc.boolean() }), { nil: null, freq: 6 });

const output = fc.record({
  addresses: fc.subarray(pastOwners, { minLength: 1 }),
  amount: fc.constantFrom('0', '1', '7', '1000'),
  assetId: fc.constantFrom(...assets),
  between: fc.constantFrom([p, p], [p, p], [p, x], [x, p], [x, x], [x, c], [c, p]),
  staked: fc.constantFrom(undefined, false, false, true),
  created: event,
  isSpent: fc.boolean(),
  spent: event,
});

/** Outputs with the stored facts of their creation and spending, some of them unknown. */
export const pastOutputs = (label: string, maxLength: number, minLength = 1) =>
  fc.array(output, { minLength, maxLength, size: 'max' }).map((all) =>
    all.map(({ staked, created, isSpent, spent, between, ...kept }, index): PastOutput => {
      const made = created && {
        blockTimestamp: timeOfBlock(created.number),
        ...(created.isNumbered && { blockNumber: String(created.number) }),
      };
      const gone = spent && {
        consumingBlockTimestamp: timeOfBlock(spent.number),
        ...(spent.isNumbered && { consumingBlockNumber: String(spent.number) }),
      };
      const { utxoId, txHash, outputIndex } = utxoRow(`${label} ${index}`);
      return {
        utxoId,
        txHash,
        outputIndex,
        ...kept,
        createdOnChainId: between[0],
        consumedOnChainId: between[1],
        ...(staked !== undefined && { staked }),
        ...made,
        ...(isSpent && { consumingTxHash: idOf(`spender of ${label} ${index}`), ...gone }),
      };
    }),
  );

const rowOf = (fields: PastOutput) => utxoRow('', fields, 'fuji');

/** Any list of a chain's past that a query may read. */
export const pastQuery = fc.record({
  chain: fc.constantFrom('p', ...chains),
  assetId: fc.option(fc.constantFrom(...assets), { nil: null }),
  addresses: fc.option(fc.subarray(pastOwners), { nil: null }),
  minUtxoAmount: fc.constantFrom('0', '0', '7'),
  sortBy: fc.constantFrom('timestamp', 'amount'),
  sortOrder: fc.constantFrom('asc', 'desc'),
  asOf: fc.oneof(
    fc.record({
      time: fc.integer({ min: -1, max: LAST_BLOCK / 2 + 1 }).map((second) => 1_700_000_000 + second),
    }),
    fc.record({ block: fc.integer({ min: 0, max: LAST_BLOCK + 3 }) }),
  ),
  pageSize: fc.integer({ min: 1, max: 12 }),
  direction: fc.constantFrom('forward' as const, 'backward' as const),
});
export type PastQuery = typeof pastQuery extends fc.Arbitrary<infer T> ? T : never;

interface Event {
  chain: string;
  /** Of its chain, if known. */
  block: number | null;
  time: number;
}

/** Whether it happened up to the moment; `held` are the blocks with stored transactions, ascending. */
function isPast(
  { chain, block, time }: Event,
  query: Pick<PastQuery, 'asOf' | 'chain'>,
  counted: readonly number[],
): boolean {
  const { asOf } = query;
  if ('time' in asOf) return time <= asOf.time;
  if (chain === blockchainIds.fuji[query.chain] && block !== null) return block <= asOf.block;
  const newest = counted.filter((number) => number <= asOf.block).at(-1);
  return time <= (newest === undefined ? 0 : timeOfBlock(newest));
}

/**
 * The ids of the outputs that were unspent: the events of each are played in turn, up to the moment.
 *
 * @param held numbers of each chain's blocks with stored transactions, ascending
 */
export function unspentAt(all: readonly PastOutput[], query: PastQuery, held: readonly number[]): string[] {
  const { addresses, assetId, minUtxoAmount, sortBy, sortOrder } = query;
  const shownOn = blockchainIds.fuji[query.chain];
  // Other chains ignore it.
  const only = query.chain === 'x' ? assetId : null;
  const unspent = new Map<string, PastOutput>();
  for (const each of all) {
    if (each.createdOnChainId !== shownOn && each.consumedOnChainId !== shownOn) continue;
    const made = {
      chain: each.createdOnChainId,
      block: each.blockNumber === undefined ? null : Number(each.blockNumber),
      time: each.blockTimestamp ?? 0,
    };
    if (isPast(made, query, held)) unspent.set(each.utxoId, each);
    if (each.consumingTxHash === undefined || each.staked === true) continue;
    const block = each.consumingBlockNumber === undefined ? null : Number(each.consumingBlockNumber);
    const isUnknown = each.consumingBlockTimestamp === undefined;
    const gone = { chain: each.consumedOnChainId, block, time: each.consumingBlockTimestamp ?? 0 };
    if (isUnknown || isPast(gone, query, held)) unspent.delete(each.utxoId);
  }
  const least = Number(minUtxoAmount);
  const key = (each: PastOutput) => (sortBy === 'amount' ? Number(each.amount) : (each.blockTimestamp ?? 0));
  const sign = sortOrder === 'asc' ? 1 : -1;
  return [...unspent.values()]
    .filter((each) => addresses === null || addresses.some((owner) => each.addresses.includes(owner)))
    .filter((each) => Number(each.amount) >= least && (only === null || each.assetId === only))
    .sort((a, b) => sign * (key(a) - key(b) || (a.utxoId < b.utxoId ? -1 : 1)))
    .map(({ utxoId }) => utxoId);
}

/** The list's arguments without the paging ones and the network. */
function pastArguments({ chain, assetId, addresses, minUtxoAmount, ...query }: PastQuery): string {
  const { sortBy, sortOrder, asOf } = query;
  const [[member, value]] = Object.entries(asOf) as [[string, number]];
  return `blockchainId: "${chain}-chain", addresses: ${JSON.stringify(addresses)}, assetId: ${JSON.stringify(assetId)}, minUtxoAmount: "${minUtxoAmount}",
    sortBy: ${sortBy}, sortOrder: ${sortOrder}, asOf: { ${member}: ${value} }`;
}

/** The list of the network and that of its first address, with their further arguments: `first: 1) { … }`. */
export const ofQuery = (query: PastQuery) => (rest: string) =>
  `list: utxos(network: fuji, ${pastArguments(query)}, ${rest}`;
export const ofAddress = (query: PastQuery) => (rest: string) =>
  `of: address(network: fuji, address: "${query.addresses?.[0]}") { list: utxos(${pastArguments(query).replace(/addresses: \[[^\]]*\], /, '')}, ${rest} }`;

/** Imports outputs, each as one of the chain that it was made on. */
export async function importPast(storage: Storage, outputs: readonly PastOutput[]): Promise<void> {
  for (const chain of chains) {
    const made = outputs.filter((each) => each.createdOnChainId === blockchainIds.fuji[chain]);
    if (made.length > 0) await importRows(storage, `fuji.${chain}-chain.utxos`, made.map(rowOf));
  }
}

/** Imports a transaction of each of these blocks on each chain. */
export async function importBlocks(storage: Storage, numbers: readonly number[]): Promise<void> {
  const rows = (chain: string) =>
    numbers.map((number) =>
      transactionRow(`of block ${number} of ${chain}`, {
        blockNumber: String(number),
        blockTimestamp: timeOfBlock(number),
      }),
    );
  for (const chain of numbers.length > 0 ? chains : [])
    await importRows(storage, `fuji.${chain}-chain.transactions`, rows(chain));
}
