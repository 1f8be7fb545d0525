import { AddressDocument } from '../generated/things/graphql.js';
import { Part } from '../components/answer.js';
import { History } from '../components/history.js';
import { Holdings } from '../components/holdings.js';
import { Page } from '../components/page.js';
import { Tabs, useTab } from '../components/tabs.js';
import { part } from '../part.js';
import { usePages } from '../paging.js';
import { addressPath, networkOf } from '../paths.js';

const tabs = [
  { key: 'transactions', title: 'Transactions' },
  { key: 'stakes', title: 'Stakes and rewards' },
  { key: 'balances', title: 'Balances and unlocks' },
  { key: 'outputs', title: 'Outputs' },
];

const AddressBalances = part('AddressBalances');
const AddressOutputs = part('AddressOutputs');
const AddressStakes = part('AddressStakes');

/** An address: what it has, and in tabs its transactions, what it will earn, balances and outputs. */
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
          {tab === 'stakes' && <AddressStakes {...owner} />}
          {tab === 'balances' && <AddressBalances {...owner} balances={found.balances} />}
          {tab === 'outputs' && <AddressOutputs {...owner} />}
        </>
      )}
    </Page>
  );
}
