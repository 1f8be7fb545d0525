import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.js';

/**
 * Whether a browser sent the request for a page of a site that CORS_ORIGIN does not allow. CORS keeps such a
 * page from reading the reply, but not from sending what needs no preflight: a form, or a POST without a
 * body. Programs that are no browser send neither header.
 */
export function isForeign(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { CORS_ORIGIN, PUBLIC_URL }: Pick<Config, 'CORS_ORIGIN' | 'PUBLIC_URL'>,
): boolean {
  if (CORS_ORIGIN.includes('*')) return false;
  const { origin, host, 'sec-fetch-site': site } = headers;
  // The browser sets it, and no page can; "none" means that a person opened the address.
  if (site === 'same-origin' || site === 'none') return false;
  if (origin === undefined) return site !== undefined;
  if (CORS_ORIGIN.includes(origin) || (PUBLIC_URL && origin === new URL(PUBLIC_URL).origin)) return false;
  // Older browsers send no Sec-Fetch-Site. Behind a proxy that changes the host they need PUBLIC_URL.
  return site !== undefined || !URL.canParse(origin) || new URL(origin).host !== host;
}
