import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serveAsset } from '../asset.js';
import { contentSecurityPolicy } from '../content-security.js';
import { explorerTitle } from './explorer-titles.js';
import { markup } from './markup.js';
import { page } from './page.js';

const require = createRequire(import.meta.url);

// By the package's own name, because the relative path differs between src/ and dist/src/.
const pathOf = (file: string) =>
  join(dirname(require.resolve('moraine/package.json')), 'dist/explorer', file);
const built = (file: string) => readFile(pathOf(file));

/** The documents that the explorer sends, as `bin/build-explorer.mjs` wrote them. */
export const explorerDocuments = (): string[] =>
  JSON.parse(readFileSync(pathOf('documents.json'), 'utf8')) as string[];

const policy = contentSecurityPolicy({
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
});

/** The page of an address: the explorer draws it; its title is there for those who run no script. */
function pageOf(path: string): string {
  const { title, description } = explorerTitle(path);
  return page(
    title,
    markup`<meta name="description" content="${description}">
<link rel="canonical" href="${path}">
<link rel="search" type="application/opensearchdescription+xml" title="Moraine" href="/opensearch.xml">
<link rel="stylesheet" href="/explorer.css">
<script type="module" src="/explorer.js"></script>`,
    markup`<div id="explorer"><noscript>The explorer needs JavaScript. <a href="/overview">The overview</a> does not.</noscript></div>`,
  );
}

/** Sends the page of the requested address, which is the same for everybody. */
export function sendExplorer({ url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = url.split('?')[0] ?? '/';
  return reply
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
    .type('text/html; charset=utf-8')
    .send(pageOf(path));
}

/** What crawlers leave alone: what is for programs, and pages of lists, whose addresses end in a day. */
const ROBOTS = `User-agent: *
Disallow: /v1/
Disallow: /v2/
Disallow: /graphql
Disallow: /explore/*/search
Disallow: /explore/*/composite
Disallow: /*After=
Disallow: /*Before=
`;

/** How a browser searches here from its address bar. @param base the gateway, without a slash at the end */
const openSearch = (base: string) =>
  markup`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Moraine</ShortName>
<Description>Address, hash, id, block number or name</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="32" height="32" type="image/svg+xml">${base}/favicon.svg</Image>
<Url type="text/html" method="get" template="${base}/explore/mainnet/search?text={searchTerms}"/>
</OpenSearchDescription>
`.text;

/** Files that `bin/build-explorer.mjs` made, by the address at which they are served. */
const files = {
  '/explorer.js': 'app.js',
  '/explorer.css': 'app.css',
  '/explorer/plot.js': 'plot.js',
};

/**
 * Serves the explorer's files, and its page at all addresses below /explore.
 *
 * @param baseOf address under which a caller reaches the gateway, without a slash at the end
 */
export function registerExplorer(app: FastifyInstance, baseOf: (request: FastifyRequest) => string): void {
  const free = { config: { free: true } };
  for (const [path, file] of Object.entries(files)) {
    const type = file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
    app.get(
      path,
      free,
      serveAsset(async () => ({ body: await built(file), type })),
    );
  }
  app.get('/explore/*', free, sendExplorer);
  app.get('/explore', free, (_request, reply) => reply.redirect('/', 307));
  app.get(
    '/robots.txt',
    free,
    serveAsset(() => ({ body: ROBOTS, type: 'text/plain; charset=utf-8' })),
  );
  app.get('/opensearch.xml', free, (request, reply) =>
    reply.type('application/opensearchdescription+xml; charset=utf-8').send(openSearch(baseOf(request))),
  );
}
