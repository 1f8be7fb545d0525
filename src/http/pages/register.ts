import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FollowReader } from '../../follow/status/status.js';
import type { Services } from '../../graphql/context.js';
import { inTime } from '../../failure.js';
import { prepareAsset, sendAsset, type Asset } from '../asset.js';
import { prefersHtml } from '../browser.js';
import { contentSecurityPolicy, inlineHashes } from '../content-security.js';
import { varyByAccept } from '../server.js';
import { registerExplorer } from './explorer.js';
import { registerFavicon } from './favicon.js';
import { readHoldings, type FirstScreen, type Holdings } from './holdings.js';
import { homePage } from './home.js';

/** How long the figures of the first screen are used, milliseconds. */
const FRESH_MS = 5000;
/** After this many milliseconds the first screen is sent without figures. */
const PATIENCE_MS = 3000;

/** The caller of this read: its share of connections is not that of any visitor. */
const NOBODY = 'first screen';

/** Serves the explorer, the overview of what is stored and the icon; browsers then get refusals as pages. */
export function registerPages(
  app: FastifyInstance,
  services: Services,
  screen: FirstScreen,
  following: FollowReader,
): void {
  app.decorate('hasPages', true);
  registerFavicon(app);
  const baseOf = (request: FastifyRequest) => services.config.PUBLIC_URL ?? addressOf(request);
  const sendExplorer = registerExplorer(app, baseOf);
  const holdings = recentHoldings(services, screen, following);
  // The last one that was made: nearly all visitors use the same address.
  let last: { holdings: Holdings | null; base: string; asset: Asset } | undefined;
  const sendOverview = async (request: FastifyRequest, reply: FastifyReply) => {
    const counted = await holdings();
    const base = baseOf(request);
    if (last?.holdings !== counted || last.base !== base)
      last = { holdings: counted, base, asset: assetOf(homePage(screen, counted, base)) };
    return sendAsset(request, reply, last.asset);
  };
  app.get('/overview', { config: { free: true } }, sendOverview);
  app.get('/', { config: { free: true } }, (request, reply) => {
    varyByAccept(reply);
    return prefersHtml(request.headers) ? sendExplorer(request, reply) : sendOverview(request, reply);
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

// The Host header comes from the caller; only this caller sees it.
function addressOf({ protocol, host }: FastifyRequest): string {
  return /^[\w.:[\]-]+$/.test(host) ? `${protocol}://${host}` : '';
}

/** What is stored, read at most once in FRESH_MS however many ask; null when it cannot be read. */
function recentHoldings(
  { storage, log, now }: Services,
  screen: FirstScreen,
  following: FollowReader,
): () => Promise<Holdings | null> {
  let last: { at: number; holdings: Promise<Holdings | null> } | undefined;
  return async () => {
    // A clock that was set back does not make figures last longer.
    if (!last || Math.abs(now() - last.at) >= FRESH_MS) {
      const holdings = inTime(readHoldings(storage.of(NOBODY), screen, following), PATIENCE_MS).catch(
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
