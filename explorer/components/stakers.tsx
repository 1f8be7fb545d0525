import type {
  L1ValidatorPageFragment,
  NodesQuery,
  ValidatorOfNowFragment,
} from '../generated/others/graphql.js';
import { l1ValidatorPath, subnetPath, validatorPath } from '../paths.js';
import { OfAvax } from './amount.js';
import { Badge } from './badge.js';
import { Pager } from './pager.js';
import { Table, type Column } from './table.js';
import { Age, grouped, Id } from './text.js';

/** Of what the graph computes of a followed P-chain: null where it is not known. */
export const yesOrNo = (value: boolean | null | undefined) =>
  value === true ? 'yes' : value === false ? 'no' : 'not known';

/** Whether something validates now, as a badge. @param otherwise what it does if not */
export const Active = ({
  isActive,
  otherwise = 'does not validate now',
}: {
  isActive: boolean | null | undefined;
  otherwise?: string;
}) => (
  <Badge tone={isActive ? 'is-spendable' : 'is-spent'}>
    {isActive === true ? 'validates' : isActive === false ? otherwise : 'not known'}
  </Badge>
);

/** Weight in a subnet: AVAX in the primary network, elsewhere without a unit. */
export const Weight = ({ of, isAvax }: { of: number | string | null | undefined; isAvax: boolean }) =>
  isAvax ? (
    <OfAvax amount={of} />
  ) : (
    <span>{of === null || of === undefined ? 'not known' : grouped(of)}</span>
  );

const node = (network: string) => ({
  title: 'Node',
  cell: ({ nodeId }: { nodeId: string }) => <Id id={nodeId} href={validatorPath(network, nodeId)} />,
});

type Now = ValidatorOfNowFragment;

/** Columns of what AVAX is staked with: other subnets have no delegators as a rule. */
const ofAvax: readonly Column<Now>[] = [
  { title: 'Own', isFigure: true, cell: ({ ownWeight }) => <OfAvax amount={ownWeight} /> },
  { title: 'Delegators', isFigure: true, cell: ({ delegatorCount }) => delegatorCount ?? 'not known' },
  {
    title: 'May still be delegated',
    isFigure: true,
    cell: ({ delegationCapacity }) => <OfAvax amount={delegationCapacity} />,
  },
  {
    title: 'Fee',
    isFigure: true,
    cell: ({ delegationFeePercent: fee }) => (fee === null ? 'none' : `${fee} %`),
  },
];

/** Who validates a subnet now or waits for the start, with what people compare. */
export function ValidatorsOfNow({
  rows,
  network,
  isAvax,
}: {
  rows: readonly Now[];
  network: string;
  isAvax: boolean;
}) {
  const hasUptime = rows.some(({ uptimePercent }) => uptimePercent !== null);
  return (
    <Table
      label="Validators"
      none="No validator of now is like this."
      rows={rows}
      keyOf={({ nodeId }) => nodeId}
      columns={[
        node(network),
        {
          title: 'State',
          cell: ({ isActive }) => <Active isActive={isActive} otherwise="waits for its start" />,
        },
        {
          title: isAvax ? 'Stake with delegators' : 'Weight',
          isFigure: true,
          cell: ({ weight }) => <Weight of={weight} isAvax={isAvax} />,
        },
        ...(isAvax ? ofAvax : []),
        ...(hasUptime ? [uptime] : []),
        { title: 'Ends', cell: ({ endTimestamp }) => <Age seconds={endTimestamp} /> },
      ]}
    />
  );
}

const uptime: Column<Now> = {
  title: 'Seen online',
  isFigure: true,
  cell: ({ uptimePercent }) => (uptimePercent === null ? 'not known' : `${uptimePercent.toFixed(1)} %`),
};

/** Nodes that validate or validated, by their ids. */
export function NodeTable({
  rows,
  network,
  isAvax,
}: {
  rows: readonly NonNullable<NodesQuery['validators']>['nodes'][number][];
  network: string;
  isAvax: boolean;
}) {
  const isKnown = rows.some(({ isActive }) => isActive !== null);
  return (
    <Table
      label="Nodes"
      none="No validator is indexed here."
      rows={rows}
      keyOf={({ nodeId }) => nodeId}
      columns={[
        node(network),
        ...(isKnown
          ? [
              {
                title: 'State',
                cell: ({ isActive }: (typeof rows)[number]) => <Active isActive={isActive} />,
              },
              {
                title: isAvax ? 'Stake with delegators' : 'Weight',
                isFigure: true,
                cell: ({ weight }: (typeof rows)[number]) => <Weight of={weight} isAvax={isAvax} />,
              },
            ]
          : []),
      ]}
    />
  );
}

type Line = L1ValidatorPageFragment['nodes'][number];

/** A page of validators of L1s. */
export function L1Validators({
  list,
  page,
  network,
  without = [],
}: {
  list: string;
  page: L1ValidatorPageFragment;
  network: string;
  /** Titles of columns that say the same in each row. */
  without?: readonly string[];
}) {
  const columns: readonly Column<Line>[] = [
    {
      title: 'Validation',
      cell: ({ validationId }) => <Id id={validationId} href={l1ValidatorPath(network, validationId)} />,
    },
    node(network),
    { title: 'Subnet', cell: ({ subnetId }) => <Id id={subnetId} href={subnetPath(network, subnetId)} /> },
    { title: 'State', cell: (validator) => <L1State of={validator} /> },
    { title: 'Weight', isFigure: true, cell: ({ weight }) => grouped(weight) },
    { title: 'Balance', isFigure: true, cell: (validator) => <Balance of={validator} /> },
    {
      title: 'Lasts until',
      cell: ({ runsDryAt }) => (runsDryAt ? <Age seconds={runsDryAt} /> : <span class="unknown">–</span>),
    },
  ];
  return (
    <>
      <Table
        label="L1 validators"
        none="No L1 validator is indexed here."
        rows={page.nodes}
        keyOf={({ validationId }) => validationId}
        columns={columns.filter(({ title }) => !without.includes(title))}
      />
      <Pager list={list} title="L1 validators" ends={page.pageInfo} />
    </>
  );
}

/** Whether an L1 validator validates, has no balance, or was removed. */
export const L1State = ({ of: { weight, isActive } }: { of: Pick<Line, 'weight' | 'isActive'> }) =>
  Number(weight) === 0 ? (
    <Badge tone="is-spent">removed</Badge>
  ) : (
    <Active isActive={isActive} otherwise="no balance" />
  );

/** The balance now; where that is not computed, the one after the newest change. */
const Balance = ({ of: { balance, remainingBalance } }: { of: Line }) =>
  balance === null ? (
    <span title="After its newest change: what was paid since then is not known">
      <OfAvax amount={remainingBalance} />
    </span>
  ) : (
    <OfAvax amount={balance} />
  );
