import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** One answer as it came, its framing checked and its compression undone. */
export interface Response {
  status: number;
  /** By lower-case name; what came several times is joined with a comma. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Whether the server closes the connection after it. */
  closes: boolean;
}

/** What came is no HTTP/1.1 answer (RFC 9112); the message says where it breaks. */
export class MalformedResponse extends Error {}

/** Headers that RFC 9110 and 9112 allow once. */
const once = [
  'content-length',
  'content-type',
  'transfer-encoding',
  'content-encoding',
  'retry-after',
  'date',
];

/**
 * Reads the first whole answer of the bytes that came.
 *
 * @param method of the request that it answers
 * @param ended whether the server has closed the connection
 * @returns the answer and the bytes after it; null while it is not whole
 * @throws MalformedResponse
 */
export function parseResponse(
  bytes: Buffer,
  method: string,
  ended: boolean,
): { response: Response; rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) {
    if (bytes.length > 0 && !'HTTP/1.1 '.startsWith(bytes.subarray(0, 9).toString('latin1')))
      throw new MalformedResponse(`begins with ${show(bytes)}`);
    return null;
  }
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) [\t\x20-\x7e]*$/.exec(first)?.[1]);
  if (!status) throw new MalformedResponse(`the status line is ${show(Buffer.from(first))}`);
  const headers = readHeaders(lines);
  const after = bytes.subarray(end + 4);
  // Only a promise of the answer.
  if (status < 200) return parseResponse(after, method, ended);
  const framed = readBody(after, { status, headers, method, ended });
  if (!framed) return null;
  const body = decode(framed.body, headers['content-encoding'], method);
  const closes = framed.untilEnd || /\bclose\b/i.test(headers['connection'] ?? '');
  return { response: { status, headers, body, closes }, rest: framed.rest };
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    const [, name, value] =
      /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw new MalformedResponse(`a header is ${show(Buffer.from(line))}`);
    const key = name.toLowerCase();
    if (key in headers && once.includes(key)) throw new MalformedResponse(`${key} comes twice`);
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
  }
  return headers;
}

interface Head {
  status: number;
  headers: Readonly<Record<string, string>>;
  method: string;
  ended: boolean;
}

interface Framed {
  body: Buffer;
  rest: Buffer;
  untilEnd?: boolean;
}

function readBody(after: Buffer, { status, headers, method, ended }: Head): Framed | null {
  const length = headers['content-length'];
  const coding = headers['transfer-encoding'];
  if (length !== undefined && coding !== undefined)
    throw new MalformedResponse('both content-length and transfer-encoding');
  if (length !== undefined && !/^\d+$/.test(length))
    throw new MalformedResponse(`content-length is ${length}`);
  if (method === 'HEAD' || status === 204 || status === 304) return { body: Buffer.alloc(0), rest: after };
  if (coding !== undefined) {
    if (coding !== 'chunked') throw new MalformedResponse(`transfer-encoding is ${coding}`);
    return readChunks(after);
  }
  if (length === undefined) return ended ? { body: after, rest: Buffer.alloc(0), untilEnd: true } : null;
  const size = Number(length);
  return after.length < size ? null : { body: after.subarray(0, size), rest: after.subarray(size) };
}

function readChunks(bytes: Buffer): Framed | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return null;
    const line = bytes.toString('latin1', at, end);
    if (!/^[0-9a-f]{1,8}$/i.test(line))
      throw new MalformedResponse(`a chunk begins with ${JSON.stringify(line)}`);
    const size = parseInt(line, 16);
    const start = end + 2;
    if (bytes.length < start + size + 2) return null;
    if (bytes.toString('latin1', start + size, start + size + 2) !== '\r\n')
      throw new MalformedResponse('a chunk does not end where it says');
    if (size === 0) return { body: Buffer.concat(chunks), rest: bytes.subarray(start + 2) };
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
}

function decode(body: Buffer, encoding: string | undefined, method: string): Buffer {
  if (encoding === undefined || method === 'HEAD') return body;
  try {
    if (encoding === 'gzip') return gunzipSync(body);
    if (encoding === 'br') return brotliDecompressSync(body);
    if (encoding === 'deflate') return inflateSync(body);
  } catch (error) {
    throw new MalformedResponse(`the body is no ${encoding}: ${(error as Error).message}`);
  }
  throw new MalformedResponse(`content-encoding is ${encoding}`);
}

/** The beginning of some bytes, in quotes. */
export function show(bytes: Buffer, length = 200): string {
  return JSON.stringify(bytes.subarray(0, length).toString('latin1'));
}
