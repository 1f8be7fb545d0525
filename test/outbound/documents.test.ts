import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMetadata } from '../../src/resources/nft/metadata/read.js';
import type { MetadataReason } from '../../src/resources/nft/metadata/error.js';
import { createOutbound } from '../../src/outbound/fetch.js';
import { serveJsonRpc } from '../harness/json-rpc.js';
import { type LoopbackServer, serveSockets } from '../harness/loopback.js';

const mebibyte = 1024 * 1024;
const json = { 'content-type': 'application/json' };

/** What a server sends once it has been asked. `write` may go on for as long as the socket lives. */
type Hostile = (socket: Socket) => void;

function reply(body: string | Buffer, headers: Record<string, string> = json, status = '200 OK'): Hostile {
  return (socket) => {
    const all = { 'content-length': String(Buffer.byteLength(body)), connection: 'close', ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`);
    socket.end(body);
  };
}

/** Begins a reply and then writes `piece` again and again. */
function endless(
  piece: string | Buffer,
  everyMs: number,
  headers = 'content-type: application/json\r\n',
): Hostile {
  return (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n`);
    const timer = setInterval(() => socket.write(piece), everyMs);
    socket.on('close', () => clearInterval(timer));
  };
}

const redirect = (location: string): Hostile => reply('', { location }, '302 Found');
const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
const chunked = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n';

/** By path: what the server does and why the token then has no metadata. */
const hostile: Record<string, [Hostile, MetadataReason]> = {
  'an HTML page': [reply('<!doctype html><p>', { 'content-type': 'text/html' }), 'content-type-refused'],
  'an HTML page that says it is JSON': [reply('<!DOCTYPE html><html></html>'), 'document-invalid'],
  'an HTML page that says it is text': [
    reply('<html>', { 'content-type': 'text/plain' }),
    'document-invalid',
  ],
  'an SVG with a script': [reply('<svg>', { 'content-type': 'image/svg+xml' }), 'content-type-refused'],
  'an SVG that says it is JSON': [reply('<svg onload="x()"/>'), 'document-invalid'],
  'a picture': [reply('\x89PNG', { 'content-type': 'image/png' }), 'content-type-refused'],
  'a script': [reply('{}', { 'content-type': 'application/javascript' }), 'content-type-refused'],
  'two content types': [
    reply('{}', { 'content-type': 'application/json, text/html' }),
    'content-type-refused',
  ],
  nothing: [reply(''), 'document-invalid'],
  blanks: [reply('   '), 'document-invalid'],
  'a JSON list': [reply('[]'), 'document-invalid'],
  'a JSON string': [reply('"name"'), 'document-invalid'],
  'JSON null': [reply('null'), 'document-invalid'],
  'half a document': [reply('{"name":"x"'), 'document-invalid'],
  'two documents': [reply('{}{}'), 'document-invalid'],
  'single quotes': [reply("{'name':'x'}"), 'document-invalid'],
  'not a number': [reply('{"name":NaN}'), 'document-invalid'],
  'half a million lists in one another': [reply('['.repeat(500_000)), 'document-invalid'],
  'deep objects': [reply('{"a":'.repeat(80) + '1' + '}'.repeat(80)), 'document-invalid'],
  'bytes that are no UTF-8': [reply(Buffer.from([0x7b, 0x22, 0xff, 0xfe])), 'document-invalid'],
  'UTF-16': [reply(Buffer.from('{"name":"x"}', 'utf16le')), 'document-invalid'],
  'a megabyte and one byte': [reply(' '.repeat(mebibyte + 1)), 'too-large'],
  'ten gigabytes, announced': [
    endless(chunk, 1, 'content-type: application/json\r\ncontent-length: 10737418240\r\n'),
    'too-large',
  ],
  'ten gigabytes, chunked': [endless(chunk, 1, chunked), 'too-large'],
  'ten gigabytes until it closes': [endless(chunk, 1), 'too-large'],
  'a gzip bomb': [
    reply(gzipSync(Buffer.alloc(64 * mebibyte)), { ...json, 'content-encoding': 'gzip' }),
    'too-large',
  ],
  'a brotli bomb': [
    reply(brotliCompressSync(Buffer.alloc(16 * mebibyte)), { ...json, 'content-encoding': 'br' }),
    'too-large',
  ],
  'gzip in gzip': [
    reply(gzipSync(gzipSync('{}')), { ...json, 'content-encoding': 'gzip, gzip' }),
    'encoding-refused',
  ],
  'an unknown encoding': [reply('{}', { ...json, 'content-encoding': 'zstd' }), 'encoding-refused'],
  'an encoding from a prototype': [
    reply('{}', { ...json, 'content-encoding': 'constructor' }),
    'encoding-refused',
  ],
  'gzip that is none': [reply('{"name":"x"}', { ...json, 'content-encoding': 'gzip' }), 'encoding-refused'],
  'half a gzip': [
    reply(gzipSync('{"name":"x"}').subarray(0, 20), { ...json, 'content-encoding': 'gzip' }),
    'encoding-refused',
  ],
  'one byte now and then': [endless('1\r\n \r\n', 50, chunked), 'timeout'],
  'headers and then silence': [endless('', 1_000, chunked), 'timeout'],
  'header after header': [
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write(`x-${Math.random()}: ${'y'.repeat(4_000)}\r\n`), 1);
      socket.on('close', () => clearInterval(timer));
    },
    'unreachable',
  ],
  silence: [() => {}, 'timeout'],
  'a reset': [(socket) => void socket.resetAndDestroy(), 'unreachable'],
  'less than it announced': [reply('{', { ...json, 'content-length': '100' }), 'unreachable'],
  'something that is no HTTP': [(socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'unreachable'],
  'status 404': [reply('{}', json, '404 Not Found'), 'document-missing'],
  'status 500': [reply('{}', json, '500 Internal Server Error'), 'document-missing'],
  'status 204': [reply('', {}, '204 No Content'), 'document-missing'],
  'a redirect to itself': [redirect('/a%20redirect%20to%20itself'), 'too-many-redirects'],
  'a redirect in a circle': [redirect('/the%20other%20half'), 'too-many-redirects'],
  'the other half': [redirect('/a%20redirect%20in%20a%20circle'), 'too-many-redirects'],
  'a fourth redirect': [redirect('/hop3'), 'too-many-redirects'],
  'a redirect without end': [
    (socket) => redirect(`/a%20redirect%20without%20end?${Math.random()}`)(socket),
    'too-many-redirects',
  ],
  'a redirect to nowhere': [redirect('http://[:::]/'), 'redirect-refused'],
  'a redirect to a file': [redirect('file:///etc/passwd'), 'scheme-refused'],
  'a redirect to a document in its address': [redirect('data:application/json,{}'), 'scheme-refused'],
  'a redirect to the link-local network': [redirect('http://169.254.169.254/'), 'address-refused'],
  'a redirect with credentials': [redirect('http://a:b@127.0.0.1/'), 'credentials-refused'],
};

