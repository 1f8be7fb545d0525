import type { L1ValidatorPageFragment, ValidatorsQuery } from '../generated/graphql.js';
import { l1ValidatorPath, subnetPath, validatorPath } from '../paths.js';
import { OfAvax } from './amount.js';
import { Badge } from './badge.js';
import { Pager } from './pager.js';
import { Table } from './table.js';
import { Id } from './text.js';

/** Of what the graph computes of a followed P-chain: null where it is not known. */
export const yesOrNo = (value: boolean | null | undefined) =>
  value === true ? 'yes' : value === false ? 'no' : 'not known';

/** Whether something validates now, as a badge. */
const Active = ({ isActive }: { isActive: boolean | null | undefined }) => (
  <Badge tone={isActive ? 'is-spendable' : 'is-spent'}>{yesOrNo(isActive)}</Badge>
);

type ValidatorLine = NonNullable<ValidatorsQuery['validators']>['nodes'][number];

/** Nodes that validate or validated. */
export function ValidatorTable({
  rows,
  network,
  isAvax,
}: {
  rows: readonly ValidatorLine[];
  network: string;
  /** Whether they stake AVAX: in subnets a weight has no unit. */
  isAvax: boolean;
}) {
  return (
    <Table
      label="Validators"
      none="No validator is indexed here."
      rows={rows}
      keyOf={({ nodeId }) => nodeId}
      columns={[
        { title: 'Node', cell: ({ nodeId }) => <Id id={nodeId} href={validatorPath(network, nodeId)} /> },
        { title: 'Validates now', cell: ({ isActive }) => <Active isActive={isActive} /> },
        isAvax
          ? {
              title: 'Stake with delegators',
              isFigure: true,
              cell: ({ weight }) => <OfAvax amount={weight} />,
            }
          : {
              title: 'Weight',
              isFigure: true,
              cell: ({ weight }) => weight?.toLocaleString('en') ?? 'not known',
            },
      ]}
    />
  );
}

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
  const columns = [
    {
      title: 'Validation',
      cell: ({ validationId }: Line) => (
        <Id id={validationId} href={l1ValidatorPath(network, validationId)} />
      ),
    },
    { title: 'Node', cell: ({ nodeId }: Line) => <Id id={nodeId} href={validatorPath(network, nodeId)} /> },
    {
      title: 'Subnet',
      cell: ({ subnetId }: Line) => <Id id={subnetId} href={subnetPath(network, subnetId)} />,
    },
    {
      title: 'Weight',
      isFigure: true,
      cell: ({ weight }: Line) => (Number(weight) === 0 ? 'removed' : Number(weight).toLocaleString('en')),
    },
    { title: 'Validates now', cell: ({ isActive }: Line) => <Active isActive={isActive} /> },
    {
      title: 'Balance after its newest change',
      isFigure: true,
      cell: ({ remainingBalance }: Line) => <OfAvax amount={remainingBalance} />,
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

type Line = L1ValidatorPageFragment['nodes'][number];
