import type { L1ValidatorPageFragment } from '../generated/others/graphql.js';
import { l1ValidatorPath, subnetPath } from '../paths.js';
import { OfAvax } from './amount.js';
import { Badge } from './badge.js';
import { Pager } from './pager.js';
import { Active, nodeColumn } from './stakers.js';
import { Table, type Column } from './table.js';
import { Age, grouped, Id } from './text.js';

type Line = L1ValidatorPageFragment['nodes'][number];

/** A page of validators of L1s. */
export function L1Validators({
  list,
  page,
  network,
  csv,
  without = [],
}: {
  list: string;
  page: L1ValidatorPageFragment;
  network: string;
  /** The same list in the REST API; not given where that has none. */
  csv?: string;
  /** Titles of columns that say the same in each row. */
  without?: readonly string[];
}) {
  const columns: readonly Column<Line>[] = [
    {
      title: 'Validation',
      cell: ({ validationId }) => <Id id={validationId} href={l1ValidatorPath(network, validationId)} />,
    },
    nodeColumn(network),
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
      <Pager list={list} title="L1 validators" ends={page.pageInfo} csv={csv} />
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