const inline: [address: string, reason: MetadataReason][] = [
  ['data:application/json', 'document-invalid'],
  ['data:application/json,', 'document-invalid'],
  ['data:application/json,{"name":', 'document-invalid'],
  ['data:application/json;base64,{"name":"x"}', 'document-invalid'],
  ['data:application/json;base64,!!!!', 'document-invalid'],
  ['data:application/json,%ff%fe', 'document-invalid'],
  ['data:application/json,<html></html>', 'document-invalid'],
  ['data:text/html,<script>alert(1)</script>', 'content-type-refused'],
  ['data:text/html,{"name":"x"}', 'content-type-refused'],
  ['data:image/svg+xml;base64,PHN2Zy8+', 'content-type-refused'],
  [`data:application/json,"${'x'.repeat(mebibyte)}"`, 'too-large'],
  [`data:application/json,${'['.repeat(100_000)}`, 'document-invalid'],
];

const address = `0x${'cd'.repeat(20)}` as const;
const paths = Object.keys(hostile);
let web: LoopbackServer;
let rpc: LoopbackServer;

beforeAll(async () => {
  web = await serveSockets((socket) => {
    socket.once('data', (request: Buffer) => {
      const path = /^GET \/([^ ?]*)/.exec(request.toString())?.[1] ?? '';
      const hops = /^hop(\d)$/.exec(path)?.[1];
      if (hops === undefined) hostile[decodeURIComponent(path)]?.[0](socket);
      else (hops === '0' ? reply('{"name":"arrived"}') : redirect(`/hop${Number(hops) - 1}`))(socket);
    });
  });
  rpc = await serveJsonRpc({
    [address]: {
      tokenURI: (id) =>
        id < 1_000n ? `${web.url}/${encodeURIComponent(paths[Number(id)]!)}` : inline[Number(id) - 1_000]![0],
    },
  });
});

afterAll(async () => {
  await web.close();
  await rpc.close();
});

