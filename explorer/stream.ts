import { createClient, NetworkError } from 'graphql-sse';
import type { LiveSubscription } from './generated/graphql.js';
import type * as send from './send.js';

/** A chain as it is now. */
export type ChainNow = LiveSubscription['chainStatus']['node'];

/**
 * More events than these within so many milliseconds are of a chain that is read from its beginning: to ask
 * now and then costs less than to read them all.
 */
const MOST = { events: 60, ms: 10_000 };
/** How long there is no stream then: as long as after many failures. */
const MANY_FAILURES = 10;

/** What every page has: were it imported, it would be a file of its own, one more request of each page. */
interface Deps extends Pick<typeof send, 'pauseAfter' | 'refusalOf'> {
  /** The text of the subscription. */
  query: string;
}

interface Sink {
  next: (chain: ChainNow) => void;
  /** It was opened, perhaps again: what was stored before is not known. */
  begun: () => void;
}

/** Keeps a stream open until the signal is aborted. One that is refused or breaks is opened again. */
export function keepStream(
  { next, begun }: Sink,
  { query, pauseAfter, refusalOf }: Deps,
  signal: AbortSignal,
): void {
  // The tab may have been hidden while this file was loaded: nobody would close the stream.
  if (signal.aborted) return;
  const client = createClient({ url: '/graphql', retryAttempts: 0 });
  /** Why it was refused, with the time that the gateway wants to be left alone. */
  const reasonOf = (error: unknown) =>
    error instanceof NetworkError && error.response ? refusalOf(error.response as Response, '') : error;
  let failures = 0;
  let timer: number | undefined;
  const again = (error?: unknown) => {
    if (signal.aborted) return;
    timer = window.setTimeout(open, pauseAfter(failures, reasonOf(error)));
    failures += 1;
  };
  const open = () => {
    let count = 0;
    let since = Date.now();
    const close = client.subscribe<LiveSubscription>(
      { query },
      {
        next({ data }) {
          // Without data it says why it ends.
          if (!data || signal.aborted) return;
          failures = 0;
          next(data.chainStatus.node);
          if (Date.now() - since > MOST.ms) [count, since] = [0, Date.now()];
          count += 1;
          if (count <= MOST.events) return;
          failures = MANY_FAILURES;
          close();
        },
        error: again,
        complete: again,
      },
      { connected: begun },
    );
  };
  signal.addEventListener('abort', () => {
    window.clearTimeout(timer);
    client.dispose();
  });
  open();
}
