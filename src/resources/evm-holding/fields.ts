import { DAY_SECONDS } from '../../avalanche/seconds.js';
import { digits, evmAddress, is, plain, whole, type Fields, type NodeOf } from '../../fields/field.js';

const dayStart = (day: string) => `${day}::bigint * ${DAY_SECONDS}`;

/** The fields of a balance on a day, over days `d` and their balances. */
export const dailyBalanceFields = {
  timestamp: {
    sql: dayStart('d.day'),
    ...is(whole, 'The day, as Unix seconds of its beginning (00:00 UTC)'),
  },
  balance: { sql: 'd.balance', ...is(digits, 'The balance, in the smallest unit (wei for a coin)') },
} satisfies Fields;

export type DailyBalanceNode = NodeOf<typeof dailyBalanceFields>;

/** The fields of what an address has of a token now, over `evm_holding h` and `evm_balance b`. */
export const tokenBalanceFields = {
  contract: {
    sql: "'0x' || encode(h.contract, 'hex')",
    ...is(evmAddress, "The token's contract, hex with the mixed case of EIP-55"),
  },
  balance: { sql: 'b.balance', ...is(digits, 'The newest known balance, in the smallest unit; never 0') },
  since: {
    sql: dayStart('b.day'),
    ...is(whole, 'The day from which it applies, as Unix seconds of its beginning (00:00 UTC)'),
  },
} satisfies Fields;

export type TokenBalanceNode = NodeOf<typeof tokenBalanceFields>;

/** The fields of an owner of NFTs, over `evm_address a`, `evm_holding h` and the keys `page` of its list. */
export const collectionOwnerFields = {
  evmChainId: { sql: 'h.evm_chain_id', ...is(plain, 'EVM chain id, decimal'), graphql: false },
  address: { sql: 'a.checksummed', ...is(plain, 'The owner, hex with the mixed case of EIP-55') },
  tokenCount: { sql: 'page.k1', ...is(digits, 'Number of NFTs of the collection that it owns') },
  since: {
    sql: dayStart('page.day'),
    ...is(
      whole,
      'Day from which this count applies, as Unix seconds of its beginning (00:00 UTC): the newest day with a count, imported or followed',
    ),
  },
} satisfies Fields;

export type CollectionOwnerNode = NodeOf<typeof collectionOwnerFields>;
