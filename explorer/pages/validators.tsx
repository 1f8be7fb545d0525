import { Coins, HandCoins, ShieldCheck, Trophy, Users } from 'lucide';
import { useAnswer } from '../ask.js';
import { NodesDocument, ValidatorsDocument, type ValidatorsQuery } from '../generated/others/graphql.js';
import { AVAX, OfAvax } from '../components/amount.js';
import { Asked, Standing } from '../components/answer.js';
import { Figures } from '../components/facts.js';
import { Filters } from '../components/filters.js';
import { Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { PRIMARY_NETWORK } from '../components/sentence-links.js';
import { NodeTable, ValidatorsOfNow } from '../components/stakers.js';
import { grouped } from '../components/text.js';
import { Tabs, useTab } from '../components/tabs.js';
import { unitsOf, useChosen, written, type Filter } from '../filters.js';
import { usePages } from '../paging.js';
import { directories, networkOf, stakeList, type NetworkName } from '../paths.js';

/** What the list is sorted by, and as the graph names it. */
const sorts = {
  stake: { words: 'Most stake first', sortBy: 'weight', sortOrder: 'desc' },
  least: { words: 'Least stake first', sortBy: 'weight', sortOrder: 'asc' },
  fee: { words: 'Lowest fee first', sortBy: 'delegationFee', sortOrder: 'asc' },
  soon: { words: 'Ends soonest first', sortBy: 'endTimestamp', sortOrder: 'asc' },
  late: { words: 'Ends latest first', sortBy: 'endTimestamp', sortOrder: 'desc' },
} as const;

const decimal = { pattern: String.raw`\d+(\.\d+)?`, inputMode: 'decimal', title: 'A number' } as const;

const filters = [
  {
    name: 'sort',
    title: 'Sorted by',
    options: Object.fromEntries(Object.entries(sorts).map(([key, { words }]) => [key, words])),
  },
  {
    name: 'state',
    title: 'State',
    options: { all: 'All', validates: 'Validates', waits: 'Waits for its start' },
  },
  { name: 'capacity', title: 'May be delegated at least, AVAX', check: decimal },
  { name: 'fee', title: 'Fee at most, percent', check: decimal },
  { name: 'node', title: 'Node id contains' },
] as const satisfies readonly Filter[];

/** The value of the graph's argument; undefined for all. */
const states: Readonly<Record<string, boolean>> = { validates: true, waits: false };

const tabs = [
  { key: 'now', title: 'Validate now' },
  { key: 'all', title: 'All nodes' },
];

/** Who validates the primary network, sorted and narrowed, or all nodes by id. */
export function ValidatorsPage({ network: name }: { network?: string }) {
  const network = networkOf(name);
  const chosen = useChosen(filters);
  const { sortBy, sortOrder } = sorts[chosen.sort as keyof typeof sorts];
  const variables = {
    network,
    primary: PRIMARY_NETWORK,
    sortBy,
    sortOrder,
    active: states[chosen.state],
    minDelegationCapacity: unitsOf(chosen.capacity, AVAX.denomination),
    maxDelegationFeePercent: written(chosen.fee),
    nodeIdContains: written(chosen.node.replace(/^NodeID-/, '')),
    ...usePages('validators'),
  };
  return (
    <Page
      title={`${directories.validators} of ${network}`}
      document={ValidatorsDocument}
      variables={variables}
      find={(data) => data}
      missing=""
    >
      {(found) => (
        <Found
          found={found}
          network={network}
          csv={stakeList(network, {
            subnetId: PRIMARY_NETWORK,
            validationStatus: chosen.state === 'waits' ? 'pending' : 'active',
            nodeIds: variables.nodeIdContains,
            minDelegationCapacity: variables.minDelegationCapacity,
            maxFeePercentage: variables.maxDelegationFeePercent,
          })}
        />
      )}
    </Page>
  );
}

function Found({ found, network, csv }: { found: ValidatorsQuery; network: NetworkName; csv: string }) {
  const tab = useTab(tabs);
  const totals = found.subnet?.totals;
  const now = found.currentValidators;
  if (!totals)
    return (
      <>
        <p class="empty">
          Who validates now is not known: for that the P-chain has to be followed from its genesis on. These
          are the nodes that indexed transactions name.
        </p>
        <Nodes network={network} />
      </>
    );
  return (
    <>
      <Totals totals={totals} />
      <Tabs label="Which validators" tabs={tabs} />
      {tab === 'all' && <Nodes network={network} />}
      {tab === 'now' && now && (
        <>
          <Filters label="Which validators are shown" filters={filters} />
          <ValidatorsOfNow rows={now.nodes} network={network} isAvax />
          <Pager list="validators" title="Stakes of validators" ends={now.pageInfo} csv={csv} />
        </>
      )}
    </>
  );
}

type Sums = NonNullable<NonNullable<ValidatorsQuery['subnet']>['totals']>;

const Totals = ({ totals }: { totals: Sums }) => (
  <Figures
    figures={[
      {
        title: 'Validate now',
        icon: ShieldCheck,
        value: grouped(totals.activeValidators),
        note: totals.pendingValidators > 0 && `${grouped(totals.pendingValidators)} wait for their start`,
      },
      { title: 'Delegators', icon: Users, value: grouped(totals.delegatorCount) },
      { title: 'Staked in all', icon: Coins, value: <OfAvax amount={totals.weight} />, tone: 'is-staked' },
      { title: 'Of delegators', icon: HandCoins, value: <OfAvax amount={totals.delegatedWeight} /> },
      {
        title: 'Rewards, if all are paid',
        icon: Trophy,
        value: <OfAvax amount={totals.potentialReward} />,
        note: 'for the stakes of now',
      },
    ]}
  />
);

/** All nodes by id, also those that do not validate any more. */
function Nodes({ network }: { network: NetworkName }) {
  const variables = { network, ...usePages('nodes') };
  const answer = useAnswer(NodesDocument, variables);
  const page = answer.data?.validators;
  return (
    <>
      <Standing answer={answer} />
      {page && (
        <>
          <NodeTable rows={page.nodes} network={network} isAvax />
          <Pager
            list="nodes"
            title="Stakes of all nodes"
            ends={page.pageInfo}
            csv={stakeList(network, { subnetId: PRIMARY_NETWORK })}
          />
        </>
      )}
      <Asked document={NodesDocument} variables={variables} of="this list" />
    </>
  );
}
