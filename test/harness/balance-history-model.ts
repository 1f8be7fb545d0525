import fc from 'fast-check';
import { nativeAssetIds } from '../../src/avalanche/networks.js';
import type { Storage } from '../../src/storage/open.js';
import { addressOf, idOf, utxoRow } from './ledger-rows.js';
import { importRows } from './seed.js';

/** Seconds of the day from which days are counted. */
export const FIRST = Date.UTC(2026, 0, 1) / 1000;
export const DAY = 86_400;
/** `YYYY-MM-DD` of a day. */
export const dateOf = (day: number) => new Date((FIRST + day * DAY) * 1000).toISOString().slice(0, 10);
export const owners = ['anna', 'ben', 'cleo'].map((name) => addressOf(name, 'fuji'));
export const avax = nativeAssetIds.fuji;
const assets = [avax, idOf('another asset')];

export interface Output {
  addresses: string[];
  assetId: string;
  amount: string;
  /** Seconds; null where unknown. */
  made: number | null;
  /** Whether it was spent, and when. */
  spent: { at: number | null } | null;
}

const moment = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom(0, 7, DAY - 1))
  .map(([day, second]) => FIRST + day * DAY + second);
export const outputs = fc.array(
  fc.record({
    addresses: fc.subarray(owners.slice(0, 2), { minLength: 1 }),
    assetId: fc.constantFrom(avax, ...assets),
    amount: fc.constantFrom('1', '5', (2n ** 64n - 1n).toString()),
    made: fc.option(moment, { freq: 8 }),
    spent: fc.option(fc.record({ at: fc.option(moment, { freq: 8 }) })),
  }),
  { maxLength: 40, size: 'max' },
);
export const queries = fc
  .record({
    address: fc.constantFrom(...owners),
    assetId: fc.constantFrom(null, ...assets),
    days: fc.tuple(fc.integer({ min: -3, max: 60 }), fc.integer({ min: -3, max: 60 })),
    pageSize: fc.integer({ min: 3, max: 40 }),
    direction: fc.constantFrom('forward' as const, 'backward' as const),
  })
  .map(({ days, ...each }) => ({ ...each, first: Math.min(...days), last: Math.max(...days) }));
export type Query = typeof queries extends fc.Arbitrary<infer T> ? T : never;

/** The same a hundred days later. */
export function later({ made, spent, ...output }: Output): Output {
  const shift = 100 * DAY;
  const at = spent?.at ?? null;
  return {
    ...output,
    made: made === null ? null : made + shift,
    spent: spent && { at: at === null ? null : at + shift },
  };
}

/** Every day with what came, what went and what was there at its end, by looking at every output for each. */
export function historyOf(all: readonly Output[], { address, assetId, first, last }: Query): string[] {
  const own = all
    .filter((each) => each.addresses.includes(address) && each.assetId === (assetId ?? avax))
    .map(({ amount, made, spent }) => {
      const created = made ?? 0;
      return { amount: BigInt(amount), created, gone: spent && Math.max(created, spent.at ?? 0) };
    });
  const days = Array.from({ length: last - first + 1 }, (_, index) => FIRST + (first + index) * DAY);
  const sumOf = (some: typeof own) => some.reduce((sum, { amount }) => sum + amount, 0n);
  return days.flatMap((start) => {
    const end = start + DAY;
    const isOf = (time: number) => time >= start && time < end;
    const known = own.filter(({ created }) => created < end);
    if (known.length === 0) return [];
    const received = sumOf(own.filter(({ created }) => isOf(created)));
    const sent = sumOf(own.filter(({ gone }) => gone !== null && isOf(gone)));
    const balance = sumOf(known.filter(({ gone }) => gone === null || gone >= end));
    return [`${start} ${received} ${sent} ${balance}`];
  });
}

export const importOutputs = (storage: Storage, label: string, all: readonly Output[]) =>
  importRows(
    storage,
    'fuji.p-chain.utxos',
    all.map(({ addresses, assetId, amount, made, spent }, index) =>
      utxoRow(
        `${label} ${index}`,
        {
          addresses,
          assetId,
          amount,
          ...(made !== null && { blockTimestamp: made }),
          ...(spent && { consumingTxHash: idOf('spender'), staked: false }),
          ...(spent && spent.at !== null && { consumingBlockTimestamp: spent.at }),
        },
        'fuji',
      ),
    ),
  );
