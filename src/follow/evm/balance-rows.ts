import {
  erc20BalanceImport,
  nativeBalanceImport,
  nftHoldingImport,
  ofUnknownDays,
} from '../../resources/evm-holding/import.js';
import type { EvmScope } from '../../write/scope.js';
import type { KindRows } from '../pipeline.js';
import { dateOf } from './day-end.js';
import type { TouchedId, TouchedOwner } from './touched.js';

/** What nodes say of addresses, in the order of these. */
export interface Balances {
  readonly accounts: readonly string[];
  /** Wei. */
  readonly balances: readonly bigint[];
  readonly owners: readonly TouchedOwner[];
  /** Null of a contract that does not say it. */
  readonly counts: readonly (bigint | null)[];
}

/** The owners without repeats. */
export const unionOf = (owners: readonly TouchedOwner[]): TouchedOwner[] =>
  once(owners, ({ kind, contract, owner }) => `${kind} ${contract} ${owner}`);

/** The ids of owners without repeats. */
export const unionOfIds = (ids: readonly TouchedId[]): TouchedId[] =>
  once(ids, ({ contract, owner, tokenId }) => `${contract} ${owner} ${tokenId}`);

const once = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => [
  ...new Map(items.map((each) => [keyOf(each), each])).values(),
];

/**
 * The balances of a day as rows, as files have them.
 *
 * @param day counted from 1970 (UTC)
 * @param mayBeOld whether newer ones of the day may be stored, which count
 */
export function balanceRows(
  evmChainId: bigint,
  day: number,
  { accounts, balances, owners, counts }: Balances,
  mayBeOld: boolean,
): KindRows[] {
  const scope: EvmScope<bigint> = { evmChainId };
  const kindOf = ({ rows }: typeof nativeBalanceImport) => (mayBeOld ? ofUnknownDays(rows) : rows);
  const date = dateOf(day);
  const counted = owners.flatMap(({ kind, contract: contractAddress, owner: address }, index) => {
    const count = counts[index];
    return count === null || count === undefined ? [] : [{ kind, contractAddress, address, count }];
  });
  const tokens = counted.filter(({ kind }) => kind === 'erc20');
  const nfts = counted.filter(({ kind }) => kind === 'nft');
  return [
    {
      kind: kindOf(nativeBalanceImport),
      scope,
      rows: accounts.map((address, index) => ({ date, address, balance: String(balances[index]) })),
    },
    {
      kind: kindOf(erc20BalanceImport),
      scope,
      rows: tokens.map(({ count, contractAddress, address }) => ({
        date,
        address,
        contractAddress,
        balance: String(count),
      })),
    },
    {
      kind: kindOf(nftHoldingImport),
      scope,
      rows: nfts.map(({ count, contractAddress, address }) => ({
        date,
        address,
        contractAddress,
        tokenCount: String(count),
      })),
    },
  ];
}
