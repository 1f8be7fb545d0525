import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { serveAsset } from '../asset.js';
import { contentSecurityPolicy } from '../content-security.js';
import { markup } from './markup.js';
import { page } from './page.js';

const require = createRequire(import.meta.url);

// By the package's own name, because the relative path differs between src/ and dist/src/.
const built = (file: string) =>
  readFile(join(dirname(require.resolve('moraine/package.json')), 'dist/explorer', file));

const PAGE = page(
  'Moraine',
  markup`<link rel="stylesheet" href="/explorer.css">
<script type="module" src="/explorer.js"></script>`,
  markup`<div id="explorer"><noscript>The explorer needs JavaScript. <a href="/overview">The overview</a> does not.</noscript></div>`,
);

const policy = contentSecurityPolicy({
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
});

/** The page of the explorer: it reads its address itself, so that every address gets the same page. */
export const sendExplorer = serveAsset(() => ({
  body: PAGE,
  type: 'text/html; charset=utf-8',
  headers: { 'content-security-policy': policy },
}));

/** Serves the explorer's files, which `bin/build-explorer.mjs` made, and its page at all addresses below /explore. */
export function registerExplorer(app: FastifyInstance): void {
  const files = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };
  for (const [ending, type] of Object.entries(files))
    app.get(
      `/explorer.${ending}`,
      { config: { free: true } },
      serveAsset(async () => ({ body: await built(`app.${ending}`), type })),
    );
  for (const path of ['/explore', '/explore/*']) app.get(path, { config: { free: true } }, sendExplorer);
}
