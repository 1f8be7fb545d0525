import { documentedNow } from '../avalanche/documented.js';
import type { AssetSource } from './asset.js';
import { contentSecurityPolicy, inlineHashes } from './content-security.js';
import { examplesList, type Example, type ExampleGroup } from './pages/examples.js';
import { scriptAfter, scriptBefore } from './pages/graphiql-script.js';
import { graphiqlStyle } from './pages/graphiql-style.js';

const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1" />';

/** GraphiQL from its package, with a list of examples: one page of 9 MB that loads nothing from elsewhere. */
export async function graphiqlPage(declared: readonly ExampleGroup[]): Promise<AssetSource> {
  const groups = declared.map(({ title, examples }) => ({ title, examples: examples.map(asOfNow) }));
  const examples = groups.flatMap((group) => group.examples);
  // Imported here, so that these 9 MB are read only if somebody opens the page.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  let body = renderGraphiQL({
    title: 'Moraine GraphiQL',
    endpoint: '/graphql',
    favicon: '/favicon.svg',
    defaultTabs: examples.slice(0, 1).map(({ query }) => ({ query })),
  });
  const put = (mark: string, text: string, at = body.indexOf(mark)) => {
    if (at < 0) throw new Error(`GraphiQL's page has no ${mark}`);
    body = body.slice(0, at) + text + body.slice(at + mark.length);
  };
  const [charset, root] = ['<meta charset="utf-8" />', '<div id="root"></div>'];
  put(charset, charset + VIEWPORT);
  put('</head>', `<style>${graphiqlStyle}</style></head>`);
  put(root, `${examplesList(groups).text}${root}<script>${scriptBefore(examples)}</script>`);
  // So that the list of examples can reach the editors.
  put('globalAPI: false', 'globalAPI: true');
  // The first is one of GraphiQL's own texts.
  put('</body>', `<script>${scriptAfter}</script></body>`, body.lastIndexOf('</body>'));
  return {
    body,
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': policy(body) },
  };
}

const asOfNow = (example: Example): Example => ({
  ...example,
  query: documentedNow(example.query),
  variables: documentedNow(example.variables),
});

function policy(html: string): string {
  return contentSecurityPolicy({
    'script-src': inlineHashes(html, 'script'),
    // The editor creates its styles while it runs.
    'style-src': ["'unsafe-inline'"],
    'font-src': ['data:'],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'"],
    // The page creates its workers from text that it contains.
    'worker-src': ['blob:'],
  });
}
