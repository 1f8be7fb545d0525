import fc from 'fast-check';
import type { Storage } from '../../src/storage/open.js';
import { addressOf, dateOf, FIRST_DAY, type SubQueryBody } from './composite.js';
import { importRows } from './import-rows.js';

/** Days of a history, and later ones. */
export const DAYS = 8;
export const CONTRACTS = [addressOf(0xa0), addressOf(0xb0)];

type Kind = 'native' | 'erc20' | 'nft';
export interface Row {
  kind: Kind;
  contract: string;
  address: string;
  day: number;
  amount: number;
}

const row: fc.Arbitrary<Row> = fc
  .record({
    kind: fc.constantFrom<Kind>('native', 'erc20', 'nft'),
    contract: fc.constantFrom(...CONTRACTS),
    address: fc.integer({ min: 1, max: 14 }).map(addressOf),
    day: fc.nat(DAYS - 1),
    amount: fc.nat(4),
  })
  .map((each) => (each.kind === 'native' ? { ...each, contract: '' } : each));

/** Rows in batches, in the order in which they are imported. */
export const history = fc.array(fc.array(row, { minLength: 1, maxLength: 30 }), {
  minLength: 1,
  maxLength: 4,
});

const days = fc
  .tuple(fc.nat(DAYS), fc.nat(DAYS))
  .map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }));

export interface Question {
  type: string;
  kind: Kind;
  contract: string;
  first: number;
  last: number;
  least: number;
  byTimestamps: boolean;
}

const question: fc.Arbitrary<Question> = fc
  .record({
    type: fc.constantFrom(
      'AllTimeNativeBalance',
      'AnyTimeNativeBalance',
      'AllTimeErc20Balance',
      'AnyTimeErc20Balance',
      'AllTimeNftHolders',
      'AnyTimeNftHolders',
      'LatestBalance',
    ),
    days,
    contract: fc.constantFrom(...CONTRACTS),
    least: fc.nat(5),
    ofToken: fc.boolean(),
    byTimestamps: fc.boolean(),
  })
  .map(({ type, days: { first, last }, contract, least, ofToken, byTimestamps }) => {
    const kind: Kind =
      type.includes('Erc20') || (type === 'LatestBalance' && ofToken)
        ? 'erc20'
        : type.includes('Nft')
          ? 'nft'
          : 'native';
    return {
      type,
      kind,
      first,
      last,
      byTimestamps,
      contract: kind === 'native' ? '' : contract,
      least: kind === 'nft' ? 1 : least,
    };
  });

/** What one query asks. */
export const questions = fc.array(question, { minLength: 1, maxLength: 10 });

/** The rules of the contract, address by address and day by day. */
export function matches(rows: readonly Row[], asked: Question): Set<string> {
  const own = rows.filter(({ kind, contract }) => kind === asked.kind && contract === asked.contract);
  const found = new Set<string>();
  for (const address of new Set(own.map((each) => each.address))) {
    const amounts = new Map(
      own.filter((each) => each.address === address).map((each) => [each.day, each.amount]),
    );
    const heldOn = (day: number) => {
      for (let earlier = day; earlier >= 0; earlier -= 1)
        if (amounts.has(earlier)) return amounts.get(earlier) ?? 0;
      return 0;
    };
    const range = Array.from({ length: asked.last - asked.first + 1 }, (_, index) =>
      heldOn(asked.first + index),
    );
    const passes = (amount: number) => amount >= asked.least;
    const held = asked.type.startsWith('All')
      ? range.every(passes)
      : asked.type.startsWith('Any')
        ? range.some(passes)
        : passes(heldOn(DAYS));
    if (held) found.add(address);
  }
  return found;
}

/** The sub-query that asks it of a chain. */
export function toBody(chain: number, asked: Question, id: string): SubQueryBody {
  const { type, kind, contract, least } = asked;
  const seconds = (day: number, ofDay: number) => (FIRST_DAY + day) * 86_400 + ofDay;
  const range =
    asked.byTimestamps && kind === 'nft'
      ? { startTs: seconds(asked.first, 5), endTs: seconds(asked.last, 86_000) }
      : { firstDate: dateOf(asked.first), lastDate: `${dateOf(asked.last)}T23:30:00Z` };
  return {
    id,
    type,
    params: {
      evmChainId: String(chain),
      ...(type === 'LatestBalance' ? { tokenType: kind === 'erc20' ? 'ERC20' : 'NATIVE' } : range),
      ...(kind !== 'native' && { contractAddress: contract }),
      ...(kind !== 'nft' && { minBalance: String(least) }),
    },
  };
}

/** Imports a history as that of a chain, and returns the rows that count. */
export async function importHistory(
  storage: Storage,
  chain: number,
  batches: readonly Row[][],
): Promise<Row[]> {
  for (const batch of batches) {
    for (const kind of ['native', 'erc20', 'nft'] as const) {
      const rows = batch
        .filter((each) => each.kind === kind)
        .map(({ address, contract: contractAddress, day, amount }) => ({
          date: dateOf(day),
          address,
          ...(kind !== 'native' && { contractAddress }),
          ...(kind === 'nft' ? { tokenCount: amount } : { balance: String(amount) }),
        }));
      const name = { native: 'native-balances', erc20: 'erc20-balances', nft: 'nft-holdings' }[kind];
      await importRows(storage, `evm.${chain}.${name}`, rows);
    }
  }
  // Of two rows of one day the later one counts.
  const last = new Map(
    batches.flat().map((each) => [`${each.kind}${each.contract}${each.address}:${each.day}`, each]),
  );
  return [...last.values()];
}
