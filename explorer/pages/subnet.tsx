import { Chart } from '../charts/chart.js';
import { SubnetDaysDocument, SubnetDocument } from '../generated/others/graphql.js';
import { Also } from '../components/also.js';
import { AVAX } from '../components/amount.js';
import { Part } from '../components/answer.js';
import { ChainTable, CreationTable } from '../components/chains.js';
import { TransactionTable } from '../components/lists.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { L1Validators } from '../components/l1-stakers.js';
import { NodeTable, ValidatorsOfNow } from '../components/stakers.js';
import { isL1, isPrimary, SubnetKey, SubnetTitle, type SubnetFound } from '../components/subnet-key.js';
import { Tabs, useTab } from '../components/tabs.js';
import { usePages } from '../paging.js';
import { l1ValidatorList, networkOf, stakeList, subnetPath, type NetworkName } from '../paths.js';

/** Its parts; of an L1 the validators of L1s come first. */
const tabsOf = (isL1: boolean) => [
  { key: 'chains', title: 'Blockchains' },
  ...(isL1 ? [{ key: 'l1', title: 'L1 validators' }] : []),
  { key: 'validators', title: isL1 ? 'Validators before it was an L1' : 'Validators' },
  { key: 'transactions', title: 'Transactions' },
];
const allTabs = tabsOf(true);

/** A subnet: what it is, and in tabs its chains and fees, validators, and transactions that name it. */
export function SubnetPage({ network: name, subnet = '' }: { network?: string; subnet?: string }) {
  const network = networkOf(name);
  const tab = useTab(allTabs);
  const variables = {
    network,
    subnet,
    ...usePages('validators', 'ever', 'l1', 'all', 'transactions'),
    chains: tab === 'chains',
    validators: tab === 'validators',
    l1: tab === 'l1',
    transactions: tab === 'transactions',
  };
  return (
    <Page
      title="Subnet"
      id={subnet}
      document={SubnetDocument}
      variables={variables}
      find={(data) => data.subnet}
      heading={(found) => <SubnetTitle of={found} />}
      addressOf={(found) => subnetPath(network, found.subnetId)}
      missing={`Nothing indexed on ${network} names this subnet.`}
    >
      {(found) => (
        <>
          <SubnetKey of={found} network={network} />
          <Tabs label="Parts of this page" tabs={tabsOf(isL1(found))} />
          <Lists of={found} network={network} />
          {tab === 'chains' && found.metric.nodes.length > 0 && (
            <Days network={network} subnet={found.subnetId} />
          )}
        </>
      )}
    </Page>
  );
}

function Lists({ of, network }: { of: SubnetFound; network: NetworkName }) {
  const { subnetId, chainCreations, evmChains, currentValidators, ever } = of;
  const { currentL1Validators, allL1Validators } = of;
  // What is indexed as an EVM chain without the transaction that created it.
  const others = evmChains?.nodes.filter(
    ({ blockchainId }) => !chainCreations?.nodes.some(({ txHash }) => txHash === blockchainId),
  );
  return (
    <>
      {chainCreations && !(chainCreations.nodes.length === 0 && others?.length) && (
        <CreationTable rows={chainCreations.nodes} network={network} />
      )}
      {others && others.length > 0 && <ChainTable rows={others} network={network} />}
      {currentValidators && currentValidators.nodes.length > 0 && (
        <Part title="Validate now">
          <ValidatorsOfNow rows={currentValidators.nodes} network={network} isAvax={isPrimary(of)} />
          <Pager
            list="validators"
            title="Stakes of now"
            ends={currentValidators.pageInfo}
            csv={stakeList(network, { subnetId, validationStatus: 'active' })}
          />
        </Part>
      )}
      {ever && (
        <Part title="All that ever did">
          <NodeTable rows={ever.nodes} network={network} isAvax={isPrimary(of)} />
          <Pager
            list="ever"
            title="Stakes that ever were"
            ends={ever.pageInfo}
            csv={ever.nodes.length > 0 ? stakeList(network, { subnetId }) : undefined}
          />
        </Part>
      )}
      {currentL1Validators && currentL1Validators.nodes.length > 0 && (
        <Part title="Of now">
          <L1Validators
            list="l1"
            page={currentL1Validators}
            network={network}
            csv={l1ValidatorList(network, subnetId, true)}
            without={['Subnet']}
          />
        </Part>
      )}
      {allL1Validators && (
        <Part title="All, also removed ones">
          <L1Validators list="all" page={allL1Validators} network={network} without={['Subnet']} />
        </Part>
      )}
      {of.transactions && (
        <>
          <TransactionTable
            rows={of.transactions.nodes}
            label="Transactions of the subnet"
            without={['Chain']}
          />
          <Pager list="transactions" title="Transactions" ends={of.transactions.pageInfo} />
        </>
      )}
    </>
  );
}

/** What the L1 validators of the subnet paid on each day, and how many they were. */
function Days({ network, subnet }: { network: NetworkName; subnet: string }) {
  const none = 'No day of this metric is indexed.';
  return (
    <Also
      title="Fees of L1 validators by day"
      document={SubnetDaysDocument}
      variables={{ network, subnet }}
      find={(data) => data}
    >
      {({ fees, paying }) => (
        <>
          {fees?.nodes[0]?.isRunning && <p>The newest day is not over: its values can grow.</p>}
          <Chart
            title="Fees paid"
            days={(fees?.nodes ?? []).toReversed()}
            asset={AVAX}
            shape="bars"
            none={none}
          />
          <h3>Validators that paid</h3>
          <Chart
            title="Validators that paid"
            days={(paying?.nodes ?? []).toReversed()}
            shape="level"
            none={none}
          />
        </>
      )}
    </Also>
  );
}
