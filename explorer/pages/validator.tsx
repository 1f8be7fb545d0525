import { ValidatorDocument, type ValidatorQuery } from '../generated/others/graphql.js';
import { Facts } from '../components/facts.js';
import { Page } from '../components/page.js';
import { L1Validators } from '../components/l1-stakers.js';
import { Active } from '../components/stakers.js';
import { Rewards, Stakes } from '../components/stakes.js';
import { Tabs, useTab } from '../components/tabs.js';
import { ValidatorNow } from '../components/validator-now.js';
import { usePages } from '../paging.js';
import { networkOf, restList, validatorPath } from '../paths.js';

type Found = NonNullable<ValidatorQuery['validator']>;

const tabs = [
  { key: 'delegations', title: 'Delegations' },
  { key: 'periods', title: 'Staking periods' },
  { key: 'rewards', title: 'Rewards' },
  { key: 'l1', title: 'Validates for L1s' },
];

/** A validator: what it stakes now, and in tabs its delegations, periods, rewards and L1s. */
export function ValidatorPage({ network: name, node = '' }: { network?: string; node?: string }) {
  const network = networkOf(name);
  const tab = useTab(tabs);
  const variables = {
    network,
    node,
    digits: node.replace(/^NodeID-/, '').slice(0, 40),
    ...usePages('periods', 'delegations', 'rewards', 'l1'),
    periods: tab === 'periods',
    delegations: tab === 'delegations',
    rewards: tab === 'rewards',
    l1: tab === 'l1',
  };
  return (
    <Page
      title="Validator"
      id={node}
      document={ValidatorDocument}
      variables={variables}
      find={({ validator, now }) =>
        validator && { validator, now: now?.nodes.find(({ nodeId }) => nodeId === validator.nodeId) }
      }
      addressOf={({ validator }) => validatorPath(network, validator.nodeId)}
      missing={`No indexed transaction names this node on ${network}.`}
    >
      {({ validator, now }) => (
        <>
          {now ? (
            <ValidatorNow now={now} network={network} />
          ) : (
            <Facts facts={[['Primary network', <Active isActive={validator.isActive} />]]} />
          )}
          <Tabs label="Parts of this page" tabs={tabs} />
          <Lists of={validator} network={network} />
        </>
      )}
    </Page>
  );
}

function Lists({ of, network }: { of: Found; network: string }) {
  const { nodeId, delegations, stakingPeriods, rewards, l1Validators } = of;
  const all = ['networks', network];
  const ofNode = { nodeIds: nodeId };
  return (
    <>
      {delegations && (
        <Stakes
          list="delegations"
          title="Delegations"
          page={delegations}
          network={network}
          csv={restList([...all, 'delegators'], ofNode)}
        />
      )}
      {stakingPeriods && (
        <Stakes
          list="periods"
          title="Staking periods"
          page={stakingPeriods}
          network={network}
          csv={restList([...all, 'validators', nodeId])}
        />
      )}
      {rewards && <Rewards page={rewards} network={network} csv={restList([...all, 'rewards'], ofNode)} />}
      {l1Validators && <L1Validators list="l1" page={l1Validators} network={network} without={['Node']} />}
    </>
  );
}
