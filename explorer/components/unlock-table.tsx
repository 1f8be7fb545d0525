import type { AddressTimesQuery } from '../generated/others/graphql.js';
import { areMore, unlocksOf, type Unlock } from '../unlocks.js';
import { Amount } from './amount.js';
import { Table } from './table.js';
import { Time } from './text.js';

/** When an address's outputs become spendable. */
export function UnlockTable({ times }: { times: NonNullable<AddressTimesQuery['address']> }) {
  return (
    <>
      <Table
        label="What can be spent when"
        none="None of its indexed outputs waits for a time."
        rows={unlocksOf(times)}
        keyOf={({ at, why, isShared, asset }) => [at, why, isShared, asset.assetId].join(' ')}
        columns={[
          { title: 'Spendable from', cell: ({ at }) => (at ? <Time seconds={at} /> : 'not known') },
          {
            title: 'Amount',
            isFigure: true,
            cell: ({ amount, asset }: Unlock) => <Amount amount={String(amount)} asset={asset} />,
          },
          { title: 'Until then', cell: ({ why }) => why },
          { title: 'Signatures', cell: ({ isShared }) => (isShared ? 'several' : 'one') },
          { title: 'Outputs', isFigure: true, cell: ({ outputs }) => outputs },
          {
            title: 'Freed by then in all',
            isFigure: true,
            cell: ({ byThen, asset }) => <Amount amount={String(byThen)} asset={asset} />,
          },
        ]}
      />
      {areMore(times) && (
        <p>It has more outputs that wait. Only the first 60 of each kind are counted here.</p>
      )}
    </>
  );
}
