import { pipeline } from 'node:stream/promises';
import { type Readable, PassThrough, type Transform, Writable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundError } from './error.js';

const decoders: Readonly<Record<string, () => Transform>> = {
  identity: () => new PassThrough(),
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export const acceptedEncodings = 'gzip, deflate, br';

/**
 * Reads a body to its end, decoded, or to the first byte too many. Neither the bytes on the wire nor the
 * decoded ones may exceed `maxBytes`, so that a small body that unpacks to a large one is cut off while it
 * unpacks.
 *
 * @param encoding the content-encoding header; more than one encoding is refused
 * @throws OutboundError `too-large`, `encoding-refused`; other errors of the stream unchanged
 */
export async function readBody(
  stream: Readable,
  headers: { encoding: string | undefined; length: string | undefined },
  maxBytes: number,
): Promise<Buffer> {
  const encoding = headers.encoding?.trim().toLowerCase() || 'identity';
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (!decoder) {
    throw new OutboundError('encoding-refused', 'the answer has an unsupported content encoding', false);
  }
  if (Number(headers.length ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let total = 0;
  const collect = new Writable({
    write(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      chunks.push(chunk);
      done(total > maxBytes ? tooLarge(maxBytes) : null);
    },
  });
  try {
    await pipeline(stream, limited(maxBytes), decoder(), collect);
  } catch (error) {
    if (isCorruptEncoding(error)) {
      throw new OutboundError('encoding-refused', `the answer is not valid ${encoding}`, false, {
        cause: error,
      });
    }
    throw error;
  }
  return Buffer.concat(chunks, total);
}

function limited(maxBytes: number) {
  return async function* (source: AsyncIterable<Buffer>) {
    let total = 0;
    for await (const chunk of source) {
      total += chunk.length;
      if (total > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  };
}

function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError('too-large', `the answer is larger than ${maxBytes} bytes`, false);
}

function isCorruptEncoding(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' && /^(Z_|ERR_(_ERROR|BROTLI|PADDING))/.test(code);
}
