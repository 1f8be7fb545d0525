import type { AssetSource } from './asset.js';
import { contentSecurityPolicy, inlineHashes } from './content-security.js';
import { graphiqlTabs } from './graphiql-tabs.js';

/** GraphiQL from the package itself, opening with examples: one page of 9 MB without any foreign address. */
export async function graphiqlPage(): Promise<AssetSource> {
  // Imported here, because these 9 MB need not be read before somebody opens the page.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const body = renderGraphiQL({ title: 'Moraine GraphiQL', endpoint: '/graphql', defaultTabs: graphiqlTabs });
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
