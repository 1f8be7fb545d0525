import type { AppError } from '../errors.js';
import { errorReply } from '../rest/reply.js';

/** Headers that are the same on every reply. */
export type ConstantHeaders = Readonly<Record<string, string>>;

/** A refusal as bytes of HTTP, for connections on which no reply can be made; it ends them. */
export function rawRefusal(error: AppError, more: Record<string, string>, constant: ConstantHeaders): string {
  const { status, headers, body } = errorReply(error);
  const { title } = error;
  const lines = Object.entries({
    ...constant,
    ...headers,
    ...more,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`;
}
