import {
  hashKey,
  QueryClient,
  QueryObserver,
  type Query,
  type QueryObserverOptions,
} from '@tanstack/query-core';
import { useLocation } from 'preact-iso/router';
import { useEffect, useLayoutEffect, useReducer, useState } from 'preact/hooks';
import { followStream, useStream } from './live.js';
import { ask, pauseAfter, Refusal, wordsOf, type Document } from './send.js';
import { seen, shareAnswers, useLead, type Repeated } from './shared.js';

/** How long an answer is shown again without being asked for again, milliseconds. */
const FRESH_MS = 30_000;
/** How long an answer is kept that nothing shows, for Back, milliseconds. */
const KEPT_MS = 900_000;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // What a browser says of its network is often wrong: whether the gateway is there is found by asking.
      networkMode: 'always',
      staleTime: FRESH_MS,
      gcTime: KEPT_MS,
      retry: (_failures, error) => !(error instanceof Refusal && error.isLasting),
      retryDelay: pauseAfter,
      refetchOnReconnect: false,
    },
  },
});
client.mount();
shareAnswers(client);
followStream(client);

/** What is known of an answer: `data` stays shown while it is asked again. */
export interface Answer<Data> {
  data?: Data | undefined;
  /** For people: what was refused, or that the gateway cannot be reached. */
  failure?: string | undefined;
  /** Whether `data` are of other variables, and those of these are awaited. */
  isEarlier?: boolean;
  /** When `data` were answered, milliseconds since 1970; 0 without. */
  at: number;
  /** When it will be asked again by itself after a failure, milliseconds since 1970; undefined if never. */
  againAt?: number | undefined;
  /** Asks again at once. */
  again: () => void;
}

/**
 * The answer to a document, asked when its variables change. What fails is asked again, after pauses. When
 * only a query of the page's address changes, such as the page of a list, the former data stay shown until
 * the new ones are there. A tab that is not seen asks nothing.
 *
 * @param everyMs how long after an answer, or an event of the stream, it is asked again, milliseconds, by one
 *   tab of the browser; if omitted, only when it is shown anew
 */
export function useAnswer<Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
  everyMs?: number,
): Answer<Data> {
  const { path } = useLocation();
  const queryKey = [String(document), variables];
  const name = hashKey(queryKey);
  const isRepeated = everyMs !== undefined;
  const leads = useLead(name, isRepeated);
  const options: QueryObserverOptions<Data> = {
    queryKey,
    queryFn: ({ signal }) => seen().then(() => ask(document, variables, signal)),
    meta: { path, isRepeated } satisfies Repeated,
    placeholderData: ((data?: Data, query?: Query) =>
      query?.meta?.['path'] === path ? data : undefined) as QueryObserverOptions<Data>['placeholderData'],
    staleTime: everyMs ?? FRESH_MS,
    // Waits anew after each answer, and after each event of the stream.
    refetchInterval: leads && everyMs,
    // What happened while it was not seen is not known.
    refetchOnWindowFocus: isRepeated && 'always',
  };
  const [observer] = useState(() => new QueryObserver<Data>(client, options));
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  // What is asked for first is requested before the first paint, not after it.
  useLayoutEffect(() => observer.subscribe(() => redraw(undefined)), [observer]);
  useEffect(() => observer.setOptions(options), [name, everyMs, leads, path]);
  const result = observer.getOptimisticResult(client.defaultQueryOptions(options));
  const { data, failureReason, failureCount, isPlaceholderData, fetchStatus } = result;
  useStream(client, isRepeated && data !== undefined);
  const willAsk = failureReason instanceof Refusal && fetchStatus === 'fetching';
  return {
    data,
    failure: failureReason === null ? undefined : wordsOf(failureReason),
    isEarlier: isPlaceholderData,
    at: result.dataUpdatedAt,
    againAt: willAsk ? failureReason.at + pauseAfter(failureCount - 1, failureReason) : undefined,
    again: () => {
      // A pause is not cut short otherwise.
      void client.cancelQueries({ queryKey }).then(() => observer.refetch());
    },
  };
}

/** The answer to a document once, from what is kept if that is fresh. @throws Refusal */
export const askOnce = <Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
): Promise<Data> =>
  client.fetchQuery<Data>({
    queryKey: [String(document), variables],
    queryFn: ({ signal }) => ask(document, variables, signal),
    retry: false,
  });
