import { isIPv6, type LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { acceptedEncodings, readBody } from './body.js';
import { unlessAborted } from '../stop.js';
import { OutboundError, type OutboundReason } from './error.js';
import { observed, type OutboundObserver } from './observer.js';
import type { Outbound, OutboundReply, OutboundRequest } from './request.js';
import { parseTarget, type Policy, resolveTarget, systemResolve } from './target.js';

/** Times in milliseconds. */
export interface OutboundLimits {
  connectMs: number;
  /** Longest silence: until the headers, and between two pieces of the body. */
  idleMs: number;
  /** The whole request with its redirects. */
  totalMs: number;
  redirects: number;
}

export interface OutboundOptions extends Partial<Policy> {
  limits?: Partial<OutboundLimits>;
  /** The default observer of requests. */
  observer?: OutboundObserver | undefined;
}

const defaultLimits: OutboundLimits = { connectMs: 5_000, idleMs: 10_000, totalMs: 25_000, redirects: 3 };
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Makes the function through which all requests to foreign servers go.
 *
 * The host and its resolved addresses are checked before a connection is opened, which then goes only to a
 * checked address: a second resolution could give another one. Each redirect is checked again.
 *
 * @throws (the returned function) OutboundError; the reason of `signal` when that ended it
 */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const limits = { ...defaultLimits, ...options.limits };
  const policy: Policy = {
    allowLoopback: options.allowLoopback ?? false,
    ports: options.ports ?? [80, 443],
    resolve: options.resolve ?? systemResolve,
  };
  const outbound: Outbound = async (outgoing) => {
    const timeout = AbortSignal.timeout(limits.totalMs);
    const signal = outgoing.signal ? AbortSignal.any([timeout, outgoing.signal]) : timeout;
    try {
      signal.throwIfAborted();
      // Name resolution cannot be cancelled, so it is only no longer awaited.
      return await unlessAborted(signal, follow(outgoing, policy, limits, signal));
    } catch (error) {
      if (outgoing.signal?.aborted) throw outgoing.signal.reason;
      throw asOutboundError(error, outgoing.name);
    }
  };
  return (outgoing) => {
    const observer = outgoing.observer ?? options.observer;
    return observer ? observed(outbound, outgoing, observer) : outbound(outgoing);
  };
}

async function follow(
  outgoing: OutboundRequest,
  policy: Policy,
  limits: OutboundLimits,
  signal: AbortSignal,
): Promise<OutboundReply> {
  const seen = new Set<string>();
  let url = outgoing.trusted ? new URL(outgoing.url) : parseTarget(outgoing.url);
  const { origin } = url;
  let trusted = outgoing.trusted ?? false;
  const credentials = basicAuthorization(url);
  for (;;) {
    url.hash = '';
    if (seen.has(url.href)) throw refused('too-many-redirects', `${outgoing.name} redirects in a loop`);
    seen.add(url.href);
    // After a redirect away, the operator's origin is guarded like any other: a foreign server must not
    // redirect back into it.
    trusted &&= url.origin === origin;
    const addresses = trusted ? null : await resolveTarget(url, policy);
    signal.throwIfAborted();
    const headers = trusted ? { ...credentials, ...outgoing.headers } : outgoing.headers;
    const reply = await once(url, addresses, { ...outgoing, headers }, limits, signal);
    if (!(reply instanceof URL)) return reply;
    if (outgoing.method === 'POST') throw refused('redirect-refused', `${outgoing.name} redirects`);
    if (seen.size > limits.redirects)
      throw refused('too-many-redirects', `${outgoing.name} redirects too often`);
    url = parseTarget(reply.href);
  }
}

/** The credentials that an operator wrote into an address; they are sent only to its origin. */
function basicAuthorization(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {};
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** One request without redirects; for a redirect, its address. */
async function once(
  url: URL,
  addresses: string[] | null,
  outgoing: OutboundRequest,
  limits: OutboundLimits,
  signal: AbortSignal,
): Promise<OutboundReply | URL> {
  // Imported by the first request, because many gateways make none.
  const { Agent, request } = await import('undici');
  const agent = new Agent({
    connect: { timeout: limits.connectMs, ...(addresses && { lookup: pinnedTo(addresses) }) },
    headersTimeout: limits.idleMs,
    bodyTimeout: limits.idleMs,
  });
  try {
    const response = await request(url, {
      dispatcher: agent,
      method: outgoing.method ?? 'GET',
      headers: { 'user-agent': 'moraine', 'accept-encoding': acceptedEncodings, ...outgoing.headers },
      body: outgoing.body ?? null,
      signal,
    });
    // An abandoned body emits an error, and without a listener that would end the process.
    response.body.on('error', () => {});
    const location = header(response, 'location');
    if (redirects.has(response.statusCode) && location !== undefined) {
      if (!URL.canParse(location, url.href)) {
        throw refused('redirect-refused', `${outgoing.name} redirects without an address`);
      }
      return new URL(location, url);
    }
    const contentType = (header(response, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
    const framing = {
      encoding: header(response, 'content-encoding'),
      length: header(response, 'content-length'),
    };
    const body = outgoing.unread?.test(contentType)
      ? Buffer.alloc(0)
      : await readBody(response.body, framing, outgoing.maxBytes);
    return { status: response.statusCode, contentType, body };
  } finally {
    void agent.destroy();
  }
}

/**
 * A lookup that returns the checked addresses. Sockets skip it for IP literals, which are checked directly.
 */
function pinnedTo(addresses: string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, options, callback) => {
    if (options.all) callback(null, answers);
    else callback(null, answers[0]!.address, answers[0]!.family);
  };
}

// A repeated header arrives as a list. Joined, it is a value that nothing accepts, as it should be.
function header(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function refused(reason: OutboundReason, message: string): OutboundError {
  return new OutboundError(reason, message, false);
}

function asOutboundError(error: unknown, name: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const { name: kind, code } = error as { name?: string; code?: string };
  if (kind === 'TimeoutError' || /TIMEOUT|ETIMEDOUT/.test(code ?? '')) {
    return new OutboundError('timeout', `${name} did not answer in time`, true, { cause: error });
  }
  return new OutboundError('unreachable', `${name} cannot be reached, or closed the connection`, true, {
    cause: error,
  });
}
