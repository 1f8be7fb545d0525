import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { MetadataReason } from '../../src/resources/nft/metadata/error.js';

export const mebibyte = 1024 * 1024;
const json = { 'content-type': 'application/json' };

/** What a server sends after a request. `write` may go on for as long as the socket is open. */
type Hostile = (socket: Socket) => void;

/** A whole reply, after which the connection is closed. */
export function reply(
  body: string | Buffer,
  headers: Record<string, string> = json,
  status = '200 OK',
): Hostile {
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

export const redirect = (location: string): Hostile => reply('', { location }, '302 Found');
const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
const chunked = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n';

/** By path: what the server does and why the token then has no metadata. */
export const hostileReplies: Record<string, [Hostile, MetadataReason]> = {
  'an HTML page': [reply('<!doctype html><p>', { 'content-type': 'text/html' }), 'content-type-refused'],
  'an HTML page that says it is JSON': [reply('<!DOCTYPE html><html></html>'), 'document-invalid'],
  'an HTML page that says it is text': [
    reply('<html>', { 'content-type': 'text/plain' }),
    'document-invalid',
  ],
  'an SVG that says it is a page': [reply('<svg>', { 'content-type': 'text/html' }), 'content-type-refused'],
  'an SVG that says it is JSON': [reply('<svg onload="x()"/>'), 'document-invalid'],
  'a picture that says it is bytes': [
    reply('\x89PNG', { 'content-type': 'application/octet-stream' }),
    'document-invalid',
  ],
  'a film': [reply('\0\0\0 ftyp', { 'content-type': 'video/mp4' }), 'content-type-refused'],
  'a script': [reply('let a = {}', { 'content-type': 'application/javascript' }), 'content-type-refused'],
  'two content types and a page': [
    reply('<p>', { 'content-type': 'application/json, text/html' }),
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

/** Documents in their own addresses, and why the token then has no metadata. */
export const hostileInline: [address: string, reason: MetadataReason][] = [
  ['data:application/json', 'document-invalid'],
  ['data:application/json,', 'document-invalid'],
  ['data:application/json,{"name":', 'document-invalid'],
  ['data:application/json;base64,{"name":"x"}', 'document-invalid'],
  ['data:application/json;base64,!!!!', 'document-invalid'],
  ['data:application/json,%ff%fe', 'document-invalid'],
  ['data:application/json,<html></html>', 'document-invalid'],
  ['data:text/html,<script>alert(1)</script>', 'content-type-refused'],
  ['data:video/mp4;base64,AAAA', 'content-type-refused'],
  ['{"name":', 'document-invalid'],
  [`data:application/json,"${'x'.repeat(mebibyte)}"`, 'too-large'],
  [`data:application/json,${'['.repeat(100_000)}`, 'document-invalid'],
];
