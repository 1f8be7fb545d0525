import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../../graphql/context.js';
import { inTime } from '../../failure.js';
import { prepareAsset, sendAsset, type Asset } from '../asset.js';
import { contentSecurityPolicy, inlineHashes } from '../content-security.js';
import { registerFavicon } from './favicon.js';
import { readHoldings, type FirstScreen, type Holdings } from './holdings.js';
import { homePage } from './home.js';

/** How long the figures of the first screen are used, milliseconds. */
const FRESH_MS = 5000;
/** After this many milliseconds the first screen comes without figures. */
const PATIENCE_MS = 3000;

/** For whom the figures are read: no caller's share pays for what all see. */
const NOBODY = 'first screen';

/** Serves the first screen and the icon; from then on refusals are pages for browsers. */
export function registerPages(app: FastifyInstance, services: Services, screen: FirstScreen): void {
  app.decorate('hasPages', true);
  registerFavicon(app);
  const holdings = recentHoldings(services, screen);
  // As it was made last: nearly all come by one address.
  let last: { holdings: Holdings | null; base: string; asset: Asset } | undefined;
  app.get('/', { config: { free: true } }, async (request, reply) => {
    const held = await holdings();
    const base = services.config.PUBLIC_URL ?? addressOf(request);
    if (last?.holdings !== held || last.base !== base)
      last = { holdings: held, base, asset: assetOf(homePage(screen, held, base)) };
    return sendAsset(request, reply, last.asset);
  });
}

function assetOf(page: string): Asset {
  return prepareAsset({
    body: page,
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': policyOf(page), 'cache-control': 'no-store' },
  });
}

function policyOf(page: string): string {
  return contentSecurityPolicy({
    'script-src': inlineHashes(page, 'script'),
    'style-src': inlineHashes(page, 'style'),
    'img-src': ["'self'"],
  });
}

// The Host header is the caller's own word; it is shown to no one else.
function addressOf({ protocol, host }: FastifyRequest): string {
  return /^[\w.:[\]-]+$/.test(host) ? `${protocol}://${host}` : '';
}

/** What is held, read at most once in FRESH_MS however many ask; null when it cannot be read. */
function recentHoldings(
  { storage, log, now }: Services,
  screen: FirstScreen,
): () => Promise<Holdings | null> {
  let last: { at: number; holdings: Promise<Holdings | null> } | undefined;
  return async () => {
    // A clock that was set back makes no figures last longer.
    if (!last || Math.abs(now() - last.at) >= FRESH_MS) {
      const holdings = inTime(readHoldings(storage.of(NOBODY), screen), PATIENCE_MS).catch(
        (error: unknown) => {
          log.warn({ err: error }, 'the figures of the home page cannot be read');
          last = undefined;
          return null;
        },
      );
      last = { at: now(), holdings };
    }
    return last.holdings;
  };
}
