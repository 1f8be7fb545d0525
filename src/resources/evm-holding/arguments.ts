import { narrowing, optional } from '../../arguments/argument.js';
import type { Argument, ArgumentValues, Narrowing } from '../../arguments/argument.js';
import { evmAddressArgument } from '../../arguments/evm.js';
import { GIVEN_EVM_ADDRESS } from '../../avalanche/patterns.js';
import { badInput } from '../../errors.js';
import { checkDates, dates } from '../composite-query/parameter.js';

/** Most days of one list: a leap year. */
export const MOST_DAYS = 366;

const lastDate: Argument<number> = {
  ...dates.lastDate,
  description: `${dates.lastDate.description} At most ${MOST_DAYS} days from firstDate on.`,
  read: (name, value, earlier) => {
    const last = dates.lastDate.read(name, value, earlier);
    const first = earlier['firstDate'];
    checkDates({ firstDate: first, lastDate: last });
    if (typeof first === 'number' && last - first >= MOST_DAYS)
      throw badInput(
        `${name}: is ${last - first + 1} days from firstDate on; at most ${MOST_DAYS} are allowed`,
      );
    return last;
  },
};

/** The arguments of an EVM address's daily balances, without the address. */
export const dailyBalanceArguments = {
  contract: optional(
    evmAddressArgument(
      "Contract of the ERC-20 token, hex with 0x in any case. If omitted, the chain's own coin.",
    ),
  ),
  ...narrowing({ firstDate: dates.firstDate, lastDate }),
};

export type DailyBalanceNarrowing = Narrowing<typeof dailyBalanceArguments>;

/** The daily balances of an address on a chain; days are numbers, see day.ts. */
export interface DailyBalanceQuery extends ArgumentValues<typeof dailyBalanceArguments> {
  evmChainId: string;
  /** Hex with 0x. */
  address: string;
}

/** Most contracts by which a list of balances is narrowed. */
const MOST_CONTRACTS = 64;
const contract = evmAddressArgument('Contract.');

/** The arguments of an EVM address's balances of ERC-20 tokens, without the address. */
export const tokenBalanceArguments = narrowing({
  contractAddresses: optional<string[]>({
    type: ['String'],
    description: `Only tokens of these contracts, hex with 0x in any case; at most ${MOST_CONTRACTS}. If omitted, all. An empty list matches nothing.`,
    note: 'Comma-separated.',
    schema: { type: 'string', pattern: `^${GIVEN_EVM_ADDRESS}(?:,${GIVEN_EVM_ADDRESS})*$` },
    read: (name, value, earlier) => {
      const given = (value as unknown[]).map((each) => contract.read(name, each, earlier));
      const contracts = [...new Set(given)].sort();
      if (contracts.length > MOST_CONTRACTS)
        throw badInput(`${name}: ${contracts.length} are too many; at most ${MOST_CONTRACTS} in one request`);
      return contracts;
    },
  }),
});

export type TokenBalanceNarrowing = Narrowing<typeof tokenBalanceArguments>;

/** What an address has of tokens of a chain. */
export interface TokenBalanceQuery extends ArgumentValues<typeof tokenBalanceArguments> {
  evmChainId: string;
  /** Hex with 0x. */
  address: string;
}

/** The owners of a collection's NFTs. */
export interface CollectionOwnerQuery {
  evmChainId: string;
  /** Of the contract, hex with 0x. */
  address: string;
}
