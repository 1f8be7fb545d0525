import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { keyHeader } from '../access/authenticate.js';
import { documentedNow } from '../avalanche/documented.js';
import { identityOf } from '../avalanche/identity.js';
import type { Config } from '../config.js';
import { openApiDocument, type DescribedRoute } from '../rest/openapi/document.js';
import { serveAsset, type AssetSource } from './asset.js';
import { contentSecurityPolicy } from './content-security.js';
import { explorerScript, explorerStyle } from './pages/explorer-script.js';
import { Html, markup } from './pages/markup.js';
import { page } from './pages/page.js';

const require = createRequire(import.meta.url);

const PAGE = page(
  'Moraine REST API',
  markup`<link rel="stylesheet" href="/docs/swagger-ui.css">
<style>${new Html(explorerStyle)}</style>`,
  markup`<div id="explorer"><noscript>This page needs JavaScript. The same documentation is in <a href="/openapi.json">/openapi.json</a>.</noscript></div>
<script src="/docs/swagger-ui.js"></script>
<script src="/docs/start.js"></script>`,
);

/** Serves the OpenAPI document, and an explorer of it whose files all come from this gateway. */
export function registerDocs(
  app: FastifyInstance,
  routes: readonly DescribedRoute[],
  { PUBLIC_URL, METRICS_URL, API_KEY_HEADER }: Pick<Config, 'PUBLIC_URL' | 'METRICS_URL' | 'API_KEY_HEADER'>,
): void {
  const document = openApiDocument(routes, {
    publicUrl: PUBLIC_URL,
    metricsUrl: METRICS_URL,
    keyHeaders: [...new Set([keyHeader, API_KEY_HEADER])],
  });
  // The explorer calls the servers that the document names.
  const origins = [PUBLIC_URL, METRICS_URL].flatMap((url) => (url ? [new URL(url).origin] : []));
  const policy = contentSecurityPolicy({
    'script-src': ["'self'"],
    // It sets style attributes.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'", ...origins],
  });
  const html = { type: 'text/html; charset=utf-8', headers: { 'content-security-policy': policy } };
  const script = 'text/javascript; charset=utf-8';
  const files: Record<string, () => AssetSource | Promise<AssetSource>> = {
    '/openapi.json': () => ({
      body: documentedNow(JSON.stringify(document)),
      type: 'application/json; charset=utf-8',
    }),
    '/docs': () => ({ body: PAGE, ...html }),
    '/docs/start.js': () => ({ body: explorerScript, type: script }),
    '/docs/swagger-ui.js': async () => ({ body: await bundled('swagger-ui-bundle.js'), type: script }),
    '/docs/swagger-ui.css': async () => ({
      body: await bundled('swagger-ui.css'),
      type: 'text/css; charset=utf-8',
    }),
  };
  for (const [url, make] of Object.entries(files))
    app.get(
      url,
      { config: { free: true } },
      serveAsset(make, () => identityOf('fuji')),
    );
}

function bundled(file: string): Promise<Buffer> {
  return readFile(require.resolve(`@fastify/swagger-ui/static/${file}`));
}
