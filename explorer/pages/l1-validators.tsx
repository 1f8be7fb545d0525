import { useAnswer } from '../ask.js';
import { L1ValidatorsDocument, L1ValidatorsEverDocument } from '../generated/others/graphql.js';
import { Asked, Standing } from '../components/answer.js';
import { Filters } from '../components/filters.js';
import { Page } from '../components/page.js';
import { L1Validators } from '../components/l1-stakers.js';
import { Tabs, useTab } from '../components/tabs.js';
import { useChosen, written, type Filter } from '../filters.js';
import { Around, usePages } from '../paging.js';
import { directories, directoryPath, l1ValidatorList, networkOf, type NetworkName } from '../paths.js';

/** What the list is sorted by, and as the graph names it. */
const sorts = {
  balance: { words: 'Largest balance first', sortBy: 'balance', sortOrder: 'desc' },
  dry: { words: 'Smallest balance first', sortBy: 'balance', sortOrder: 'asc' },
  weight: { words: 'Most weight first', sortBy: 'weight', sortOrder: 'desc' },
  least: { words: 'Least weight first', sortBy: 'weight', sortOrder: 'asc' },
} as const;

const filters = [
  {
    name: 'sort',
    title: 'Sorted by',
    options: Object.fromEntries(Object.entries(sorts).map(([key, { words }]) => [key, words])),
  },
  { name: 'state', title: 'State', options: { all: 'All', validates: 'Validates', dry: 'Has no balance' } },
  { name: 'subnet', title: 'Subnet id' },
  { name: 'node', title: 'Node id contains' },
] as const satisfies readonly Filter[];

/** The value of the graph's argument; undefined for all. */
const states: Readonly<Record<string, boolean>> = { validates: true, dry: false };

const tabs = [
  { key: 'now', title: 'Of now' },
  { key: 'all', title: 'All, also removed ones' },
];

/** The validators of L1s, sorted and narrowed, or all that ever were. */
export function L1ValidatorsPage({ network: name }: { network?: string }) {
  const network = networkOf(name);
  const chosen = useChosen(filters);
  const { sortBy, sortOrder } = sorts[chosen.sort as keyof typeof sorts];
  const tab = useTab(tabs);
  const variables = {
    network,
    sortBy,
    sortOrder,
    active: states[chosen.state],
    subnetId: written(chosen.subnet),
    nodeIdContains: written(chosen.node.replace(/^NodeID-/, '')),
    ...usePages('l1'),
  };
  // The REST API narrows them neither to those without a balance nor by a part of an id.
  const csv =
    chosen.state === 'dry' || chosen.node
      ? undefined
      : l1ValidatorList(network, written(chosen.subnet), chosen.state !== 'validates');
  return (
    <Page
      title={`${directories['l1-validators']} of ${network}`}
      document={L1ValidatorsDocument}
      variables={variables}
      find={({ currentL1Validators }) => currentL1Validators}
      missing={`No L1 validator of ${network} is indexed.`}
    >
      {(page) => (
        <>
          <Tabs label="Which L1 validators" tabs={tabs} />
          {tab === 'now' && (
            <>
              <Filters label="Which L1 validators are shown" filters={filters} />
              {page.nodes.length > 0 ? (
                <L1Validators list="l1" page={page} network={network} csv={csv} />
              ) : (
                <p class="empty">
                  No L1 validator of now is like this, or the state of L1 validators is not known.{' '}
                  <a href={`${directoryPath(network, 'l1-validators')}?tab=all`}>
                    All that transactions changed
                  </a>
                </p>
              )}
            </>
          )}
          {tab === 'all' && <Ever network={network} />}
        </>
      )}
    </Page>
  );
}

/** All that a transaction changed, by validation id. */
function Ever({ network }: { network: NetworkName }) {
  const variables = { network, ...usePages('all') };
  const answer = useAnswer(L1ValidatorsEverDocument, variables);
  const page = answer.data?.l1Validators;
  return (
    <>
      <Standing answer={answer} />
      {page && (
        <Around.Provider value={{ document: L1ValidatorsEverDocument, variables, data: answer.data }}>
          <L1Validators list="all" page={page} network={network} />
        </Around.Provider>
      )}
      <Asked document={L1ValidatorsEverDocument} variables={variables} of="this list" />
    </>
  );
}
