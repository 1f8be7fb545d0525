import ipaddr from 'ipaddr.js';
import { ConfigError } from '../config.js';

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** Whether a network address is one of the proxies whose X-Forwarded-For is trusted. */
export type TrustedProxies = (address: IpAddress) => boolean;

/**
 * Reads the setting TRUSTED_PROXIES.
 *
 * @param list addresses and CIDR ranges
 * @throws ConfigError that names each entry that is neither
 */
export function parseTrustedProxies(list: readonly string[]): TrustedProxies {
  const wrong = list.filter((entry) => rangeOf(entry) === undefined);
  if (wrong.length > 0)
    throw new ConfigError(
      `TRUSTED_PROXIES: ${wrong.map((entry) => JSON.stringify(entry)).join(', ')} is neither an IP address nor a CIDR range such as 10.0.0.0/8`,
    );
  const ranges = list.map((entry) => rangeOf(entry) as [IpAddress, number]);
  return (address) =>
    ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

/**
 * Who an anonymous caller is counted as: its IPv4 address, or the /64 of its IPv6 address, because one
 * subscriber gets at least that much (RFC 6177) and could otherwise use a new address for each request.
 *
 * X-Forwarded-For is read from the right, one entry for each trusted proxy: the caller could have written
 * anything left of the first address that is not trusted.
 *
 * @param remote the peer's address of the TCP connection
 * @param forwardedFor the X-Forwarded-For header, several of them joined by commas
 */
export function clientIdentity(
  remote: string | undefined,
  forwardedFor: string | undefined,
  isTrusted: TrustedProxies,
): string {
  let address = parseIp(remote ?? '');
  const hops = forwardedFor?.split(',') ?? [];
  while (address && hops.length > 0 && isTrusted(address)) {
    const next = parseIp(withoutPort((hops.pop() ?? '').trim()));
    if (!next) break;
    address = next;
  }
  return `ip:${address ? describe(address) : 'unknown'}`;
}

/** Whether the peer of a TCP connection is a trusted proxy. */
export function isProxy(remote: string | undefined, isTrusted: TrustedProxies): boolean {
  const address = parseIp(remote ?? '');
  return address !== undefined && isTrusted(address);
}

/**
 * The /48 of the peer's IPv6 address, which one site gets (RFC 6177): it has 65,536 of what `clientIdentity`
 * tells apart. Undefined for IPv4.
 */
export function siteOf(remote: string | undefined): string | undefined {
  const address = parseIp(remote ?? '');
  return address?.kind() === 'ipv6' ? networkOf(address as ipaddr.IPv6, 48) : undefined;
}

function describe(address: IpAddress): string {
  return address.kind() === 'ipv4' ? address.toString() : networkOf(address as ipaddr.IPv6, 64);
}

function networkOf({ parts }: ipaddr.IPv6, bits: 48 | 64): string {
  const network = parts.map((part, index) => (index < bits / 16 ? part : 0));
  return `${new ipaddr.IPv6(network).toString()}/${bits}`;
}

// Only the strict four-part form: ipaddr.js also reads 0x7f.1 and 017.0.0.1 as addresses.
function parseIp(text: string): IpAddress | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes(':') || !ipaddr.IPv6.isValid(text)) return undefined;
  return unmapped(ipaddr.IPv6.parse(text));
}

function unmapped(address: ipaddr.IPv6): IpAddress {
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

// Some proxies write 203.0.113.7:4711 and [2001:db8::1]:4711 (RFC 7239, section 6).
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(hop);
  if (bracketed) return bracketed[1] ?? '';
  return /^[\d.]+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop;
}

function rangeOf(entry: string): [IpAddress, number] | undefined {
  const [base = '', bits, ...rest] = entry.split('/');
  const address = parseIp(base);
  if (!address || rest.length > 0) return undefined;
  const most = address.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [address, most];
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? [address, Number(bits)] : undefined;
}
