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

/** A body as bytes, compressed once for each encoding that is requested. */
export class EncodedBody {
  readonly plain: Buffer;
  private readonly encoded = new Map<string, Promise<Buffer>>();

  constructor(body: string | Buffer) {
    this.plain = Buffer.from(body);
  }

  /** The body for a client that sent this Accept-Encoding; uncompressed if `encoding` is absent. */
  async for(accepted: string | undefined): Promise<{ encoding?: string; bytes: Buffer }> {
    const encoding = accepted === undefined ? null : negotiator.negotiate(accepted);
    const encode = encoding === null ? undefined : encoders[encoding];
    if (encoding === null || !encode) return { bytes: this.plain };
    let bytes = this.encoded.get(encoding);
    if (!bytes) this.encoded.set(encoding, (bytes = encode(this.plain)));
    return { encoding, bytes: await bytes };
  }
}
