import { createContextCache } from '@pothos/core';
import type { Context } from '../../graphql/context.js';
import { countLoader, pageLoader } from '../../graphql/page-loader.js';
import type { BalanceRow } from './row.js';
import { countBalances, listBalances, type BalancePage, type BalanceQuery } from './store.js';

/** Pages of the balances of addresses; cursors are row ids of assets. */
export const balancePageLoader = createContextCache(({ storage }: Context) =>
  pageLoader<BalancePage, BalanceRow>(
    () => '',
    (pages) => listBalances(storage, pages),
  ),
);

/** Numbers of the assets that addresses have had. */
export const balanceCounter = createContextCache((context: Context) =>
  countLoader<BalanceQuery>(
    context,
    ({ network, address, chain }) => `${network}:${address}:${chain}`,
    () => '',
    (queries, most) => countBalances(context.storage, queries, most),
  ),
);
