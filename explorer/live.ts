import type { QueryClient } from '@tanstack/query-core';
import { useEffect } from 'preact/hooks';
import { LiveDocument } from './generated/graphql.js';
import { pauseAfter, refusalOf } from './send.js';
import { isRepeated, useLead } from './shared.js';
import type { ChainNow } from './stream.js';

/** An answer that the stream brings up to date. */
interface Chains {
  chainStatus?: readonly Pick<ChainNow, 'network' | 'blockchainAlias'>[] | null;
}

const deps = { query: String(LiveDocument), pauseAfter, refusalOf };

const channel = new BroadcastChannel('moraine live');

/** Has the answers of this tab follow the stream that another tab has open. */
export function followStream(client: QueryClient): void {
  channel.onmessage = ({ data }: MessageEvent<ChainNow>) => take(client, data);
}

/**
 * Opens the one stream of the browser: one tab does of those that are seen and show what it brings, and tells
 * the others, because a browser has six connections to a host over HTTP/1.1. Without locks, which browsers
 * have only in a secure context, there is none, and tabs ask.
 */
export function useStream(client: QueryClient, wants: boolean): void {
  const leads = useLead('stream', wants && 'locks' in navigator);
  useEffect(() => {
    if (!leads) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const next = (chain: ChainNow) => {
      channel.postMessage(chain);
      take(client, chain);
    };
    // What was stored before it began is not known.
    const begun = () => void client.refetchQueries({ type: 'active', predicate: isRepeated });
    // Without its file the tabs ask.
    import('./stream.js').then(
      ({ keepStream }) => keepStream({ next, begun }, deps, signal),
      () => undefined,
    );
    return () => leaving.abort();
  }, [client, leads]);
}

/** Brings the answers that are shown up to date. */
function take(client: QueryClient, chain: ChainNow): void {
  if (document.hidden) return;
  const isOfChain = ({ network, blockchainAlias }: NonNullable<Chains['chainStatus']>[number]) =>
    network === chain.network && blockchainAlias === chain.blockchainAlias;
  for (const { queryKey, state } of client
    .getQueryCache()
    .findAll({ type: 'active', predicate: isRepeated })) {
    const { chainStatus } = (state.data ?? {}) as Chains;
    const [, variables] = queryKey as [string, { network?: string }];
    if (!chainStatus || (variables.network ?? chain.network) !== chain.network) continue;
    if (chainStatus.some(isOfChain))
      client.setQueryData<Chains>(queryKey, (data) => ({
        ...data,
        chainStatus: chainStatus.map((each) => (isOfChain(each) ? Object.assign({}, each, chain) : each)),
      }));
    // The first rows of a chain.
    else void client.refetchQueries({ queryKey, exact: true });
  }
}
