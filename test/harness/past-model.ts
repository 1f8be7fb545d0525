import fc from 'fast-check';
import { blockchainIds } from '../../src/avalanche/networks.js';
import type { Storage } from '../../src/storage/open.js';
import { addressOf, idOf, transactionRow, utxoRow } from './ledger-rows.js';
import { importRows } from './seed.js';

/** What of the past an output's row tells. */
export interface PastOutput {
  utxoId: string;
  addresses: string[];
  amount: string;
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
const { p, x } = blockchainIds.fuji;

/** The time of a block: two in each second, and ties are the rule. */
export const timeOfBlock = (number: number) => 1_700_000_000 + Math.floor(number / 2);
export const LAST_BLOCK = 20;

const block = fc.integer({ min: 0, max: LAST_BLOCK });
const event = fc.option(fc.record({ number: block, isNumbered: fc.boolean() }), { nil: null, freq: 6 });

const output = fc.record({
  addresses: fc.subarray(pastOwners, { minLength: 1 }),
  amount: fc.constantFrom('0', '1', '7', '1000'),
  chains: fc.constantFrom([p, p], [p, p], [p, x], [x, p]),
  staked: fc.constantFrom(undefined, false, false, true),
  created: event,
  isSpent: fc.boolean(),
  spent: event,
});

/** Outputs with what is held of their creation and spending, some of it unknown. */
export const pastOutputs = (label: string, maxLength: number, minLength = 1) =>
  fc.array(output, { minLength, maxLength, size: 'max' }).map((all) =>
    all.map(({ addresses, amount, chains, staked, created, isSpent, spent }, index): PastOutput => {
      const made = created && {
        blockTimestamp: timeOfBlock(created.number),
        ...(created.isNumbered && { blockNumber: String(created.number) }),
      };
      const gone = spent && {
        consumingBlockTimestamp: timeOfBlock(spent.number),
        ...(spent.isNumbered && { consumingBlockNumber: String(spent.number) }),
      };
      return {
        utxoId: idOf(`${label} ${index}`),
        ...{
          addresses,
          amount,
          createdOnChainId: chains[0],
          consumedOnChainId: chains[1],
        },
        ...(staked !== undefined && { staked }),
        ...made,
        ...(isSpent && { consumingTxHash: idOf(`spender of ${label} ${index}`), ...gone }),
      };
    }),
  );

const rowOf = ({ utxoId, ...fields }: PastOutput) => ({
  ...utxoRow('', fields, 'fuji'),
  utxoId,
});

/** Any list of the P-chain's past that may be asked for. */
export const pastQuery = fc.record({
  addresses: fc.subarray(pastOwners),
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
  /** Of the P-chain, where it is known. */
  block: number | null;
  time: number;
}

/** Whether it happened up to the moment; `held` are the blocks of which transactions are held, ascending. */
function isPast({ chain, block, time }: Event, asOf: PastQuery['asOf'], held: readonly number[]): boolean {
  if ('time' in asOf) return time <= asOf.time;
  if (chain === p && block !== null) return block <= asOf.block;
  const newest = held.filter((number) => number <= asOf.block).at(-1);
  return time <= (newest === undefined ? 0 : timeOfBlock(newest));
}

/**
 * The ids of the outputs that were unspent: the events of each are played in turn, up to the moment.
 *
 * @param held numbers of the P-chain's blocks of which transactions are held, ascending
 */
export function unspentAt(all: readonly PastOutput[], query: PastQuery, held: readonly number[]): string[] {
  const { asOf, addresses, minUtxoAmount, sortBy, sortOrder } = query;
  const unspent = new Map<string, PastOutput>();
  for (const each of all) {
    if (each.createdOnChainId !== p && each.consumedOnChainId !== p) continue;
    const made = {
      chain: each.createdOnChainId,
      block: each.blockNumber === undefined ? null : Number(each.blockNumber),
      time: each.blockTimestamp ?? 0,
    };
    if (isPast(made, asOf, held)) unspent.set(each.utxoId, each);
    if (each.consumingTxHash === undefined || each.staked === true) continue;
    const block = each.consumingBlockNumber === undefined ? null : Number(each.consumingBlockNumber);
    const isUnknown = each.consumingBlockTimestamp === undefined;
    const gone = { chain: each.consumedOnChainId, block, time: each.consumingBlockTimestamp ?? 0 };
    if (isUnknown || isPast(gone, asOf, held)) unspent.delete(each.utxoId);
  }
  const least = Number(minUtxoAmount);
  const key = (each: PastOutput) => (sortBy === 'amount' ? Number(each.amount) : (each.blockTimestamp ?? 0));
  const sign = sortOrder === 'asc' ? 1 : -1;
  return [...unspent.values()]
    .filter((each) => addresses.length === 0 || addresses.some((owner) => each.addresses.includes(owner)))
    .filter((each) => Number(each.amount) >= least)
    .sort((a, b) => sign * (key(a) - key(b) || (a.utxoId < b.utxoId ? -1 : 1)))
    .map(({ utxoId }) => utxoId);
}

/** The list's arguments but the paging ones, beside the network. */
function pastArguments({ addresses, minUtxoAmount, sortBy, sortOrder, asOf }: PastQuery): string {
  const [[member, value]] = Object.entries(asOf) as [[string, number]];
  return `blockchainId: "p-chain", addresses: ${JSON.stringify(addresses)}, minUtxoAmount: "${minUtxoAmount}",
    sortBy: ${sortBy}, sortOrder: ${sortOrder}, asOf: { ${member}: ${value} }`;
}

/** The list of the network and that of its first address, with their further arguments: `first: 1) { … }`. */
export const ofQuery = (query: PastQuery) => (rest: string) =>
  `list: utxos(network: fuji, ${pastArguments(query)}, ${rest}`;
export const ofAddress = (query: PastQuery) => (rest: string) =>
  `of: address(network: fuji, address: "${query.addresses[0]}") { list: utxos(${pastArguments(query).replace(/addresses: \[[^\]]*\], /, '')}, ${rest} }`;

export const importPast = (storage: Storage, outputs: readonly PastOutput[]) =>
  importRows(storage, 'fuji.p-chain.utxos', outputs.map(rowOf));

/** Imports a transaction of each of these blocks. */
export const importBlocks = (storage: Storage, numbers: readonly number[]) =>
  importRows(
    storage,
    'fuji.p-chain.transactions',
    numbers.map((number) =>
      transactionRow(`of block ${number}`, {
        blockNumber: String(number),
        blockTimestamp: timeOfBlock(number),
      }),
    ),
  );
