import type { FastifyInstance } from 'fastify';
import { serveAsset } from '../asset.js';

/** The icon that pages name. */
export const faviconLink = '<link rel="icon" href="/favicon.svg" type="image/svg+xml">';

/** Two ridges that a glacier left, and its ice behind them. */
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#0b5c8a"/>
<path d="M8 19 17 6l9 13z" fill="#fff"/>
<path d="M0 24 9 15l7 6 6-4 10 8a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7z" fill="#77c1ec"/>
<path d="M0 25.5 7 22l9 4 8-3 8 2a7 7 0 0 1-7 7H7a7 7 0 0 1-7-6.5z" fill="#1d2429"/>
</svg>
`;

/** Serves the icon; browsers request favicon.ico for replies that are not pages. */
export function registerFavicon(app: FastifyInstance): void {
  const send = serveAsset(() => ({
    body: svg,
    type: 'image/svg+xml',
    headers: { 'cache-control': 'public, max-age=86400' },
  }));
  for (const path of ['/favicon.svg', '/favicon.ico']) app.get(path, { config: { free: true } }, send);
}
