import { ValidatorDocument, type StakePageFragment, type ValidatorQuery } from '../generated/graphql.js';
import { Amount, OfAvax } from '../components/amount.js';
import { Part } from '../components/answer.js';
import { Facts } from '../components/facts.js';
import { TransactionTable } from '../components/lists.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { L1Validators, yesOrNo } from '../components/stakers.js';
import { Id, Time } from '../components/text.js';
import { usePages } from '../paging.js';
import { networkOf, subnetPath, transactionPath, validatorPath } from '../paths.js';

type Found = NonNullable<ValidatorQuery['validator']>;

/** A validator: its staking periods, the delegations to it, its rewards, and what it validates of L1s. */
export function ValidatorPage({ network: name, node = '' }: { network?: string; node?: string }) {
  const network = networkOf(name);
  const variables = { network, node, ...usePages('periods', 'delegations', 'rewards', 'l1') };
  return (
    <Page
      title="Validator"
      id={node}
      document={ValidatorDocument}
      variables={variables}
      find={({ validator }) => validator}
      addressOf={(found) => validatorPath(network, found.nodeId)}
      missing={`No indexed transaction names this node on ${network}.`}
    >
      {(validator) => (
        <>
          <Facts
            facts={[
              ['Validates now', yesOrNo(validator.isActive)],
              ['Stake with delegators', <OfAvax amount={validator.weight} />],
              ['Reward of its own stake', <OfAvax amount={validator.potentialReward} />],
            ]}
          />
          <Part title="Staking periods">
            <Stakes
              list="periods"
              title="Staking periods"
              page={validator.stakingPeriods}
              network={network}
            />
          </Part>
          <Part title="Delegations">
            <Stakes list="delegations" title="Delegations" page={validator.delegations} network={network} />
          </Part>
          <Part title="Rewards">
            <Rewards page={validator.rewards} network={network} />
          </Part>
          <Part title="Validates for L1s">
            <L1Validators list="l1" page={validator.l1Validators} network={network} without={['Node']} />
          </Part>
        </>
      )}
    </Page>
  );
}

interface StakesProps {
  list: string;
  title: string;
  page: StakePageFragment;
  network: string;
}

function Stakes({ list, title, page, network }: StakesProps) {
  return (
    <>
      <TransactionTable
        rows={page.nodes}
        label={title}
        without={['Chain', 'Block', 'Time']}
        more={[
          {
            title: 'From',
            cell: ({ startTimestamp, blockTimestamp }) => <Time seconds={startTimestamp ?? blockTimestamp} />,
          },
          { title: 'To', cell: ({ endTimestamp }) => <Time seconds={endTimestamp} /> },
          {
            title: 'Stake',
            cell: ({ amountStaked }) =>
              amountStaked.map((asset) => <Amount key={asset.assetId} amount={asset.amount} asset={asset} />),
          },
          ...(list === 'periods' ? [delegationFee] : []),
          {
            title: 'Subnet',
            cell: ({ subnetId }) =>
              subnetId ? <Id id={subnetId} href={subnetPath(network, subnetId)} /> : 'not known',
          },
          {
            title: 'Ended by',
            cell: ({ rewardTxHash, blockchainAlias }) =>
              rewardTxHash ? (
                <Id id={rewardTxHash} href={transactionPath(network, blockchainAlias, rewardTxHash)} />
              ) : (
                'none indexed'
              ),
          },
        ]}
      />
      <Pager list={list} title={title} ends={page.pageInfo} />
    </>
  );
}

/** Of a validator's own stake; delegators have none. */
const delegationFee = {
  title: 'Delegation fee',
  cell: ({ delegationFeePercent: fee }: StakePageFragment['nodes'][number]) => (fee ? `${fee} %` : 'none'),
};

const rewardTypes: Record<string, string> = {
  VALIDATOR: 'of the validator',
  DELEGATOR: 'of the delegator',
  VALIDATOR_FEE: 'fee of the validator',
};

function Rewards({ page, network }: { page: Found['rewards']; network: string }) {
  return (
    <>
      <TransactionTable
        rows={page.nodes}
        label="Rewards"
        without={['Chain', 'Type', 'Block']}
        more={[
          {
            title: 'Paid',
            cell: ({ emittedUtxos }) => {
              const rewards = emittedUtxos.nodes.filter(({ rewardType }) => rewardType);
              if (rewards.length === 0) return 'nothing';
              return rewards.map(({ utxoId, rewardType, asset }) => (
                <div key={utxoId}>
                  <Amount amount={asset.amount} asset={asset} /> {rewardTypes[rewardType ?? ''] ?? ''}
                </div>
              ));
            },
          },
          {
            title: 'For the stake of',
            cell: ({ stakingTxHash, blockchainAlias }) =>
              stakingTxHash ? (
                <Id id={stakingTxHash} href={transactionPath(network, blockchainAlias, stakingTxHash)} />
              ) : (
                'not known'
              ),
          },
        ]}
      />
      <Pager list="rewards" title="Rewards" ends={page.pageInfo} />
    </>
  );
}
