import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isLoopbackIp, isPublicIp } from './ip.js';
import { OutboundError } from './error.js';

/** Resolves a host name to IP addresses, as the connection would; rejects when there is none. */
export type Resolve = (host: string) => Promise<string[]>;

/** What a guarded request may reach. */
export interface Policy {
  /** Addresses of this machine are permitted, on any port. */
  allowLoopback: boolean;
  /** TCP ports that may be reached on other hosts. */
  ports: readonly number[];
  resolve: Resolve;
}

const longestAddress = 8192;

/** The system's resolver, /etc/hosts included. */
export async function systemResolve(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/**
 * Reads an http(s) address. WHATWG parsing turns every spelling of an IPv4 host (decimal, octal, hexadecimal,
 * short, full-width digits) into four decimal parts and refuses IPv6 zones.
 *
 * @throws OutboundError for anything but http(s) without credentials
 */
export function parseTarget(text: string): URL {
  if (text.length > longestAddress) {
    throw new OutboundError(
      'address-malformed',
      `the address is longer than ${longestAddress} characters`,
      false,
    );
  }
  if (!URL.canParse(text)) {
    throw new OutboundError('address-malformed', `${shown(text)} is not an address`, false);
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError(
      'scheme-refused',
      `addresses that begin with ${shown(url.protocol)} are not fetched; only http, https, ipfs, ar and data addresses are`,
      false,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('credentials-refused', 'the address contains a user name or password', false);
  }
  return url;
}

/**
 * Resolves the host of an untrusted address and checks every answer.
 *
 * @returns the addresses to connect to, and to no other
 * @throws OutboundError when the host, one of its addresses or the port is not permitted
 */
export async function resolveTarget(url: URL, policy: Policy): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) ? [host] : await resolveName(host, policy.resolve);
  if (policy.allowLoopback && addresses.every(isLoopbackIp)) return addresses;
  // One forbidden address refuses the name, because the connection chooses among them.
  if (!addresses.every(isPublicIp)) {
    throw new OutboundError(
      'address-refused',
      `${shown(url.host)} is not a host of the public internet`,
      false,
    );
  }
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (!policy.ports.includes(port)) {
    const allowed = policy.ports.join(' and ');
    throw new OutboundError('port-refused', `port ${port} is not allowed; only ${allowed} are`, false);
  }
  return addresses;
}

async function resolveName(host: string, resolve: Resolve): Promise<string[]> {
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length > 0) return addresses;
  throw new OutboundError('name-not-resolved', `the host name ${shown(host)} does not resolve`, true);
}

/** Foreign text as it may be in a message: one line of at most 120 characters without control characters. */
export function shown(text: string): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ');
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
