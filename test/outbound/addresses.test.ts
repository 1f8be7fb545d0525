import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMetadataUri } from '../../src/resources/nft/metadata/contract.js';
import { MetadataError } from '../../src/resources/nft/metadata/error.js';
import { OutboundError } from '../../src/outbound/error.js';
import { createOutbound } from '../../src/outbound/fetch.js';
import type { Outbound } from '../../src/outbound/request.js';
import { hostileAddresses } from '../harness/hostile-addresses.js';
import { type LoopbackServer, serveHttp, serveSockets } from '../harness/loopback.js';

/** The addresses of names; the last answer repeats. */
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
    expect(new Set(hostileAddresses.map(([address]) => address)).size).toBeGreaterThan(100);
  });

  test.each(hostileAddresses)('refuses %j without opening a connection', async (address, reason) => {
    const request = outbound({ url: filled(address), name: 'the server', maxBytes: 10 });
    expect(await reasonOf(request)).toBe(reason);
    expect(forbidden.accepts()).toBe(0);
  });

  const asRedirect = hostileAddresses.filter(([address]) => /^[a-z]+:[\x21-\x7e]{3,9000}$/.test(address));
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

  test.each(hostileAddresses)(
    'refuses %j as the RPC that came with an imported chain',
    async (address, reason) => {
      const token = { evmChainId: 1n, address: `0x${'11'.repeat(20)}` as const, tokenId: 1n };
      const rpc = { url: filled(address), trusted: false };
      expect(await reasonOf(readMetadataUri(token, rpc, outbound, new AbortController().signal))).toBe(
        reason,
      );
      expect(forbidden.accepts()).toBe(0);
    },
  );

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
    // 127.0.0.2 belongs to the forbidden listener too; the allowed one listens only on 127.0.0.1.
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
