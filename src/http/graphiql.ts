import { createHash } from 'node:crypto';
import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { graphiqlTabs } from './graphiql-tabs.js';

// The page is one file of 9 MB without any foreign address: made on first use, compressed once, then cached
// by the browser under its ETag.
interface Page {
  html: string;
  gzipped: Buffer;
  etag: string;
}

/** GraphiQL from the package itself, opening with examples. */
export function graphiqlPage() {
  let page: Promise<Page> | undefined;
  return {
    async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const { html, gzipped, etag } = await (page ??= makePage());
      void reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding, accept' });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      void reply.type('text/html; charset=utf-8');
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(html);
      return reply.header('content-encoding', 'gzip').send(gzipped);
    },
  };
}

async function makePage(): Promise<Page> {
  // Imported here, because these 9 MB need not be read before somebody opens the page.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({ title: 'Moraine GraphiQL', endpoint: '/graphql', defaultTabs: graphiqlTabs });
  const gzipped = await promisify(gzip)(html);
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  return { html, gzipped, etag };
}
