import type { Random } from './random.js';

/** A request as its bytes will say it; nothing is corrected. */
export interface HttpText {
  method: string;
  target: string;
  version?: string;
  headers?: readonly (readonly [name: string, value: string])[];
  /** Sent with its length, unless the headers say something of it. */
  body?: Buffer | string;
}

/** The bytes; characters beyond Latin-1 go out as UTF-8. */
export function bytesOf({ method, target, version = 'HTTP/1.1', headers = [], body }: HttpText): Buffer {
  const content = typeof body === 'string' ? Buffer.from(body) : body;
  const names = headers.map(([name]) => name.toLowerCase());
  const all: (readonly [string, string])[] = [
    ...(names.includes('host') ? [] : [['host', 'localhost'] as const]),
    ...headers,
    ...(content && !names.includes('content-length') && !names.includes('transfer-encoding')
      ? [['content-length', String(content.length)] as const]
      : []),
  ];
  const head = `${method} ${target} ${version}\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), content ?? Buffer.alloc(0)]);
}

/** The same bytes in a few pieces. */
export function inPieces(random: Random, bytes: Buffer): Buffer[] {
  const cuts = Array.from({ length: random.whole(1, 3) }, () => random.whole(1, bytes.length - 1)).sort(
    (a, b) => a - b,
  );
  return [0, ...cuts]
    .map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length))
    .filter(({ length }) => length > 0);
}

/** Percent-encoded as some client would: everything needed, more than needed, or in lower case. */
export function escaped(random: Random, text: string): string {
  const usual = safelyEncoded(text);
  if (random.chance(0.8)) return usual;
  if (random.chance(0.5)) return usual.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase());
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** With halves of characters, which cannot be encoded, replaced. */
export function safelyEncoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

/** A body in chunks. */
export function chunked(random: Random, body: Buffer): Buffer {
  const pieces = body.length > 1 ? inPieces(random, body) : [body];
  const chunks = pieces.flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}
