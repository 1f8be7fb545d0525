import fc from 'fast-check';
import { blockchainIds, type PrimaryChain } from '../../src/avalanche/networks.js';
import type { Storage } from '../../src/storage/open.js';
import { addressOf, idOf, transactionRow, utxoRow } from './ledger-rows.js';
import { importRows } from './seed.js';

export const owners = ['anna', 'ben', 'carl', 'dora'].map((name) => addressOf(name, 'fuji'));
const chains = ['p', 'x', 'c'] as const;
const types = ['ImportTx', 'ExportTx'] as const;
// Few different ones: ties are the rule on a real chain.
const moments = [0, 1_700_000_000, 1_700_000_001, 4_294_967_296] as const;

/** A transaction that emitted an output of each of some owners, and consumed one of each of others. */
export interface Transfer {
  name: string;
  chain: PrimaryChain;
  txType: string;
  blockTimestamp: number;
  to: string[];
  from: string[];
}

/** @param label told apart from the transfers of other labels */
export const transfer = (label: string) =>
  fc
    .record({
      chain: fc.constantFrom(...chains),
      txType: fc.constantFrom(...types),
      blockTimestamp: fc.constantFrom(...moments),
      to: fc.subarray(owners, { maxLength: 2 }),
      from: fc.subarray(owners, { maxLength: 2 }),
    })
    .map((fields): Transfer => ({ ...fields, name: label }));

export const transfers = fc
  .array(transfer(''), { maxLength: 40 })
  .map((all) => all.map((each, index) => ({ ...each, name: `transfer ${index}` })));

/** Any history that may be asked for, and how it is walked. */
export const historyQuery = fc.record({
  chain: fc.option(fc.constantFrom(...chains), { nil: null }),
  txType: fc.option(fc.constantFrom(...types), { nil: null }),
  since: fc.option(fc.constantFrom(...moments), { nil: null }),
  until: fc.option(fc.constantFrom(...moments), { nil: null }),
  pageSize: fc.integer({ min: 1, max: 7 }),
  direction: fc.constantFrom('forward' as const, 'backward' as const),
});
export type HistoryFilters = typeof historyQuery extends fc.Arbitrary<infer T> ? T : never;

/** Hashes of the history of these addresses, or of all transactions (null), by looking at each. */
export function historyOf(
  all: readonly Transfer[],
  addresses: readonly string[] | null,
  { chain, txType, since, until }: Omit<HistoryFilters, 'pageSize' | 'direction'>,
): string[] {
  const found = all
    .filter((each) => !addresses || [...each.to, ...each.from].some((owner) => addresses.includes(owner)))
    .filter((each) => chain === null || each.chain === chain)
    .filter((each) => txType === null || each.txType === txType)
    .filter((each) => since === null || each.blockTimestamp >= since)
    .filter((each) => until === null || each.blockTimestamp < until)
    .map(({ name, blockTimestamp }) => ({ hash: idOf(name), blockTimestamp }));
  found.sort((a, b) => b.blockTimestamp - a.blockTimestamp || (a.hash < b.hash ? 1 : -1));
  return found.map(({ hash }) => hash);
}

/** The arguments of a history's field beside its addresses. */
export function historyArguments({ chain, txType, since, until }: HistoryFilters): string {
  const blockchainId = chain === null ? 'null' : `"${chain}-chain"`;
  return `blockchainId: ${blockchainId}, txType: ${txType}, since: ${since}, until: ${until}`;
}

export async function importTransfers(storage: Storage, all: readonly Transfer[]): Promise<void> {
  for (const chain of chains) {
    const rows = all.filter((each) => each.chain === chain).map(rowOf);
    await importRows(storage, `fuji.${chain}-chain.transactions`, rows);
  }
}

function rowOf({ name, chain, to, from, ...fields }: Transfer): object {
  const outputs = (side: string, addresses: readonly string[]) =>
    addresses.map((owner) => {
      const place = {
        createdOnChainId: blockchainIds.fuji[chain],
        consumedOnChainId: blockchainIds.fuji[chain],
      };
      return utxoRow(`${side} ${owner} of ${name}`, { addresses: [owner], ...place }, 'fuji');
    });
  return transactionRow(name, {
    ...fields,
    emittedUtxos: outputs('to', to),
    consumedUtxos: outputs('from', from),
  });
}