async function failure(
  tokenId: number,
): Promise<{ reason: MetadataReason; message: string; retryable: boolean }> {
  const sources = {
    outbound: createOutbound({ allowLoopback: true, limits: { idleMs: 1_000, totalMs: 2_000 } }),
    rpcOf: () => Promise.resolve({ url: rpc.url, trusted: true }),
    ipfsGateway: undefined,
  };
  const token = { evmChainId: 1n, address, tokenId: BigInt(tokenId) };
  return readMetadata(token, sources, new AbortController().signal).then(
    ({ document }) => expect.unreachable(`read as ${document.raw.slice(0, 100)}`),
    (error: { reason: MetadataReason; message: string; retryable: boolean }) => error,
  );
}

describe('a metadata server that sends', () => {
  test.each(paths.map((path, index): [string, number] => [path, index]))('%s fails', async (path, index) => {
    const { reason, message, retryable } = await failure(index);
    expect(reason).toBe(hostile[path]![1]);
    expect(message).toMatch(/^[^\n]{10,250}$/);
    const passing = ['timeout', 'unreachable'].includes(reason) || /status (204|500)/.test(message);
    expect(retryable).toBe(passing);
  });

  test('more than is read is cut off: the bytes that were sent stay near the limit', async () => {
    let sent = 0;
    const flood = await serveSockets((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 32))) sent += 65_536;
      };
      socket.on('drain', more);
      more();
    });
    const outbound = createOutbound({ allowLoopback: true });
    const request = outbound({ url: flood.url, name: 'the server', maxBytes: mebibyte });
    await expect(request).rejects.toMatchObject({ reason: 'too-large' });
    await flood.close();
    expect(sent).toBeLessThan(32 * mebibyte);
  });
});

describe('a document in its own address', () => {
  test.each(
    inline.map(([text, reason], index): [string, string, number] => [text.slice(0, 60), reason, index]),
  )('%s fails', async (_text, reason, index) => {
    expect((await failure(1_000 + index)).reason).toBe(reason);
  });
});

describe('an outbound request', () => {
  test('follows three redirects', async () => {
    const outbound = createOutbound({ allowLoopback: true });
    const { status, body } = await outbound({ url: `${web.url}/hop3`, name: 'the server', maxBytes: 100 });
    expect([status, body.toString()]).toEqual([200, '{"name":"arrived"}']);
  });

  test('carries no cookie, referrer or credential, not even after a server set one', async () => {
    const requests: string[] = [];
    const server = await serveSockets((socket) => {
      socket.on('data', (data: Buffer) => {
        requests.push(data.toString());
        reply('', { 'set-cookie': 'a=b', location: `/next${requests.length}` }, '302 Found')(socket);
      });
    });
    const outbound = createOutbound({ allowLoopback: true });
    const request = outbound({ url: server.url, name: 'the server', maxBytes: 10 });
    await expect(request).rejects.toMatchObject({ reason: 'too-many-redirects' });
    expect(requests).toHaveLength(4);
    expect(requests.join('')).not.toMatch(/cookie|referer|authorization/i);
    await server.close();
  });

  test("keeps an operator's credentials with the operator's own server", async () => {
    const requests: string[] = [];
    const other = await serveSockets((socket) => {
      socket.on('data', (data: Buffer) => {
        requests.push(data.toString());
        reply('{}')(socket);
      });
    });
    const gateway = await serveSockets((socket) => {
      socket.on('data', (data: Buffer) => {
        requests.push(data.toString());
        redirect(other.url)(socket);
      });
    });
    const outbound = createOutbound({ allowLoopback: true });
    const url = gateway.url.replace('http://', 'http://user:secret@');
    await outbound({ url, trusted: true, name: 'the gateway', maxBytes: 10 });
    expect(requests[0]).toMatch(/authorization: Basic dXNlcjpzZWNyZXQ=/);
    expect(requests[1]).not.toMatch(/authorization/i);
    await other.close();
    await gateway.close();
  });

  test('ends with the reason of its signal when its caller gives up', async () => {
    const silent = await serveSockets(() => {});
    const outbound = createOutbound({ allowLoopback: true });
    const stop = new AbortController();
    const request = outbound({ url: silent.url, name: 'the server', maxBytes: 10, signal: stop.signal });
    const reason = new Error('shutting down');
    setTimeout(() => stop.abort(reason), 50);
    await expect(request).rejects.toBe(reason);
    await silent.close();
  });

  test('does not wait for a resolver that never answers', async () => {
    const outbound = createOutbound({ limits: { totalMs: 200 }, resolve: () => new Promise(() => {}) });
    const request = outbound({ url: 'http://slow.test/', name: 'the server', maxBytes: 10 });
    await expect(request).rejects.toMatchObject({ reason: 'timeout' });
  });
});
