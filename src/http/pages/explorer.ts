import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { serveAsset } from '../asset.js';
import { contentSecurityPolicy } from '../content-security.js';
import { faviconLink } from './favicon.js';

const require = createRequire(import.meta.url);

// By the package's own name, because the relative path differs between src/ and dist/src/.
const built = (file: string) =>
  readFile(join(dirname(require.resolve('moraine/package.json')), 'dist/explorer', file));

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Moraine</title>
${faviconLink}
<link rel="stylesheet" href="/explorer.css">
<script type="module" src="/explorer.js"></script>
</head>
<body>
<div id="explorer"><noscript>The explorer needs JavaScript. <a href="/overview">The overview</a> does not.</noscript></div>
</body>
</html>
`;

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
