import { idOf } from './ledger-rows.js';
import type { PlatformTx } from './platform-model.js';

/** What a list of transactions that name something is filtered by, beside its pages. */
interface NamingFilters {
  txType: string | null;
  since: number | null;
  until: number | null;
}

/** That list, and what is expected of it: of these transactions, in their order, those that pass. */
export function namingList<Page>(
  { txType, since, until, ...page }: NamingFilters & Page,
  all: readonly PlatformTx[],
) {
  const expected = all
    .filter((each) => txType === null || each.txType === txType)
    .filter((each) => since === null || each.blockTimestamp >= since)
    .filter((each) => until === null || each.blockTimestamp < until)
    .map(({ name }) => idOf(name));
  return {
    field: `transactions(txType: ${txType}, since: ${since}, until: ${until}`,
    ...{ key: 'txHash', expected, ...page },
  };
}
