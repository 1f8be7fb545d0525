import {
  erc20BalanceImport,
  nativeBalanceImport,
  nftHoldingImport,
} from '../../resources/evm-holding/import.js';
import type { EvmScope } from '../../write/scope.js';
import type { KindRows } from '../pipeline.js';
import type { TouchedOwner } from './touched.js';

/** What nodes say of addresses, in the order of these. */
export interface Balances {
  readonly accounts: readonly string[];
  /** Wei. */
  readonly balances: readonly bigint[];
  readonly owners: readonly TouchedOwner[];
  /** Null of a contract that does not say it. */
  readonly counts: readonly (bigint | null)[];
}

/** Each of these owners once. */
export const unionOf = (owners: readonly TouchedOwner[]): TouchedOwner[] => [
  ...new Map(owners.map((each) => [`${each.kind} ${each.contract} ${each.owner}`, each])).values(),
];

/** The balances of a day as rows, as files have them. @param time in the day, Unix seconds */
export function balanceRows(
  evmChainId: bigint,
  time: number,
  { accounts, balances, owners, counts }: Balances,
): KindRows[] {
  const scope: EvmScope<bigint> = { evmChainId };
  const date = new Date(time * 1000).toISOString().slice(0, 10);
  const counted = owners.flatMap(({ kind, contract: contractAddress, owner: address }, place) => {
    const count = counts[place];
    return count === null || count === undefined ? [] : [{ kind, contractAddress, address, count }];
  });
  const tokens = counted.filter(({ kind }) => kind === 'erc20');
  const nfts = counted.filter(({ kind }) => kind === 'nft');
  return [
    {
      kind: nativeBalanceImport.rows,
      scope,
      rows: accounts.map((address, place) => ({ date, address, balance: String(balances[place]) })),
    },
    {
      kind: erc20BalanceImport.rows,
      scope,
      rows: tokens.map(({ count, contractAddress, address }) => ({
        ...{ date, address, contractAddress, balance: String(count) },
      })),
    },
    {
      kind: nftHoldingImport.rows,
      scope,
      rows: nfts.map(({ count, contractAddress, address }) => ({
        ...{ date, address, contractAddress, tokenCount: String(count) },
      })),
    },
  ];
}
