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

/** Files that `bin/build-explorer.mjs` made, by the address at which they are served. */
const files = {
  '/explorer.js': 'app.js',
  '/explorer.css': 'app.css',
  '/explorer/plot.js': 'plot.js',
};

/** Serves the explorer's files, and its page at all addresses below /explore. */
export function registerExplorer(app: FastifyInstance): void {
  for (const [path, file] of Object.entries(files)) {
    const type = file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
    app.get(
      path,
      { config: { free: true } },
      serveAsset(async () => ({ body: await built(file), type })),
    );
  }
  for (const path of ['/explore', '/explore/*']) app.get(path, { config: { free: true } }, sendExplorer);
}
