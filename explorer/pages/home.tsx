import { useLocation } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { useAnswer, type Answer } from '../ask.js';
import { aliasesOf } from '../chains.js';
import {
  FirstNetworkDocument,
  NetworkDaysDocument,
  NewestDocument,
  type ChainNowFragment,
  type NetworkDaysQuery,
} from '../generated/graphql.js';
import { Asked, Standing } from '../components/answer.js';
import { Charts, Numbers } from '../components/network-days.js';
import { Heights, Strip, Transactions } from '../components/newest.js';
import { Page } from '../components/page.js';
import { networkOf, networkPath, type NetworkName } from '../paths.js';

/**
 * How often the newest are asked for while the stream brings nothing, milliseconds. Each time costs one unit
 * of a plan: an hour of a tab that is seen costs 90.
 */
const AGAIN_MS = 40_000;

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
      <Filling />
    </>
  );
}

/** How a database gets its first rows. */
const Filling = () => (
  <div class="card">
    <p>
      Fill the database from a node with <code>moraine follow URL</code>, or from files with{' '}
      <code>moraine import FILE</code>. This page shows the first blocks as soon as they are stored.
    </p>
    <p>
      <a href="/overview">The overview</a> has first requests for programs.
    </p>
  </div>
);

/** What happens on a network: its chains, key figures, newest blocks and transactions, and 30 days. */
export function NetworkPage({ network: name }: { network?: string }) {
  const network = networkOf(name);
  // Together with what the page asks, not after it.
  const days = useAnswer(NetworkDaysDocument, { network });
  return (
    <Page
      title={`Newest on ${network}`}
      document={NewestDocument}
      variables={{ network }}
      find={(data) => data}
      missing=""
      everyMs={AGAIN_MS}
    >
      {(data) =>
        data.chainStatus?.length ? (
          <Shows key={network} chains={data.chainStatus} days={days} network={network} />
        ) : (
          <>
            <p class="empty">
              Nothing of {network} is indexed.{' '}
              <a href={networkPath(network === 'fuji' ? 'mainnet' : 'fuji')}>
                See {network === 'fuji' ? 'mainnet' : 'fuji'}
              </a>{' '}
              instead.
            </p>
            <Filling />
          </>
        )
      }
    </Page>
  );
}

function Shows({
  chains,
  days,
  network,
}: {
  chains: readonly ChainNowFragment[];
  days: Answer<NetworkDaysQuery>;
  network: NetworkName;
}) {
  useEffect(() => {
    // Most links lead to pages of this file. Without it they load it themselves.
    if (days.data) import('./things.js').catch(() => undefined);
  }, [days.data]);
  return (
    <>
      <Strip chains={chains} />
      <Heights chains={chains} network={network} />
      <Numbers days={days.data} network={network} />
      <Transactions chains={chains} aliasOf={aliasesOf(chains)} />
      <Charts days={days.data?.networkStats?.nodes ?? []} />
      <Standing answer={days} />
      <Asked document={NetworkDaysDocument} variables={{ network }} of="the days" />
    </>
  );
}
