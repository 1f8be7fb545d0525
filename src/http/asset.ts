import type { FastifyReply, FastifyRequest } from 'fastify';
import { EncodedBody, encodingFor, encodingNames } from './encodings.js';
import { isKnown, sendNotModified, tagOf } from './entity-tag.js';

/**
 * Most bytes of a file that is sent uncompressed. Four connections that fetched the 9 MB of GraphiQL so took
 * the event loop from all others; every browser accepts a compressed one.
 */
const LARGEST_PLAIN = 2 * 2 ** 20;

/** A file that is the same for everybody. */
export interface AssetSource {
  body: string | Buffer;
  type: string;
  headers?: Readonly<Record<string, string>>;
}

/** The file, ready to be sent. */
export interface Asset extends Omit<AssetSource, 'body'> {
  body: EncodedBody;
}

/** Makes bytes: a text would be encoded for each reply, and be in memory twice. */
export function prepareAsset({ body, ...rest }: AssetSource): Asset {
  return { ...rest, body: new EncodedBody(body) };
}

/** Sends it in an encoding that its client accepts. */
export async function sendAsset(
  { headers: { 'accept-encoding': accepted } }: FastifyRequest,
  reply: FastifyReply,
  { body, type, headers }: Asset,
): Promise<FastifyReply> {
  const { encoding, bytes } = await body.for(accepted);
  if (encoding) void reply.header('content-encoding', encoding);
  return reply
    .headers({ ...headers })
    .type(type)
    .send(bytes);
}

/**
 * A handler that serves a file. The file is made on first use, compressed once, and cached by browsers under
 * its ETag.
 *
 * @param make makes the file; when it fails the next request tries again
 * @param of what the file depends on: if that is another value, the file is made again
 */
export function serveAsset(
  make: () => AssetSource | Promise<AssetSource>,
  of: () => unknown = () => undefined,
) {
  let asset: Promise<Asset & { etag: string }> | undefined;
  let madeOf: unknown;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const now = of();
    if (now !== madeOf) asset = undefined;
    madeOf = now;
    asset ??= prepare(make);
    asset.catch(() => (asset = undefined));
    const { etag, ...rest } = await asset;
    if (rest.body.plain.length > LARGEST_PLAIN && !encodingFor(request.headers['accept-encoding']))
      return refuseUncompressed(reply);
    void reply.headers({ 'cache-control': 'no-cache' });
    if (isKnown(request, etag)) return sendNotModified(reply.headers({ ...rest.headers }), etag);
    return sendAsset(request, reply.header('etag', etag), rest);
  };
}

/** RFC 9110, section 15.5.7. */
function refuseUncompressed(reply: FastifyReply): FastifyReply {
  const text = `accept-encoding: this file is sent compressed alone; accept ${encodingNames.join(', ')}\n`;
  return reply.code(406).type('text/plain; charset=utf-8').send(text);
}

async function prepare(make: () => AssetSource | Promise<AssetSource>): Promise<Asset & { etag: string }> {
  const asset = prepareAsset(await make());
  return { ...asset, etag: tagOf(asset.body.plain) };
}
