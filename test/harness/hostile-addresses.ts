import type { OutboundReason } from '../../src/outbound/error.js';

/** Addresses that must be refused; PORT is the forbidden listener's port, which is among the allowed ones. */
export const hostileAddresses: [address: string, reason: OutboundReason][] = [
  ...[
    '127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7F.1 0x7f.0x0.0x0.0x1 0177.0.0.1 017700000001 00000177.1',
    '127.0.0.1. 127.255.255.254 0.0.0.0 0 0x0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254',
    '0xa9fea9fe 2852039166 0251.0376.0251.0376 100.64.0.1 100.100.100.200 192.0.0.192 192.0.2.1 192.88.99.1',
    '192.31.196.1 192.52.193.1 192.175.48.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1',
    '255.255.255.255 168.63.129.16 １２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 %31%32%37.0.0.1 127%2e0.0.1',
    '[::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:10.0.0.1] [::127.0.0.1] [::7f00:1]',
    '[::ffff:0:127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:a9fe:a9fe::]',
    '[2001:0:7f00:1::] [2001:0:4136:e378:8000:63bf:80ff:fffe] [fe80::1] [fc00::1] [fd00:ec2::254] [fec0::1] [ff02::1]',
    '[100::1] [2001:db8::1] [3fff::1] [2001:2::1] [2001:10::1] [2001:20::1] [5f00::1] [4000::1] [e000::1]',
    'localhost LOCALHOST localhost. loopback.test loopback6.test mapped.test private.test metadata.test zone.test',
    'any.test nat64.test mixed.test mixed6.test octal.test garbage.test',
  ]
    .join(' ')
    .split(' ')
    .map((host): [string, OutboundReason] => [`http://${host}:PORT/`, 'address-refused']),
  ['https://127.0.0.1:PORT/', 'address-refused'],
  ['http:127.0.0.1:PORT/', 'address-refused'],
  ['http:///127.0.0.1:PORT/', 'address-refused'],
  ['http:\\\\127.0.0.1:PORT\\', 'address-refused'],
  ['\thttp://127.0.0.1:PORT/', 'address-refused'],
  ['ht\ntp://127.0.0.\n1:PORT/', 'address-refused'],
  ['http://127.0.0.1:PORT\\@public.test/', 'address-refused'],
  ['http://127.0.0.1:PORT#@public.test/', 'address-refused'],
  ['http://127.0.0.1:PORT?@public.test/', 'address-refused'],
  ['http://[fe80::1%25lo]:PORT/', 'address-malformed'],
  ['http://[::1:PORT/', 'address-malformed'],
  ['http://256.0.0.1:PORT/', 'address-malformed'],
  ['http://0x100000000:PORT/', 'address-malformed'],
  ['http://127.0.0.1.1.1:PORT/', 'address-malformed'],
  ['http://127.0.0.1:99999/', 'address-malformed'],
  ['http://', 'address-malformed'],
  ['//127.0.0.1:PORT/', 'address-malformed'],
  ['127.0.0.1:PORT', 'address-malformed'],
  ['', 'address-malformed'],
  [`http://public.test/${'a'.repeat(10_000)}`, 'address-malformed'],
  ['http://user@127.0.0.1:PORT/', 'credentials-refused'],
  ['http://public.test@127.0.0.1:PORT/', 'credentials-refused'],
  ['http://public.test%00@127.0.0.1:PORT/', 'credentials-refused'],
  ['http://:secret@public.test/', 'credentials-refused'],
  ['http://public.test:22/', 'port-refused'],
  ['http://public.test:6379/', 'port-refused'],
  ['https://public.test:8443/', 'port-refused'],
  ['http://93.184.215.14:25/', 'port-refused'],
  ['http://no-such-name.test/', 'name-not-resolved'],
  ['file:///etc/passwd', 'scheme-refused'],
  ...['ftp', 'ws', 'gopher', 'dict', 'ldap', 'ssh', 'ar', 'javascript', 'blob:http', 'unix'].map(
    (scheme): [string, OutboundReason] => [`${scheme}://127.0.0.1:PORT/`, 'scheme-refused'],
  ),
];
