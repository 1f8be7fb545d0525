import type { NodesQuery, ValidatorOfNowFragment } from '../generated/others/graphql.js';
import { validatorPath } from '../paths.js';
import { OfAvax } from './amount.js';
import { Badge } from './badge.js';
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

export const nodeColumn = (network: string) => ({
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
        nodeColumn(network),
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
        nodeColumn(network),
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
