import { chainName } from '../chains.js';
import { StatusDocument, type StatusQuery } from '../generated/others/graphql.js';
import { Part } from '../components/answer.js';
import { Facts } from '../components/facts.js';
import { Page } from '../components/page.js';
import { Table, type Column } from '../components/table.js';
import { grouped, Time } from '../components/text.js';
import { blockPath } from '../paths.js';

/** How often the status is asked for, milliseconds. */
const AGAIN_MS = 60_000;

/** The graph counts at most this many blocks with gaps. */
const MOST_GAPS = '1000';

type Chain = NonNullable<StatusQuery['chainStatus']>[number];
type Config = NonNullable<StatusQuery['serviceConfig']>;

const columns: readonly Column<Chain>[] = [
  { title: 'Network', cell: ({ network }) => network },
  { title: 'Chain', cell: ({ blockchainAlias }) => chainName(blockchainAlias) },
  {
    title: 'Newest stored block',
    isFigure: true,
    cell: ({ network, blockchainAlias, blockNumber }) =>
      blockNumber ? (
        <a href={blockPath(network, blockchainAlias, blockNumber)}>{grouped(blockNumber)}</a>
      ) : (
        'not known'
      ),
  },
  { title: 'Its time', cell: ({ blockTimestamp }) => <Time seconds={blockTimestamp} /> },
];

/** What is known of a chain that is followed. */
const followed: readonly Column<Chain>[] = [
  {
    title: 'Newest block of the node',
    isFigure: true,
    cell: ofFollowed(({ headNumber }) => (headNumber ? grouped(headNumber) : 'not known')),
  },
  {
    title: 'Blocks behind',
    isFigure: true,
    cell: ofFollowed(({ blocksBehind }) => blocksBehind ?? 'not known'),
  },
  {
    title: 'Blocks with gaps',
    isFigure: true,
    cell: ofFollowed(({ blocksWithGaps }) =>
      blocksWithGaps === MOST_GAPS ? `${MOST_GAPS} or more` : (blocksWithGaps ?? 'not known'),
    ),
  },
  {
    title: 'All blocks were stored at',
    cell: ofFollowed(({ currentTimestamp }) =>
      currentTimestamp ? <Time seconds={currentTimestamp} /> : 'not yet',
    ),
  },
];

/** Of a chain that is not followed, among others that are, a dash says it. */
function ofFollowed(cell: Column<Chain>['cell']): Column<Chain>['cell'] {
  return (chain) => (chain.isFollowed ? cell(chain) : <span class="unknown">–</span>);
}

/** How far each chain is. What only a follower knows is said once to be missing. */
function Chains({ chains }: { chains: readonly Chain[] }) {
  const others = chains.filter(({ isFollowed }) => !isFollowed);
  const names = others.map(nameOf);
  const isAny = names.length < chains.length;
  return (
    <>
      {names.length > 0 && (
        <p>
          {isAny ? `Not followed from a node: ${names.join(', ')}.` : 'No chain is followed from a node.'}
          {/* Of one that is waited for, nothing may be stored. */}
          {others.some(({ blockNumber }) => blockNumber) && ' What is stored came from files.'}
        </p>
      )}
      <Table
        label="Chains"
        columns={isAny ? [...columns, ...followed] : columns}
        rows={chains}
        keyOf={nameOf}
        none="Nothing is indexed yet."
      />
    </>
  );
}

const nameOf = ({ network, blockchainAlias }: Chain) => `${network} ${chainName(blockchainAlias)}`;

/** How far each chain is, the version of the gateway, and what it allows a client. */
export function StatusPage() {
  return (
    <Page
      title="Status"
      document={StatusDocument}
      variables={{}}
      find={(data) => data}
      missing=""
      everyMs={AGAIN_MS}
    >
      {({ chainStatus, serviceConfig, rateLimit }) => (
        <>
          <Part title="Chains">
            <Chains chains={chainStatus ?? []} />
          </Part>
          {serviceConfig && <Limits config={serviceConfig} rate={rateLimit} />}
        </>
      )}
    </Page>
  );
}

const count = (value: number) => value.toLocaleString('en');

function Limits({ config, rate }: { config: Config; rate: StatusQuery['rateLimit'] }) {
  return (
    <>
      <Part title="Gateway">
        <Facts
          facts={[
            ['Version', config.version],
            [
              'Requests',
              rate
                ? `${count(rate.limit)} in ${count(rate.windowSeconds)} s on the plan ${rate.plan}; ${count(rate.remaining)} are left for ${count(rate.resetSeconds)} s`
                : 'not limited',
            ],
            [
              'Cost of a request',
              config.costPerRequest ? `${count(config.costPerRequest)} count as one` : 'not charged',
            ],
            ...config.fieldLimits.map(
              ({ field, calls, seconds }) => [field, `${count(calls)} calls in ${count(seconds)} s`] as const,
            ),
          ]}
        />
      </Part>
      <Part title="Limits of a request">
        <Facts
          facts={[
            ['Cost', count(config.maxCost)],
            ['Depth', count(config.maxDepth)],
            ['Aliases', count(config.maxAliases)],
            ['Tokens', count(config.maxTokens)],
            ['Body', `${count(config.maxBodyBytes)} bytes`],
            ['Time', `${count(config.requestTimeoutMilliseconds)} ms`],
            ['Rows on a page', count(config.maxPageSize)],
            ['Rows on a page of metrics', count(config.maxMetricsPageSize)],
            ['Addresses in a list', count(config.maxAddresses)],
            ['Ids of nodes', count(config.maxNodeIds)],
            ['Conditions of a composite query', count(config.maxSubQueries)],
            ['Cursors are valid for', `${count(config.pageTokenLifetimeSeconds / 3600)} hours`],
            ['Requests in flight, of each process', count(config.maxRequestsInFlight)],
          ]}
        />
      </Part>
    </>
  );
}
