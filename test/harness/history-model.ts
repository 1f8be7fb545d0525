import fc from 'fast-check';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { blockchainIds, type PrimaryChain } from '../../src/avalanche/networks.js';
import type { Storage } from '../../src/storage/open.js';
import { addressOf, idOf, transactionRow, utxoRow } from './ledger-rows.js';
import { importRows } from './seed.js';

export const owners = ['anna', 'ben', 'carl', 'dora'].map((name) => addressOf(name, 'fuji'));
export const chains = ['p', 'x', 'c'] as const;
const types = ['ImportTx', 'ExportTx'] as const;
// Few different ones, because equal times are common on a real chain.
const moments = [0, 1_700_000_000, 1_700_000_001, 4_294_967_296] as const;
/** Blocks of every chain: some in one second, and none before an earlier one. */
export const blocks = [
  { blockNumber: '0', blockTimestamp: moments[0] },
  { blockNumber: '7', blockTimestamp: moments[1] },
  { blockNumber: '8', blockTimestamp: moments[1] },
  { blockNumber: '9', blockTimestamp: moments[2] },
  { blockNumber: '18446744073709551615', blockTimestamp: moments[3] },
] as const;
const bounds = [...blocks.map(({ blockNumber }) => blockNumber), '5', '10'];
export const nodes = [1, 2].map((fill) => `NodeID-${encodeCb58(new Uint8Array(20).fill(fill))}`);
const subnets = ['first', 'second'].map((name) => idOf(`subnet ${name}`));
/** One of some, or more often null: several filters at once leave few rows each. */
const option = <T>(some: readonly T[]) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom(...some) });

/** A transaction that emitted an output of each of some owners, and consumed one of each of others. */
export interface Transfer {
  name: string;
  chain: PrimaryChain;
  txType: string;
  blockTimestamp: number;
  blockNumber?: string | null;
  /** Not given: as blockHash makes it. */
  blockHash?: string;
  /** In its block, as a follower knows it. */
  position?: number | null;
  nodeId?: string | null;
  subnetId?: string | null;
  to: string[];
  from: string[];
}

/** @param label makes transfers differ from those of other labels */
export const transfer = (label: string) =>
  fc
    .record({
      chain: fc.constantFrom(...chains),
      txType: fc.constantFrom(...types),
      block: fc.oneof(
        fc.constantFrom(...blocks),
        fc.record({ blockNumber: fc.constant(null), blockTimestamp: fc.constantFrom(...moments) }),
      ),
      nodeId: fc.constantFrom(...nodes, null),
      subnetId: fc.constantFrom(...subnets, null),
      isPositioned: fc.boolean(),
      to: fc.subarray(owners, { maxLength: 2 }),
      from: fc.subarray(owners, { maxLength: 2 }),
    })
    .map(({ block, ...fields }): Transfer & { isPositioned: boolean } => ({
      ...fields,
      ...block,
      name: label,
    }));

export const transfers = fc.array(transfer(''), { maxLength: 40 }).map((all) =>
  all.map(({ isPositioned, ...each }, index): Transfer => ({
    ...each,
    name: `transfer ${index}`,
    position: isPositioned ? index : null,
  })),
);

/** Any history that a query may read, and any way to iterate it. */
export const historyQuery = fc
  .record({
    chain: option(chains),
    type: fc.oneof(
      fc.record({ txType: option(types), txTypes: fc.constantFrom<(string[] | null)[]>(null, null, []) }),
      fc.record({ txType: fc.constant(null), txTypes: fc.subarray([...types, 'BaseTx']) }),
    ),
    since: option(moments),
    until: option(moments),
    startBlock: option(bounds),
    endBlock: option(bounds),
    pageSize: fc.integer({ min: 1, max: 7 }),
    direction: fc.constantFrom('forward' as const, 'backward' as const),
  })
  // Blocks are of one chain.
  .map(({ type, ...query }) => ({
    ...query,
    ...type,
    ...(query.chain === null && { startBlock: null, endBlock: null }),
  }));
export type HistoryFilters = typeof historyQuery extends fc.Arbitrary<infer T> ? T : never;

