import type { AssetSource } from './asset.js';
import { contentSecurityPolicy, inlineHashes } from './content-security.js';

/** A document that GraphiQL opens with, in a tab that is named by its operation. */
export interface GraphiqlTab {
  query: string;
  /** JSON text. */
  variables?: string;
}

/**
 * Has the documentation be open when the page is visited for the first time; whoever closes it has it closed. GraphiQL
 * takes the query of the first tab by itself, its variables only from what it keeps.
 */
const firstVisit = (first: GraphiqlTab | undefined) => `
if (!localStorage.getItem('moraine:visited')) {
  localStorage.setItem('moraine:visited', 'yes');
  localStorage.setItem('graphiql:visiblePlugin', 'Documentation Explorer');
  if (!new URL(location.href).searchParams.has('query'))
    localStorage.setItem('graphiql:variables', ${JSON.stringify(first?.variables ?? '').replaceAll('<', '\\u003c')});
}`;

/** GraphiQL from the package itself: one page of 9 MB without any foreign address. */
export async function graphiqlPage(tabs: readonly GraphiqlTab[]): Promise<AssetSource> {
  // Imported here, because these 9 MB need not be read before somebody opens the page.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const page = renderGraphiQL({ title: 'Moraine GraphiQL', endpoint: '/graphql', defaultTabs: [...tabs] });
  const root = '<div id="root"></div>';
  const body = page.replace(root, () => `${root}<script>${firstVisit(tabs[0])}</script>`);
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
