import { CalendarClock, Coins, Trophy } from 'lucide';
import { beginsAgain, earnedBy, remarksOf } from '../earned.js';
import { AddressStakesDocument, type AddressStakesQuery } from '../generated/others/graphql.js';
import { usePages } from '../paging.js';
import { transactionPath, validatorPath } from '../paths.js';
import { Also } from './also.js';
import { OfAvax } from './amount.js';
import { Figures } from './facts.js';
import type { Owner } from './history.js';
import { Pager } from './pager.js';
import { Table, type Column } from './table.js';
import { Age, Id, Time } from './text.js';

type Page = NonNullable<AddressStakesQuery['address']>['pendingRewards'];
type Stake = Page['nodes'][number];

/** The stakes that run and pay an address: what it will earn, and when. */
export function AddressStakes({ network, address }: Owner) {
  const variables = { network, address, ...usePages('stakes') };
  return (
    <Also
      title="Stakes that run, and what they will pay"
      document={AddressStakesDocument}
      variables={variables}
      find={(data) => data.address?.pendingRewards}
    >
      {(page) => (
        <>
          {page.nodes.length > 0 && <Sums page={page} />}
          <Table
            label="Stakes that run"
            none="No stake that runs pays this address. They are known where the P-chain is followed from its genesis."
            rows={page.nodes}
            keyOf={({ txHash }) => txHash}
            columns={columnsOf(network)}
          />
          <Pager list="stakes" title="Stakes that run" ends={page.pageInfo} />
        </>
      )}
    </Also>
  );
}

function Sums({ page: { nodes, pageInfo } }: { page: Page }) {
  const isPart = pageInfo.hasNextPage || pageInfo.hasPreviousPage;
  const earned = nodes.map(earnedBy);
  const sumOf = (all: readonly bigint[]) => String(all.reduce((sum, each) => sum + each, 0n));
  const next = Math.min(...nodes.map(({ endTimestamp }) => Number(endTimestamp)));
  const isAfterFees = earned.every((each) => each?.isAfterFee !== false);
  const notes = [
    'if the nodes are online',
    ...(isPart ? ['of this page'] : []),
    ...(isAfterFees ? [] : ['before fees of validators']),
    ...(nodes.some(({ rewardAddresses }) => rewardAddresses.length > 1) ? ['some with other addresses'] : []),
    ...(nodes.some(beginsAgain) ? ['a part may join stakes that begin again'] : []),
    ...(earned.includes(undefined) ? ['without stakes that wait for their start'] : []),
  ];
  return (
    <Figures
      figures={[
        {
          title: 'Will be paid',
          icon: Trophy,
          tone: 'is-spendable',
          value: <OfAvax amount={sumOf(earned.map((each) => each?.amount ?? 0n))} />,
          note: notes.join(', '),
        },
        {
          title: 'Staked',
          icon: Coins,
          tone: 'is-staked',
          value: <OfAvax amount={sumOf(nodes.map(({ weight }) => BigInt(weight)))} />,
          note: `in ${nodes.length} ${nodes.length === 1 ? 'stake' : 'stakes'}${isPart ? ' of this page' : ''}`,
        },
        {
          title: 'Next one ends',
          icon: CalendarClock,
          value: <Age seconds={next} />,
          note: <Time seconds={next} />,
        },
      ]}
    />
  );
}

const columnsOf = (network: string): readonly Column<Stake>[] => [
  {
    title: 'Stake',
    cell: ({ txHash }) => <Id id={txHash} href={transactionPath(network, 'p-chain', txHash)} />,
  },
  { title: 'Kind', cell: ({ isDelegation }) => (isDelegation ? 'delegation' : 'validator') },
  { title: 'Node', cell: ({ nodeId }) => <Id id={nodeId} href={validatorPath(network, nodeId)} /> },
  { title: 'Staked', isFigure: true, cell: ({ weight }) => <OfAvax amount={weight} /> },
  { title: 'Will be paid', isFigure: true, cell: (stake) => <Earned of={stake} /> },
  { title: 'Ends', cell: ({ endTimestamp }) => <Age seconds={endTimestamp} /> },
];

function Earned({ of }: { of: Stake }) {
  const earned = earnedBy(of);
  if (!earned) return <>waits for its start</>;
  const remarks = remarksOf(of);
  return (
    <>
      <OfAvax amount={String(earned.amount)} />
      {remarks.length > 0 && <small> {remarks.join('; ')}</small>}
    </>
  );
}
