import type { Erc20BalanceLine, NativeBalanceLine } from '../src/resources/evm-holding/import.js';
import { account, stablecoin, wrappedAvax, type Token } from './evm-parties.js';
import { seededRandom, type Random } from './random.js';

const NATIVE_HOLDERS = 320;
const TOKEN_HOLDERS = 160;

/** The thirty days with known balances, as `YYYY-MM-DD`, in order. */
export const balanceDays: readonly string[] = Array.from({ length: 30 }, (_, index) =>
  new Date(Date.UTC(2026, 9, 1 + index)).toISOString().slice(0, 10),
);

/** Native balances of the fuji C-chain in wei: a row only on the days on which a balance changed. */
export function* makeNativeBalances(): Iterable<NativeBalanceLine> {
  const random = seededRandom('native balances');
  for (let number = 0; number < NATIVE_HOLDERS; number++) {
    const { address } = account(number);
    for (const { date, balance } of changes(random, 18)) yield { date, address, balance };
  }
}

/** Balances of two tokens, in the same way. */
export function* makeErc20Balances(): Iterable<Erc20BalanceLine> {
  for (const token of [wrappedAvax, stablecoin]) yield* tokenBalances(token);
}

function* tokenBalances({ address: contractAddress, symbol, decimals }: Token): Iterable<Erc20BalanceLine> {
  const random = seededRandom(`balances of ${symbol}`);
  for (let number = 0; number < TOKEN_HOLDERS; number++) {
    const { address } = account(number);
    for (const { date, balance } of changes(random, decimals))
      yield { date, contractAddress, address, balance };
  }
}

/** The balances of one holder: most are there from the first day, some appear later, some run empty. */
function* changes(random: Random, decimals: number): Iterable<{ date: string; balance: string }> {
  const unit = 10n ** BigInt(decimals - 6);
  const first = random.chance(0.75) ? 0 : random.int(1, balanceDays.length - 1);
  let before: bigint | null = null;
  for (const [index, date] of balanceDays.entries()) {
    if (index < first || (index > first && !random.chance(0.15))) continue;
    const balance = random.chance(0.05) ? 0n : BigInt(Math.round(10 ** (4 + 6 * random.next()))) * unit;
    if (balance === before || (before === null && balance === 0n)) continue;
    before = balance;
    yield { date, balance: balance.toString() };
  }
}
