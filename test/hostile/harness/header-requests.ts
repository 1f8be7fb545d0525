import { hostileText, longName } from './hostile-values.js';
import { bytesOf } from './http-text.js';
import { raw, single, type Input } from './input.js';
import type { Random } from './random.js';
import type { Supplies } from './supplies.js';

const target = '/v1/networks/fuji/blockchains/p-chain/utxos?pageSize=1';

/** A right request of a list with headers that nobody has to understand, or that are no headers. */
export function headerRequest(random: Random, supplies: Supplies): Input {
  return random.weighted([
    [4, oddHeader],
    [2, oddKey],
    [2, brokenHead],
    [1, manyHeaders],
  ])(random, supplies);
}

const names = [
  'accept', 'accept-encoding', 'accept-charset', 'authorization', 'cache-control', 'connection', 'content-encoding', 'content-type', 'cookie',
  'date', 'forwarded', 'from', 'if-match', 'if-none-match', 'if-range', 'keep-alive', 'max-forwards', 'origin', 'pragma', 'proxy-connection',
  'range', 'referer', 'sec-fetch-mode', 'te', 'trailer', 'upgrade-insecure-requests', 'user-agent', 'via', 'x-forwarded-for', 'x-forwarded-host',
  'x-forwarded-proto', 'x-http-method-override', 'x-request-id', 'access-control-request-method', 'access-control-request-headers',
  'traceparent', 'tracestate', '__proto__', 'constructor', 'x-'.repeat(100),
]; // prettier-ignore

const values = [
  '', ' ', ',', ';', '*', '*/*', 'text/html', 'application/json; charset=utf-16', 'gzip;q=0, *;q=0', 'identity;q=0', 'gzip, '.repeat(500), 'bytes=0-1',
  'keep-alive', 'close, keep-alive', 'x, y, z', 'null', 'https://x.example', 'GET', 'DELETE', '1, 2, 3', '::1', '127.0.0.1, 10.0.0.1', '999.999.999.999',
  'for="[::1]:80";proto=https', '00-'.repeat(50), 'navigate', 'Bearer x', 'Basic ====', '"', '"unclosed', '\xff\xfe', 'é',
]; // prettier-ignore

/** A header's value with everything in it that a header may hold. */
const headerText = (random: Random) => hostileText(random).replace(/[^\t\x20-\x7e\x80-\xff]/gu, '?');

function oddHeader(random: Random): Input {
  const headers = Array.from({ length: random.whole(1, 6) }, (): [string, string] => [
    random.chance(0.1) ? random.pick(names).toUpperCase() : random.pick(names),
    random.chance(0.5) ? random.pick(values) : headerText(random),
  ]);
  const method = random.pick(['GET', 'GET', 'GET', 'HEAD', 'OPTIONS']);
  return single('headers', method, bytesOf({ method, target, headers }), { door: 'rest' }, { lone: true });
}

function oddKey(random: Random, { keys }: Supplies): Input {
  const key = random.pick(keys);
  const value = random.pick([
    '', ' ', key.slice(0, -1), `${key}x`, key.toUpperCase(), `${key}, ${key}`, `Bearer ${key}`, `mrn_${'a'.repeat(36)}`,
    `mrn_${random.text('0123456789abcdefABCDEF', 36)}`, headerText(random), longName(random, 8000), '\xff', `\t${key}\t`,
  ]); // prettier-ignore
  const headers: [string, string][] = [['x-service-api-key', value]];
  if (random.chance(0.3))
    headers.push([random.pick(['x-service-api-key', 'x-glacier-api-key']), random.pick(keys)]);
  const long = value.length >= 2000 ? value : undefined;
  return single(
    'keys',
    'GET',
    bytesOf({ method: 'GET', target, headers }),
    { door: 'rest' },
    { lone: true, ...(long && { long }) },
  );
}

function brokenHead(random: Random): Input {
  const line = `GET ${target} HTTP/1.1\r\n`;
  const head = random.pick([
    `${line}\r\n`,
    `${line}host: a\r\nhost: b\r\n\r\n`,
    `${line}host: \r\n\r\n`,
    `${line}host: ${'a.'.repeat(3000)}\r\n\r\n`,
    `${line}host: a b/c@d:e\r\n\r\n`,
    `${line} host: a\r\n\r\n`,
    `${line}host : a\r\n\r\n`,
    `${line}host: a\r\n folded: b\r\n\r\n`,
    `${line}host: a\r\nx: 1\r\n 2\r\n\r\n`,
    `${line}host: a\nx: b\n\n`,
    `${line}host: a\rx: b\r\r`,
    `${line}host: a\r\nno colon\r\n\r\n`,
    `${line}host: a\r\n: nothing\r\n\r\n`,
    `${line}host: a\r\nx\0y: b\r\n\r\n`,
    `${line}host: a\r\nx: b\0c\r\n\r\n`,
    `${line}host: a\r\nx: \x7f\x01\r\n\r\n`,
    `${line}host: a\r\nx\xff: b\r\n\r\n`,
    `${line}host: a\r\n(x): b\r\n\r\n`,
    `${line}host: a\r\nconnection: upgrade\r\nupgrade: ${random.pick(['websocket', 'h2c', 'TLS/1.3', 'x'])}\r\n\r\n`,
    `${line}host: a\r\nconnection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n\r\n`,
    `${line}host: a\r\nexpect: ${random.pick(['100-continue', '200-ok', 'x'])}\r\n\r\n`,
    `${line}host: a\r\nx: ${'b'.repeat(random.pick([8000, 16_000, 17_000, 70_000]))}\r\n\r\n`,
    `${line}host: a\r\n${'x'.repeat(random.pick([8000, 17_000, 70_000]))}: b\r\n\r\n`,
    `GET ${target} HTTP/1.0\r\nconnection: keep-alive\r\n\r\n`,
    `GET ${target} HTTP/1.0\r\n\r\n`,
  ]);
  return raw('heads', head);
}

function manyHeaders(random: Random): Input {
  const count = random.pick([50, 500, 1990, 2500, 5000]);
  const name = random.pick(['x', 'cookie', 'x-service-api-key', 'accept', 'x-forwarded-for']);
  const lines = Array.from({ length: count }, (_, index) =>
    name === 'x' ? `x${index}: a\r\n` : `${name}: a\r\n`,
  );
  return raw('heads', `GET ${target} HTTP/1.1\r\nhost: a\r\n${lines.join('')}\r\n`);
}
