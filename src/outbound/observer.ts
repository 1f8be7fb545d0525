import { OutboundError, type OutboundReason } from './error.js';
import type { Outbound, OutboundRequest } from './fetch.js';

/** How a fetch ended. */
export interface OutboundEnd {
  /** Of the last reply; absent where none was read to its end. */
  status?: number;
  /** Of its body, unpacked. */
  bytes?: number;
  /** Why there is no reply; `given-up` when the caller wanted it no longer. */
  reason?: OutboundReason | 'given-up';
}

/** Is told of fetches: not of paths and queries, which may hold keys. */
export interface OutboundObserver {
  /**
   * A fetch begins, its redirects included; call the answer at its end.
   *
   * @param origin undefined for an address that has none
   */
  fetch(method: string, origin: URL | undefined): (end: OutboundEnd) => void;
}

/** Fetches and tells of it. */
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
  // "null" where the scheme knows no origin.
  const { origin } = new URL(address);
  return URL.canParse(origin) ? new URL(origin) : undefined;
}
