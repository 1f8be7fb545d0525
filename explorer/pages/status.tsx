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
  { title: 'Chain', cell: ({ blockchainAlias }) => blockchainAlias },
  {
    title: 'Newest stored block',
    cell: ({ network, blockchainAlias, blockNumber }) =>
      blockNumber ? (
        <a href={blockPath(network, blockchainAlias, blockNumber)}>{grouped(blockNumber)}</a>
      ) : (
        'not known'
      ),
  },
  { title: 'Its time', cell: ({ blockTimestamp }) => <Time seconds={blockTimestamp} /> },
  {
    title: 'Newest block of the node',
    cell: ({ isFollowed, headNumber }) =>
      !isFollowed ? 'not followed' : headNumber ? grouped(headNumber) : 'not known',
  },
  {
    title: 'Blocks behind',
    cell: ({ isFollowed, blocksBehind }) => (isFollowed ? (blocksBehind ?? 'not known') : 'not followed'),
  },
  {
    title: 'Blocks with gaps',
    cell: ({ isFollowed, blocksWithGaps }) =>
      !isFollowed
        ? 'not followed'
        : blocksWithGaps === MOST_GAPS
          ? `${MOST_GAPS} or more`
          : (blocksWithGaps ?? 'not known'),
  },
  {
    title: 'All blocks were stored at',
    cell: ({ isFollowed, currentTimestamp }) =>
      !isFollowed ? 'not followed' : currentTimestamp ? <Time seconds={currentTimestamp} /> : 'not yet',
  },
];

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
            <Table
              label="Chains"
              columns={columns}
              rows={chainStatus ?? []}
              keyOf={({ network, blockchainAlias }) => `${network} ${blockchainAlias}`}
              none="Nothing is indexed yet."
            />
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
