import type { TransactionQuery } from '../generated/things/graphql.js';
import { addressPath, transactionPath } from '../paths.js';
import { Amount, OfAvax } from './amount.js';
import { Badge } from './badge.js';
import { Facts } from './facts.js';
import { Age, Id, Time } from './text.js';

export type Found = NonNullable<TransactionQuery['transaction']>;
type Asset = Found['value'][number];

export const Amounts = ({ of }: { of: readonly Asset[] }) => (
  <>
    {of.map((asset) => (
      <div key={asset.assetId}>
        <Amount amount={asset.amount} asset={asset} />
      </div>
    ))}
  </>
);

const People = ({ addresses, network }: { addresses: readonly string[]; network: string }) => (
  <>
    {addresses.map((address) => (
      <div key={address}>
        <Id id={address} href={addressPath(network, address)} />
      </div>
    ))}
  </>
);

/** How a proposal was decided, by the block after its own; nothing where it is none, or not indexed. */
export function Decided({ block }: Pick<Found, 'block'>) {
  const decision = block?.blockType === 'proposal' ? block.child?.blockType : undefined;
  if (decision === 'commit') return <Badge tone="is-spendable">committed</Badge>;
  if (decision === 'abort') return <Badge tone="is-bad">aborted</Badge>;
  return null;
}

const payments = { VALIDATOR: 'for validating', DELEGATOR: 'for delegating', VALIDATOR_FEE: 'fee' } as const;

interface Paid {
  utxoId: string;
  rewardType?: keyof typeof payments | null;
  addresses: readonly string[];
  asset: Asset;
}

/** The outputs that paid a reward. */
function Rewards({ outputs, network }: { outputs: readonly Paid[]; network: string }) {
  const paid = outputs.filter(({ rewardType }) => rewardType);
  if (paid.length === 0) return <>nothing</>;
  return (
    <>
      {paid.map(({ utxoId, rewardType, asset, addresses: [first] }) => (
        <div key={utxoId}>
          <Amount amount={asset.amount} asset={asset} /> {rewardType && payments[rewardType]}
          {first && (
            <>
              , to <Id id={first} href={addressPath(network, first)} />
            </>
          )}
        </div>
      ))}
    </>
  );
}

/** What a transaction says of a stake: of its own, or of the one that it ends. */
export function StakeFacts({ of, network }: { of: Found; network: string }) {
  const { blockchainAlias: chain, startTimestamp, endTimestamp, rewardTransaction, rewardTxHash } = of;
  const { stakingTransaction, stakingTxHash } = of;
  const staked = stakingTransaction?.amountStaked ?? of.amountStaked;
  if (staked.length === 0 && !startTimestamp && !stakingTxHash) return null;
  const estimated = stakingTransaction?.estimatedReward ?? of.estimatedReward;
  const owners = stakingTransaction?.rewardAddresses ?? of.rewardAddresses;
  const paidBy = stakingTxHash ? of : rewardTransaction;
  const other = (hash: string | null | undefined) =>
    hash ? <Id id={hash} href={transactionPath(network, chain, hash)} /> : undefined;
  const isOver = Boolean(stakingTxHash ?? rewardTxHash);
  return (
    <Facts
      facts={[
        ['Staked', staked.length > 0 ? <Amounts of={staked} /> : undefined],
        ['From', startTimestamp ? <Time seconds={startTimestamp} /> : undefined],
        [
          'Until',
          endTimestamp ? (
            <>
              <Time seconds={endTimestamp} />{' '}
              <small>
                <Age seconds={endTimestamp} />
              </small>
            </>
          ) : undefined,
        ],
        ['Delegation fee', of.delegationFeePercent ? `${of.delegationFeePercent} %` : undefined],
        ['Reward if online', estimated ? <OfAvax amount={estimated} /> : undefined],
        ['Reward goes to', owners?.length ? <People addresses={owners} network={network} /> : undefined],
        [
          'Reward paid',
          paidBy ? (
            <>
              <Rewards outputs={paidBy.emittedUtxos.nodes} network={network} />{' '}
              <Decided block={paidBy.block} />
            </>
          ) : isOver ? null : undefined,
        ],
        ['Ended by', other(rewardTxHash)],
        ['Ends the stake of', other(stakingTxHash)],
      ]}
    />
  );
}
