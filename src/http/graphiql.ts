import type { FastifyInstance } from 'fastify';
import { documentedNow } from '../avalanche/documented.js';
import { serveAsset, type AssetSource } from './asset.js';
import { contentSecurityPolicy, inlineHashes } from './content-security.js';
import type { Example, ExampleGroup } from '../recipes.js';
import { examplesList } from './pages/examples.js';
import { asScript, scriptAfter, scriptBefore } from './pages/graphiql-script.js';
import { graphiqlStyle } from './pages/graphiql-style.js';

const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1" />';

/** The package makes one page of 9 MB; these parts of it are the same for everybody. */
const files = { style: '/graphiql/graphiql.css', script: '/graphiql/graphiql.js' };

/** Where the package's script begins to use the options that it was given. */
const STARTS = 'YogaGraphiQL.renderYogaGraphiQL(';

/** Stands for the query of the first tab. */
const FIRST_QUERY = 'the first query';

interface GraphiqlFiles extends Record<keyof typeof files, Buffer> {
  /** The page, which loads the other two. */
  page: string;
}

let made: Promise<GraphiqlFiles> | undefined;

/** GraphiQL from its package, in three parts, made once: it takes the event loop for a tenth of a second. */
function graphiqlFiles(): Promise<GraphiqlFiles> {
  made ??= makeFiles();
  made.catch(() => (made = undefined));
  return made;
}

async function makeFiles(): Promise<GraphiqlFiles> {
  // Imported here, so that these 9 MB are read only if the page is opened.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const whole = renderGraphiQL({
    title: 'Moraine GraphiQL',
    endpoint: '/graphql',
    favicon: '/favicon.svg',
    defaultTabs: [{ query: FIRST_QUERY }],
  });
  const [beforeStyle, style, afterStyle] = cut(whole, '<style>', whole.indexOf('</style>'));
  const [beforeScript, script, afterScript] = cut(afterStyle, '<script>', afterStyle.lastIndexOf(STARTS));
  const page = `${beforeStyle}<link rel="stylesheet" href="${files.style}">${afterOf(beforeScript, '</style>')}<script src="${files.script}"></script><script>${afterScript}`;
  return {
    style: Buffer.from(style),
    // So that the list of examples can reach the editors.
    script: Buffer.from(replaced(script, 'globalAPI: false', 'globalAPI: true')),
    page: apart(page),
  };
}

/** A text before a mark, between it and a later position, and from there on. */
function cut(text: string, mark: string, end: number): [before: string, between: string, after: string] {
  const start = text.indexOf(mark);
  if (start < 0 || end < start) throw new Error(`GraphiQL's page has no ${mark}`);
  return [text.slice(0, start), text.slice(start + mark.length, end), text.slice(end)];
}

/** The same text in memory of its own: a part of a text keeps all of it. */
const apart = (text: string) => Buffer.from(text).toString();

const afterOf = (text: string, mark: string) => text.slice(text.indexOf(mark) + mark.length);

/** A text in which another one replaces the first mark. */
function replaced(text: string, mark: string, other: string): string {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`GraphiQL's page has no ${mark}`);
  return text.slice(0, at) + other + text.slice(at + mark.length);
}

/** The page of GraphiQL with a list of examples; it loads nothing from elsewhere. */
export async function graphiqlPage(declared: readonly ExampleGroup[]): Promise<AssetSource> {
  const groups = declared.map(({ title, examples }) => ({ title, examples: examples.map(asOfNow) }));
  const examples = groups.flatMap((group) => group.examples);
  const { page } = await graphiqlFiles();
  const [charset, root] = ['<meta charset="utf-8" />', '<div id="root"></div>'];
  const list = `${examplesList(groups).text}${root}<script>${scriptBefore(examples)}</script>`;
  let body = replaced(page, charset, charset + VIEWPORT);
  body = replaced(body, JSON.stringify(FIRST_QUERY), asScript(examples[0]?.query ?? ''));
  body = replaced(body, '</head>', `<style>${graphiqlStyle}</style></head>`);
  body = replaced(body, root, list);
  body = replaced(body, '</body>', `<script>${scriptAfter}</script></body>`);
  return {
    body,
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': policy(body) },
  };
}

/** Serves the two files that the page loads. */
export function registerGraphiqlFiles(app: FastifyInstance): void {
  const types = { style: 'text/css; charset=utf-8', script: 'text/javascript; charset=utf-8' };
  for (const part of ['style', 'script'] as const)
    app.get(
      files[part],
      { config: { free: true, weight: part === 'script' ? 8 : 1 } },
      serveAsset(async () => ({ body: (await graphiqlFiles())[part], type: types[part] })),
    );
}

const asOfNow = (example: Example): Example => ({
  ...example,
  query: documentedNow(example.query),
  variables: documentedNow(example.variables),
});

function policy(html: string): string {
  return contentSecurityPolicy({
    'script-src': ["'self'", ...inlineHashes(html, 'script')],
    // The editor creates its styles while it runs.
    'style-src': ["'self'", "'unsafe-inline'"],
    'font-src': ['data:'],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'"],
    // The script creates its workers from text that it contains.
    'worker-src': ['blob:'],
  });
}
