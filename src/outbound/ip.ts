import ipaddr from 'ipaddr.js';

// Public by its range, but in every virtual machine of Azure the platform's own services answer it.
const platformAddresses = new Set(['168.63.129.16']);
// The only block from which global IPv6 unicast has been allocated (IANA, RFC 4291 section 2.4). ipaddr.js
// calls everything outside its named ranges unicast, including the IPv4-compatible ::127.0.0.1.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address (as a resolver or a URL prints it, IPv6 without brackets) belongs to the public
 * internet. IPv4-mapped addresses are judged by the IPv4 address inside. Tunnels and translators that carry
 * an IPv4 address (NAT64, 6to4, Teredo, SIIT) and addresses with a zone are never public.
 */
export function isPublicIp(text: string): boolean {
  const address = parse(text);
  if (!address || address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv6') return (address as ipaddr.IPv6).match(globalUnicast);
  return !platformAddresses.has(address.toString());
}

/** Whether an IP address belongs to this machine: 127.0.0.0/8, ::1 or the former inside ::ffff:0:0/96. */
export function isLoopbackIp(text: string): boolean {
  return parse(text)?.range() === 'loopback';
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // Short and octal IPv4 forms mean different addresses to different parsers: only four decimal parts pass.
  if (text.includes('%')) return null;
  if (!text.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(text)) return null;
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}
