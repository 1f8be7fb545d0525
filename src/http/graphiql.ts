import type { AssetSource } from './asset.js';
import { contentSecurityPolicy, inlineHashes } from './content-security.js';

/**
 * GraphiQL from the package itself: one page of 9 MB without any foreign address.
 *
 * @param examples documents that it opens with, a tab for each, which is named by its operation
 */
export async function graphiqlPage(examples: readonly string[]): Promise<AssetSource> {
  // Imported here, because these 9 MB need not be read before somebody opens the page.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const defaultTabs = examples.map((query) => ({ query }));
  const body = renderGraphiQL({ title: 'Moraine GraphiQL', endpoint: '/graphql', defaultTabs });
  return {
    body,
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': policy(body) },
  };
}

function policy(html: string): string {
  return contentSecurityPolicy({
    'script-src': inlineHashes(html, 'script'),
    // The editor makes its styles while it runs.
    'style-src': ["'unsafe-inline'"],
    'font-src': ['data:'],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'"],
    // The page makes its workers from text that it carries.
    'worker-src': ['blob:'],
  });
}
