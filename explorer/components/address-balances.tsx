import { Chart } from '../charts/chart.js';
import { AddressTimesDocument } from '../generated/others/graphql.js';
import type { AddressQuery } from '../generated/things/graphql.js';
import { Also } from './also.js';
import { AVAX } from './amount.js';
import { Part } from './answer.js';
import { Balances } from './balances.js';
import { Pager } from './pager.js';
import type { Owner } from './history.js';
import { UnlockTable } from './unlock-table.js';

/** What an address has of each asset, its balance of each day, and when the rest can be spent. */
export const AddressBalances = ({
  balances,
  ...owner
}: Owner & { balances: NonNullable<AddressQuery['address']>['balances'] }) => (
  <>
    <Part title="Balances">
      <Balances balances={balances.nodes} network={owner.network} />
      <Pager list="balances" title="Balances" ends={balances.pageInfo} />
    </Part>
    <Times {...owner} />
  </>
);

/** The balance of each day, and when the rest can be spent. */
function Times(owner: Owner) {
  return (
    <Also
      title="Balance of AVAX by day, and unlocks"
      document={AddressTimesDocument}
      variables={owner}
      find={(data) => data.address}
    >
      {(times) => (
        <>
          <Chart
            title="Balance of AVAX"
            days={times.balanceHistory.nodes}
            asset={AVAX}
            shape="level"
            none="No balance of the last 366 days is indexed."
          />
          <h3>What can be spent when</h3>
          <UnlockTable times={times} />
        </>
      )}
    </Also>
  );
}