/** The arguments of a chain's transactions in addition to the filters of histories. */
export const namedIds = fc.record({ nodeId: option(nodes), subnetId: option(subnets) });
export type NamedIds = typeof namedIds extends fc.Arbitrary<infer T> ? T : never;

/** Hashes of the history of these addresses, or of all transactions (null), by looking at each. */
export function historyOf(
  all: readonly Transfer[],
  addresses: readonly string[] | null,
  { chain, txType, txTypes, since, until, startBlock, endBlock, ...rest }: HistoryFilters & Partial<NamedIds>,
): string[] {
  const { nodeId = null, subnetId = null } = rest;
  const found = all
    .filter((each) => !addresses || [...each.to, ...each.from].some((owner) => addresses.includes(owner)))
    .filter((each) => chain === null || each.chain === chain)
    .filter((each) => txType === null || each.txType === txType)
    .filter((each) => txTypes === null || txTypes.includes(each.txType))
    .filter((each) => nodeId === null || each.nodeId === nodeId)
    .filter((each) => subnetId === null || each.subnetId === subnetId)
    .filter((each) => since === null || each.blockTimestamp >= since)
    .filter((each) => until === null || each.blockTimestamp < until)
    .filter(({ blockNumber: number }) => {
      if (startBlock === null && endBlock === null) return true;
      if (number === undefined || number === null) return false;
      if (startBlock !== null && BigInt(number) < BigInt(startBlock)) return false;
      return endBlock === null || BigInt(number) < BigInt(endBlock);
    })
    .map((each) => ({ hash: idOf(each.name), order: orderOf(each) }));
  found.sort((a, b) => (a.order < b.order ? 1 : -1));
  return found.map(({ hash }) => hash);
}

/** A text by which transfers sort, the newest last. */
export function orderOf({ name, blockTimestamp, blockNumber = null, position = null }: Transfer): string {
  const number = (value: number | string) => String(value).padStart(20, '0');
  // Without a block before those with one, and in a block without a position after those with one.
  const block = blockNumber === null ? '' : number(blockNumber);
  const inBlock = blockNumber === null ? '' : position === null ? '~' : number(position);
  return [number(blockTimestamp), block, inBlock, idOf(name)].join(' ');
}

/** The arguments of a history's field without its addresses. */
export function historyArguments(filters: HistoryFilters & Partial<NamedIds>): string {
  const { chain, txType, txTypes, since, until, startBlock, endBlock, nodeId, subnetId } = filters;
  const given = {
    blockchainId: chain === null ? 'null' : `"${chain}-chain"`,
    txType,
    since,
    until,
    startBlock,
    endBlock,
    ...(txTypes && { txTypes: `[${txTypes.join(', ')}]` }),
    ...(nodeId && { nodeId: `"${nodeId}"` }),
    ...(subnetId && { subnetId: `"${subnetId}"` }),
  };
  return Object.entries(given)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}

export async function importTransfers(storage: Storage, all: readonly Transfer[]): Promise<void> {
  for (const chain of chains) {
    const rows = all.filter((each) => each.chain === chain).map(rowOf);
    await importRows(storage, `fuji.${chain}-chain.transactions`, rows);
  }
}

/** The hash of a block. */
export function blockHash(chain: PrimaryChain, number: string): string {
  return idOf(`block ${number} of ${chain}`);
}

function rowOf({ name, chain, to, from, ...fields }: Transfer): object {
  const outputs = (side: string, addresses: readonly string[]) =>
    addresses.map((owner) => {
      const position = {
        createdOnChainId: blockchainIds.fuji[chain],
        consumedOnChainId: blockchainIds.fuji[chain],
      };
      return utxoRow(`${side} ${owner} of ${name}`, { addresses: [owner], ...position }, 'fuji');
    });
  return transactionRow(name, {
    ...(fields.blockNumber && { blockHash: blockHash(chain, fields.blockNumber) }),
    ...fields,
    emittedUtxos: outputs('to', to),
    consumedUtxos: outputs('from', from),
  });
}
