import fc from 'fast-check';
import { idOf } from './ledger-rows.js';
import { moments, types, type PlatformTx } from './platform-model.js';

/** The filters of a list of transactions that refer to an object, without its pages. */
interface ReferenceFilters {
  type: { txType: string | null; txTypes: string[] | null };
  since: number | null;
  until: number | null;
}

/** Arbitrary filters, members of a record; the types with some that nothing has. */
export const referenceFilters = {
  type: fc.oneof(
    fc.record({
      txType: fc.option(fc.constantFrom<string>(...types), { nil: null }),
      txTypes: fc.constantFrom<(string[] | null)[]>(null, null, []),
    }),
    fc.record({ txType: fc.constant(null), txTypes: fc.subarray([...types, 'ImportTx', 'UNKNOWN']) }),
  ),
  since: fc.option(fc.constantFrom(...moments), { nil: null }),
  until: fc.option(fc.constantFrom(...moments), { nil: null }),
};

/** That list, and its expected rows: of these transactions, in their order, those that match. */
export function referenceList<Page>(
  { type: { txType, txTypes }, since, until, ...page }: ReferenceFilters & Page,
  all: readonly PlatformTx[],
) {
  const expected = all
    .filter((each) => txType === null || each.txType === txType)
    .filter((each) => txTypes === null || txTypes.includes(each.txType))
    .filter((each) => since === null || each.blockTimestamp >= since)
    .filter((each) => until === null || each.blockTimestamp < until)
    .map(({ name }) => idOf(name));
  return {
    field: `transactions(txType: ${txType}, txTypes: ${txTypes && `[${txTypes.join(', ')}]`}, since: ${since}, until: ${until}`,
    key: 'txHash',
    expected,
    ...page,
  };
}
