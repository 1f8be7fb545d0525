import type { StakePageFragment, ValidatorQuery } from '../generated/others/graphql.js';
import { subnetPath, transactionPath } from '../paths.js';
import { Amount } from './amount.js';
import { TransactionTable } from './lists.js';
import { Pager } from './pager.js';
import { PRIMARY_NETWORK } from './sentence-links.js';
import { Age, Id } from './text.js';

type Found = NonNullable<ValidatorQuery['validator']>;

interface StakesProps {
  list: string;
  title: string;
  page: StakePageFragment;
  network: string;
  /** The same list in the REST API. */
  csv: string;
}

/** Stakes of a node, or of its delegators. */
export function Stakes({ list, title, page, network, csv }: StakesProps) {
  return (
    <>
      <TransactionTable
        rows={page.nodes}
        label={title}
        without={['Chain', 'Block', 'Time']}
        more={[
          {
            title: 'Began',
            cell: ({ startTimestamp, blockTimestamp }) => <Age seconds={startTimestamp ?? blockTimestamp} />,
          },
          { title: 'Ends', cell: ({ endTimestamp }) => <Age seconds={endTimestamp} /> },
          {
            title: 'Stake',
            isFigure: true,
            // A validator of a permissioned subnet stakes nothing there.
            cell: ({ amountStaked }) =>
              amountStaked.length === 0
                ? 'none'
                : amountStaked.map((asset) => (
                    <Amount key={asset.assetId} amount={asset.amount} asset={asset} />
                  )),
          },
          ...(list === 'periods' ? [delegationFee] : []),
          {
            title: 'Subnet',
            cell: ({ subnetId }) => <SubnetName id={subnetId} network={network} />,
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
      <Pager list={list} title={title} ends={page.pageInfo} csv={page.nodes.length > 0 ? csv : undefined} />
    </>
  );
}

/** The subnet of a stake: old transactions name none and are of the primary network. */
const SubnetName = ({ id, network }: { id: string | null | undefined; network: string }) =>
  id && id !== PRIMARY_NETWORK ? (
    <Id id={id} href={subnetPath(network, id)} />
  ) : (
    <a href={subnetPath(network, PRIMARY_NETWORK)}>Primary network</a>
  );

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

/** What the ends of stakes with a node paid. */
export function Rewards({
  page,
  network,
  csv,
}: {
  page: NonNullable<Found['rewards']>;
  network: string;
  csv: string;
}) {
  return (
    <>
      <TransactionTable
        rows={page.nodes}
        label="Rewards"
        without={['Chain', 'Type', 'Block']}
        more={[
          {
            title: 'Paid',
            isFigure: true,
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
      <Pager
        list="rewards"
        title="Rewards"
        ends={page.pageInfo}
        csv={page.nodes.length > 0 ? csv : undefined}
      />
    </>
  );
}
