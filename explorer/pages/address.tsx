import { Chart } from '../charts/chart.js';
import {
  AddressDocument,
  AddressOutputsDocument,
  AddressTimesDocument,
  type AddressOutputsQuery,
} from '../generated/graphql.js';
import { Also } from '../components/also.js';
import { AVAX } from '../components/amount.js';
import { Part } from '../components/answer.js';
import { Balances } from '../components/balances.js';
import { History } from '../components/history.js';
import { Holdings } from '../components/holdings.js';
import { OutputTable, Shown } from '../components/lists.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { Tabs, useTab } from '../components/tabs.js';
import { UnlockTable } from '../components/unlock-table.js';
import { usePages } from '../paging.js';
import { addressPath, chainListOf, networkOf, type NetworkName } from '../paths.js';

const chains = [
  ['p', 'P-chain'],
  ['x', 'X-chain'],
  ['c', 'C-chain'],
] as const;

const tabs = [
  { key: 'transactions', title: 'Transactions' },
  { key: 'balances', title: 'Balances and unlocks' },
  { key: 'outputs', title: 'Outputs' },
];

interface Owner {
  network: NetworkName;
  address: string;
}

/** An address: what it has, and in tabs its transactions, its balances and unlocks, and its outputs. */
export function AddressPage({ network: name, address = '' }: { network?: string; address?: string }) {
  const owner = { network: networkOf(name), address };
  const variables = { ...owner, ...usePages('balances', 'transactions') };
  const tab = useTab(tabs);
  return (
    <Page
      title="Address"
      id={address}
      document={AddressDocument}
      variables={variables}
      find={(data) => data.address}
      addressOf={(found) => addressPath(owner.network, found.address)}
      missing={`Nothing of this address is indexed on ${owner.network}.`}
    >
      {(found) => (
        <>
          <Holdings balances={found.balances.nodes} />
          <Tabs label="Parts of this page" tabs={tabs} />
          {tab === 'transactions' && (
            <Part title="Newest transactions">
              <History {...owner} transactions={found.transactions} />
            </Part>
          )}
          {tab === 'balances' && (
            <>
              <Part title="Balances">
                <Balances balances={found.balances.nodes} network={owner.network} />
                <Pager list="balances" title="Balances" ends={found.balances.pageInfo} />
              </Part>
              <Times {...owner} />
            </>
          )}
          {tab === 'outputs' && <Outputs {...owner} />}
        </>
      )}
    </Page>
  );
}

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

/** Outputs, spent or not, by chain. */
function Outputs({ network, address }: Owner) {
  const variables = { network, address, ...usePages('p', 'x', 'c') };
  return (
    <Also
      title="Outputs"
      document={AddressOutputsDocument}
      variables={variables}
      find={(data) => data.address}
    >
      {(found) =>
        chains.map(([list, title]) => (
          <OutputsOfChain
            key={list}
            list={list}
            title={`Outputs of the ${title}`}
            csv={chainListOf(network, address, list, 'utxos', { includeSpent: 'true' })}
            network={network}
            outputs={found[list]}
          />
        ))
      }
    </Also>
  );
}

function OutputsOfChain({
  list,
  title,
  csv,
  network,
  outputs: { nodes, totalCount, totalCountIsExact, pageInfo },
}: {
  list: string;
  title: string;
  csv: string;
  network: string;
  outputs: NonNullable<AddressOutputsQuery['address']>['p'];
}) {
  return (
    <section>
      <h3>{title}</h3>
      <Shown shown={nodes.length} total={totalCount} isExact={totalCountIsExact} />
      <OutputTable
        rows={nodes}
        network={network}
        label={title}
        without={nodes.every(({ addresses }) => addresses.length === 1) ? ['Owners'] : []}
      />
      <Pager list={list} title={title} ends={pageInfo} csv={nodes.length > 0 ? csv : undefined} />
    </section>
  );
}
