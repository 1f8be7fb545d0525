import { OutboundError, type OutboundReason } from './error.js';
import type { Outbound, OutboundRequest } from './request.js';

/** How a fetch ended. */
export interface OutboundEnd {
  /** Of the last reply; absent if none was read to its end. */
  status?: number;
  /** Of its body, unpacked. */
  bytes?: number;
  /** Why there is no reply; `given-up` when the caller no longer wanted it. */
  reason?: OutboundReason | 'given-up';
}

/** Observes fetches, without paths and queries, which may contain keys. */
export interface OutboundObserver {
  /**
   * A fetch begins, including its redirects; call the returned function at its end.
   *
   * @param origin undefined for an address that has none
   */
  fetch(method: string, origin: URL | undefined): (end: OutboundEnd) => void;
}

/** Fetches, and reports it to the observer. */
export async function observed(
  outbound: Outbound,
  outgoing: OutboundRequest,
  observer: OutboundObserver,
): ReturnType<Outbound> {
  const ended = observer.fetch(outgoing.method ?? 'GET', originOf(outgoing.url));
  try {
    const reply = await outbound(outgoing);
    ended({ status: reply.status, bytes: reply.body.length });
    return reply;
  } catch (error) {
    ended({ reason: error instanceof OutboundError ? error.reason : 'given-up' });
    throw error;
  }
}

function originOf(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  // "null" if the scheme has no origin.
  const { origin } = new URL(address);
  return URL.canParse(origin) ? new URL(origin) : undefined;
}
