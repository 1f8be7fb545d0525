import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';

type Encode = (body: Buffer) => Promise<Buffer>;
type Compress = (body: Buffer, done: (error: Error | null, result: Buffer) => void) => void;

/** Node has it from 22.15 on. */
const { zstdCompress } = zlib as { zstdCompress?: Compress };

// For files that are compressed once and sent often. Higher levels take seconds for GraphiQL's 9 MB.
const brotli: Compress = (body, done) =>
  zlib.brotliCompress(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 6 } }, done);

/** How to compress a body that many request, by the encoding's name; the smallest result first. */
const encoders: Readonly<Record<string, Encode>> = {
  br: promisify(brotli),
  ...(zstdCompress && { zstd: promisify(zstdCompress) }),
  gzip: promisify<Buffer, Buffer>(zlib.gzip),
  deflate: promisify<Buffer, Buffer>(zlib.deflate),
};

const negotiator = new Negotiator({ supportedValues: [...Object.keys(encoders), 'identity'] });

/** The best encoding for a client that sent this Accept-Encoding; undefined for none. */
export function encodingFor(accepted: string | undefined): string | undefined {
  const encoding = accepted === undefined ? null : negotiator.negotiate(accepted);
  return encoding === null || !(encoding in encoders) ? undefined : encoding;
}

export const encodingNames: readonly string[] = Object.keys(encoders);

/** A body as bytes, compressed once for each encoding that is requested. */
export class EncodedBody {
  readonly plain: Buffer;
  private readonly encoded = new Map<string, Promise<Buffer>>();

  constructor(body: string | Buffer) {
    this.plain = Buffer.isBuffer(body) ? body : Buffer.from(body);
  }

  /** The body for a client that sent this Accept-Encoding; uncompressed if `encoding` is absent. */
  async for(accepted: string | undefined): Promise<{ encoding?: string; bytes: Buffer }> {
    const encoding = encodingFor(accepted);
    const encode = encoding === undefined ? undefined : encoders[encoding];
    if (encoding === undefined || !encode) return { bytes: this.plain };
    let bytes = this.encoded.get(encoding);
    if (!bytes) this.encoded.set(encoding, (bytes = encode(this.plain)));
    return { encoding, bytes: await bytes };
  }
}
