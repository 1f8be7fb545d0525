import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMetadataUri } from '../../src/resources/nft/metadata/contract.js';
import { MetadataError } from '../../src/resources/nft/metadata/error.js';
import { OutboundError, type OutboundReason } from '../../src/outbound/error.js';
import { createOutbound, type Outbound } from '../../src/outbound/fetch.js';
import { type LoopbackServer, serveHttp, serveSockets } from '../harness/loopback.js';

/** What names resolve to; the last answer stays. */
const names: Record<string, string[][]> = {
  localhost: [['127.0.0.1']],
  'localhost.': [['127.0.0.1']],
  'loopback.test': [['127.0.0.1']],
  'loopback6.test': [['::1']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'private.test': [['10.1.2.3']],
  'metadata.test': [['169.254.169.254']],
  'zone.test': [['fe80::1%lo']],
  'any.test': [['0.0.0.0']],
  'nat64.test': [['64:ff9b::7f00:1']],
  'mixed.test': [['93.184.215.14', '127.0.0.1']],
  'mixed6.test': [['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::1']],
  'octal.test': [['0177.0.0.1']],
  'garbage.test': [['not an address']],
  'public.test': [['93.184.215.14']],
};

/** Addresses that must be refused; PORT is the forbidden listener's port, which is among the allowed ones. */
const hostile: [address: string, reason: OutboundReason][] = [
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

let forbidden: LoopbackServer;
let redirecting: LoopbackServer;
let resolutions: string[];
let outbound: Outbound;
const filled = (address: string) => address.replaceAll('PORT', String(forbidden.port));

beforeAll(async () => {
  // All addresses of this machine, IPv4 and IPv6: whichever spelling got through would be counted.
  forbidden = await serveSockets((socket) => void socket.end(), '::').catch(() =>
    serveSockets((socket) => void socket.end(), '0.0.0.0'),
  );
  redirecting = await serveHttp((request, response) => {
    const location = new URL(request.url!, 'http://localhost').searchParams.get('to')!;
    response.writeHead(302, { location }).end();
  });
  resolutions = [];
  outbound = createOutbound({ ports: [80, 443, forbidden.port], resolve: fakeResolve });
});

afterAll(async () => {
  await forbidden.close();
  await redirecting.close();
});

async function fakeResolve(host: string): Promise<string[]> {
  resolutions.push(host);
  const answers = names[host];
  if (!answers) throw new Error('ENOTFOUND');
  return Promise.resolve(answers.length > 1 ? answers.shift()! : answers[0]!);
}

async function reasonOf(request: Promise<unknown>): Promise<string> {
  const error: unknown = await request.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (error instanceof OutboundError || error instanceof MetadataError) return error.reason;
  throw error;
}

describe('a guarded request', () => {
  test('has a table of more than sixty hostile addresses', () => {
    expect(new Set(hostile.map(([address]) => address)).size).toBeGreaterThan(100);
  });

  test.each(hostile)('refuses %j without opening a connection', async (address, reason) => {
    const request = outbound({ url: filled(address), name: 'the server', maxBytes: 10 });
    expect(await reasonOf(request)).toBe(reason);
    expect(forbidden.accepts()).toBe(0);
  });

  const asRedirect = hostile.filter(([address]) => /^[a-z]+:[\x21-\x7e]{3,9000}$/.test(address));
  test.each(asRedirect)('refuses a redirect to %j without opening a connection', async (address, reason) => {
    const before = redirecting.accepts();
    const url = `${redirecting.url}/?to=${encodeURIComponent(filled(address))}`;
    const relative = !URL.canParse(filled(address)) || /^http:1/.test(address);
    const request = outbound({ url, trusted: true, name: 'the gateway', maxBytes: 10 });
    // Seen from an http page, "http:127.0.0.1" is a path of that page and no host.
    if (relative)
      expect(['redirect-refused', 'too-many-redirects', 'address-refused']).toContain(
        await reasonOf(request),
      );
    else expect(await reasonOf(request)).toBe(reason);
    expect(redirecting.accepts()).toBeGreaterThan(before);
    expect(forbidden.accepts()).toBe(0);
  });

  test.each(hostile)('refuses %j as the RPC that came with an imported chain', async (address, reason) => {
    const token = { evmChainId: 1n, address: `0x${'11'.repeat(20)}` as const, tokenId: 1n };
    const rpc = { url: filled(address), trusted: false };
    expect(await reasonOf(readMetadataUri(token, rpc, outbound, new AbortController().signal))).toBe(reason);
    expect(forbidden.accepts()).toBe(0);
  });

  test('publishes neither the resolved address nor the port it went to', async () => {
    const request = outbound({ url: 'http://private.test/', name: 'the server', maxBytes: 10 });
    const message = await request.catch((error: Error) => error.message);
    expect(message).toContain('private.test');
    expect(message).not.toContain('10.1.2.3');
  });
});

describe('a name that changes between check and use', () => {
  test('is resolved once, and the connection goes to the checked address', async () => {
    const allowed = await serveHttp((_request, response) => response.end('checked'));
    const loopback = createOutbound({ allowLoopback: true, resolve: fakeResolve });
    // 127.0.0.2 is the forbidden listener's as well; the allowed one listens on 127.0.0.1 alone.
    names['rebind.test'] = [['127.0.0.1'], ['127.0.0.2'], ['10.0.0.1']];
    resolutions = [];
    const reply = await loopback({
      url: `http://rebind.test:${allowed.port}/`,
      name: 'the server',
      maxBytes: 10,
    });
    expect(reply.body.toString()).toBe('checked');
    expect(resolutions).toEqual(['rebind.test']);
    await allowed.close();
  });

  test('is refused when its second answer is reached by a redirect to itself', async () => {
    let location = '';
    const allowed = await serveHttp((_request, response) => response.writeHead(302, { location }).end());
    location = `http://turn.test:${forbidden.port}/`;
    names['turn.test'] = [['127.0.0.1'], ['10.0.0.1']];
    const loopback = createOutbound({ allowLoopback: true, resolve: fakeResolve });
    const request = loopback({ url: `http://turn.test:${allowed.port}/`, name: 'the server', maxBytes: 10 });
    expect(await reasonOf(request)).toBe('address-refused');
    expect(forbidden.accepts()).toBe(0);
    await allowed.close();
  });
});

describe('the permission for loopback addresses', () => {
  test('reaches the listener that was forbidden, so that its count means something', async () => {
    const loopback = createOutbound({ allowLoopback: true, resolve: fakeResolve });
    const url = `http://127.0.0.1:${forbidden.port}/`;
    expect(await reasonOf(loopback({ url, name: 'the server', maxBytes: 10 }))).toBe('unreachable');
    expect(forbidden.accepts()).toBeGreaterThan(0);
  });

  test('does not extend to private addresses or to names that also resolve elsewhere', async () => {
    const loopback = createOutbound({ allowLoopback: true, resolve: fakeResolve });
    for (const host of ['10.0.0.1', '169.254.169.254', '[fd00::1]', 'private.test', 'mixed.test']) {
      const request = loopback({ url: `http://${host}/`, name: 'the server', maxBytes: 10 });
      expect(await reasonOf(request)).toBe('address-refused');
    }
  });
});
