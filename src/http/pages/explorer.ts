import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serveAsset } from '../asset.js';
import { contentSecurityPolicy, inlineHashes } from '../content-security.js';
import { explorerTitle, type PagesFile } from './explorer-titles.js';
import { Html, markup } from './markup.js';
import { page } from './page.js';

const require = createRequire(import.meta.url);

// By the package's own name, because the relative path differs between src/ and dist/src/.
const pathOf = (file: string) =>
  join(dirname(require.resolve('moraine/package.json')), 'dist/explorer', file);
const built = (file: string) => readFile(pathOf(file));

/** The documents that the explorer sends, as `bin/build-explorer.mjs` wrote them. */
export const explorerDocuments = (): string[] =>
  JSON.parse(readFileSync(pathOf('documents.json'), 'utf8')) as string[];

const policyOf = (style: string) =>
  contentSecurityPolicy({
    'script-src': ["'self'"],
    'style-src': inlineHashes(style, 'style'),
    'img-src': ["'self'"],
    'connect-src': ["'self'"],
  });

/** What `bin/build-explorer.mjs` built in addition to app.js and app.css. Each name has the file's hash. */
interface Built {
  /** Scripts that app.js needs before it runs. */
  first: string[];
  /** Scripts that the pages of each file need in addition. */
  pages: Record<PagesFile, string[]>;
  /** Scripts that are loaded when a page needs them. */
  later: string[];
}

/** The beginning of the frame, which is seen while the script is loaded. */
const frame = markup`<header><a href="/" class="brand"><img class="mark" src="/favicon.svg" alt="" width="26" height="26">Moraine</a></header>`;

/**
 * The page of an address: the explorer draws it; its title is there for those who run no script. It has its
 * style, without which nothing is painted, and names all scripts that the page needs: a slow line has no
 * second round trip before the first paint, nor a fourth one before the first request of data.
 *
 * @param url path and query
 * @param style as an element
 */
function pageOf(url: string, { first, pages }: Built, style: string): string {
  const [path = '/', query] = url.split('?');
  const { title, description, file } = explorerTitle(path);
  // Tabs of a page in a smaller file are parts in that of the others (`explorer/part.tsx`).
  const parts = file && new URLSearchParams(query).has('tab') ? pages.others : [];
  const scripts = new Set([...first, ...(file ? pages[file] : []), ...parts]);
  return page(
    title,
    markup`<meta name="description" content="${description}">
<link rel="canonical" href="${path}">
<link rel="search" type="application/opensearchdescription+xml" title="Moraine" href="/opensearch.xml">
${new Html(style)}
${[...scripts].map((each) => markup`<link rel="modulepreload" href="/explorer/${each}">`)}
<script type="module" src="/explorer.js"></script>`,
    markup`<div id="explorer">${frame}<noscript>The explorer needs JavaScript. <a href="/overview">The overview</a> does not.</noscript></div>`,
  );
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

/** A file with another content has another name. */
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' };

const script = 'text/javascript; charset=utf-8';

const filesOf = ({ first, pages, later }: Built) =>
  new Set([...first, ...Object.values(pages).flat(), ...later]);

/** What was built, and what serves each of its files; read when it is first needed. */
async function readBuilt() {
  const files = JSON.parse((await built('files.json')).toString()) as Built;
  const handlers = [...filesOf(files)].map((file) => {
    const make = async () => ({ body: await built(file), type: script, headers: FOR_EVER });
    return [file, serveAsset(make)] as const;
  });
  const style = `<style>${(await built('app.css')).toString()}</style>`;
  return { files, handlers: new Map(handlers), style, policy: policyOf(style) };
}

/**
 * Serves the explorer's files, and its page at all addresses below /explore.
 *
 * @param baseOf address under which a caller reaches the gateway, without a slash at the end
 * @returns sends the page of the requested address, which is the same for everybody
 */
export function registerExplorer(app: FastifyInstance, baseOf: (request: FastifyRequest) => string) {
  const free = { config: { free: true } };
  let known: ReturnType<typeof readBuilt> | undefined;
  const whatIsBuilt = () => {
    known ??= readBuilt();
    known.catch(() => (known = undefined));
    return known;
  };
  const sendExplorer = async ({ url }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { files, style, policy } = await whatIsBuilt();
    return reply
      .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(pageOf(url, files, style));
  };
  app.get(
    '/explorer.js',
    free,
    serveAsset(async () => ({ body: await built('app.js'), type: script })),
  );
  app.get<{ Params: { file: string } }>('/explorer/:file', free, async (request, reply) => {
    const { handlers } = await whatIsBuilt();
    const handler = handlers.get(request.params.file);
    return handler ? handler(request, reply) : reply.callNotFound();
  });
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
  return sendExplorer;
}
