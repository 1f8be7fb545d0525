import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A file that is the same for everybody. */
export interface AssetSource {
  body: string | Buffer;
  type: string;
  headers?: Readonly<Record<string, string>>;
}

interface Asset extends AssetSource {
  gzipped: Buffer;
  etag: string;
}

/**
 * A handler that serves a file, made on first use: compressed once, and kept by browsers under its ETag.
 *
 * @param make makes the file; when it fails the next request tries again
 */
export function serveAsset(make: () => AssetSource | Promise<AssetSource>) {
  let asset: Promise<Asset> | undefined;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    asset ??= prepare(make);
    asset.catch(() => (asset = undefined));
    const { body, type, headers, gzipped, etag } = await asset;
    void reply.headers({ 'cache-control': 'no-cache', ...headers, etag });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    void reply.type(type);
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(body);
    return reply.header('content-encoding', 'gzip').send(gzipped);
  };
}

async function prepare(make: () => AssetSource | Promise<AssetSource>): Promise<Asset> {
  const source = await make();
  const gzipped = await promisify(gzip)(source.body);
  const etag = `"${createHash('sha256').update(source.body).digest('base64url').slice(0, 22)}"`;
  return { ...source, gzipped, etag };
}
