import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { useAnswer } from '../ask.js';
import { FirstNetworkDocument, NewestDocument, type NewestQuery } from '../generated/graphql.js';
import { Part, Standing } from '../components/answer.js';
import { TransactionTable } from '../components/lists.js';
import { Page } from '../components/page.js';
import { Time } from '../components/text.js';
import { blockPath, networkOf, networkPath, type NetworkName } from '../paths.js';

const chains = [
  ['p', 'P-chain'],
  ['x', 'X-chain'],
  ['c', 'C-chain, atomic transactions'],
] as const;

/** How often the newest are asked for, milliseconds. */
const AGAIN_MS = 20_000;

/** The first screen: moves on to a network with data, mainnet first. */
export function Home() {
  const { route } = useLocation();
  const answer = useAnswer(FirstNetworkDocument, {});
  const [first] = answer.data?.chainStatus ?? [];
  const path = first && networkPath(networkOf(first.network));
  useEffect(() => {
    // The visitor may have moved on already: this runs after the page was painted.
    if (path && window.location.pathname === '/') route(path, true);
  }, [path]);
  if (!answer.data || path) return <Standing answer={answer} />;
  return (
    <>
      <h1>Nothing is indexed yet</h1>
      <p>
        Fill the database with <code>moraine import FILE</code> or <code>moraine follow URL</code>.{' '}
        <a href="/overview">The overview</a> has first requests.
      </p>
    </>
  );
}

/** The newest transactions of each chain of a network, and how far each chain is. */
export function Newest({ network }: { network: NetworkName }) {
  return (
    <Page
      title={`Newest on ${network}`}
      document={NewestDocument}
      variables={{ network }}
      find={(data) => data}
      missing=""
      everyMs={AGAIN_MS}
    >
      {(data) => (
        <>
          <Chains network={network} statuses={data.chainStatus ?? []} />
          {chains.map(([key, title]) => (
            <Part key={key} title={title}>
              <TransactionTable
                rows={data[key]?.nodes ?? []}
                label={`Newest transactions: ${title}`}
                without={['Chain']}
              />
            </Part>
          ))}
        </>
      )}
    </Page>
  );
}

function Chains({
  network,
  statuses,
}: {
  network: NetworkName;
  statuses: NonNullable<NewestQuery['chainStatus']>;
}) {
  if (statuses.length === 0) return <p>Nothing of {network} is indexed.</p>;
  return (
    <ul class="chains">
      {statuses.map(({ blockchainAlias, blockNumber, blockTimestamp, blocksBehind, isFollowed }) => (
        <li key={blockchainAlias}>
          <b>{blockchainAlias}</b>
          <span>
            Newest block:{' '}
            {blockNumber ? (
              <a href={blockPath(network, blockchainAlias, blockNumber)}>{blockNumber}</a>
            ) : (
              'unknown'
            )}
          </span>
          <span>
            <Time seconds={blockTimestamp} />
          </span>
          <span>{isFollowed ? `${blocksBehind ?? 'unknown'} blocks behind the node` : 'not followed'}</span>
        </li>
      ))}
    </ul>
  );
}
