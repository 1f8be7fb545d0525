import { Chart } from '../charts/chart.js';
import { SubnetDaysDocument, SubnetDocument, type SubnetQuery } from '../generated/graphql.js';
import { Also } from '../components/also.js';
import { AVAX, OfAvax } from '../components/amount.js';
import { Part } from '../components/answer.js';
import { ChainTable } from '../components/evm.js';
import { Facts } from '../components/facts.js';
import { TransactionTable } from '../components/lists.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { L1Validators, ValidatorTable } from '../components/stakers.js';
import { Id } from '../components/text.js';
import { usePages } from '../paging.js';
import { addressPath, networkOf, subnetPath, type NetworkName } from '../paths.js';

type Found = NonNullable<SubnetQuery['subnet']>;

/** The id of the primary network, whose validators stake AVAX. */
const PRIMARY = '11111111111111111111111111111111LpoYY';
/** How many owners of a subnet are named. */
const SHOWN_OWNERS = 10;

/** A subnet: its chains, its validators, what they paid on each day, and the transactions that name it. */
export function SubnetPage({ network: name, subnet = '' }: { network?: string; subnet?: string }) {
  const network = networkOf(name);
  return (
    <Page
      title="Subnet"
      id={subnet}
      document={SubnetDocument}
      variables={{ network, subnet, ...usePages('validators', 'l1', 'transactions') }}
      find={(data) => data.subnet}
      addressOf={(found) => subnetPath(network, found.subnetId)}
      missing={`Nothing indexed on ${network} names this subnet.`}
    >
      {(found) => (
        <>
          <Facts
            facts={[
              ['Validators now', found.activeValidators],
              ['Supply of what it stakes', <OfAvax amount={found.supply} />],
              ['Owners', ownersOf(found, network)],
            ]}
          />
          <Part title="EVM chains">
            <ChainTable rows={found.evmChains.nodes} network={network} />
          </Part>
          <Days network={network} subnet={subnet} />
          <Part title="L1 validators">
            <L1Validators list="l1" page={found.l1Validators} network={network} without={['Subnet']} />
          </Part>
          <Part title="Validators">
            <ValidatorTable rows={found.validators.nodes} network={network} isAvax={subnet === PRIMARY} />
            <Pager list="validators" title="Validators" ends={found.validators.pageInfo} />
          </Part>
          <Part title="Transactions">
            <TransactionTable
              rows={found.transactions.nodes}
              label="Transactions of the subnet"
              without={['Chain']}
            />
            <Pager list="transactions" title="Transactions" ends={found.transactions.pageInfo} />
          </Part>
        </>
      )}
    </Page>
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

function ownersOf({ owner }: Found, network: string) {
  if (!owner) return null;
  const more = owner.addresses.length - SHOWN_OWNERS;
  return (
    <>
      {String(owner.threshold)} of{' '}
      {owner.addresses.slice(0, SHOWN_OWNERS).map((address) => (
        <Id key={address} id={address} href={addressPath(network, address)} />
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}
