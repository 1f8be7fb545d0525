import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as paths from '../../explorer/paths.js';
import { ZERO_ID } from '../../src/avalanche/codec/ids.js';
import { examples } from '../../sample/examples.js';
import { explorerPages } from '../../src/http/pages/explorer-titles.js';
import { createApp, type TestApp } from '../harness/app.js';
import {
  blockchain,
  evmTransaction,
  samplePages,
  spentOutput,
  validation,
} from '../harness/explorer-pages.js';
import { MOST_COST } from '../harness/explorer-walk.js';

const root = resolve(import.meta.dirname, '../../explorer');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.startsWith('generated'));

/** As `bin/build-explorer.mjs` writes them. */
interface Files {
  first: string[];
  pages: Record<'start' | 'things' | 'others', string[]>;
  later: string[];
}

const nameOf = (document: string) => /(?:query|subscription) (\w+)/.exec(document)?.[1] ?? '';
const queries = files
  .filter((file) => file.endsWith('.graphql'))
  .flatMap((file) =>
    [...textOf(file).matchAll(/^(?:query|subscription) (\w+)/gm)].map(([, name = '']) => name),
  );

/** The addresses of pages: parameters stand for anything. */
const routes = Object.keys(explorerPages);
const without = (all: readonly string[]) =>
  routes.filter((route) => {
    const form = new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`);
    return !all.some((path) => form.test(path.replace(/\?.*/, '')));
  });

describe('a page of the explorer', () => {
  test('has an address that others link to', () => {
    const { directories, directoryPath, ...others } = paths;
    const made = Object.entries<unknown>(others)
      .filter(([name]) => name.endsWith('Path'))
      .map(([, make]) => make as (...parts: string[]) => string)
      .map((make) => make(...Array<string>(make.length).fill('fuji')));
    const kinds = Object.keys(directories) as (keyof typeof directories)[];
    expect(without(['/', ...made, ...kinds.map((kind) => directoryPath('fuji', kind))])).toEqual([]);
    const rest = sources.filter((file) => file !== 'paths.ts').map(textOf);
    const unused = Object.keys(paths).filter(
      (name) => !rest.some((text) => new RegExp(`\\b${name}\\b`).test(text)),
    );
    expect(unused).toEqual([]);
  });

  test('is walked on the sample (test/networks/explorer-sample.test.ts)', () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(without(Object.values(samplePages()))).toEqual([]);
  });

  test('is in the table of docs/explorer.md, which names no other', () => {
    const page = readFileSync(join(root, '../docs/explorer.md'), 'utf8');
    const named = [...page.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path.replace(/\?.*/, '')),
    );
    expect(without(['/', ...named])).toEqual([]);
    const forms = routes.map((route) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`));
    expect(named.filter((path) => !forms.some((form) => form.test(path)))).toEqual([]);
  });
});

test('every file of the explorer is imported, and every document asked', () => {
  const imported = sources.flatMap((file) =>
    [...textOf(file).matchAll(/(?:from|import)\s*\(?'(\.[^']+)\.js'/g)].map(([, path = '']) =>
      relative(root, resolve(root, dirname(file), path)),
    ),
  );
  // The build divides what they import.
  const begins = ['main', 'libraries'];
  const unused = sources.map((file) => file.replace(/\.tsx?$/, ''));
  expect(unused.filter((file) => ![...imported, ...begins].includes(file))).toEqual([]);
  const texts = sources.map(textOf).join();
  expect(queries.filter((name) => !new RegExp(`\\b${name}Document\\b`).test(texts))).toEqual([]);
});

test('the explorer makes no markup of text', () => {
  expect(sources.length).toBeGreaterThan(10);
  for (const file of sources)
    expect(textOf(file)).not.toMatch(/dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write/);
});

describe('on the sample', () => {
  let gateway: TestApp;
  beforeAll(async () => {
    gateway = await createApp({}, { sample: true });
  });
  afterAll(() => gateway.close());

  test('every file that was built is served under a name for ever, and no other', async () => {
    const folder = resolve(root, '../dist/explorer');
    const { first, pages, later } = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as Files;
    const all = [...new Set([...first, ...Object.values(pages).flat(), ...later])];
    expect([...all, 'app.js', 'app.css', 'documents.json', 'files.json'].sort()).toEqual(
      readdirSync(folder).sort(),
    );
    expect(later.map((file) => file.split('-')[0]).sort()).toEqual(['graph', 'plot', 'stream']);
    for (const file of all) {
      const { status, headers, text } = await gateway.get(`/explorer/${file}`);
      expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(text).toBe(readFileSync(join(folder, file), 'utf8'));
    }
    for (const file of ['documents.json', 'files.json', 'app.js', 'others.js', '..%2Fapp.css'])
      expect((await gateway.get(`/explorer/${file}`)).status).toBe(404);
    const namedBy = async (path: string) => {
      const { text } = await gateway.get(path, { accept: 'text/html' });
      return [...text.matchAll(/rel="modulepreload" href="\/explorer\/([^"]+)"/g)].map(([, file]) => file);
    };
    // Without HTTP/2 a browser has six connections to a host, and app.js needs one: a file more waits.
    // Of the other pages one file needs two round trips, in which another connection has time for two files.
    const most = { start: 5, things: 5, others: 6 };
    for (const [name, of] of Object.entries(pages))
      expect(first.length + of.length, name).toBeLessThanOrEqual(most[name as keyof typeof most]);
    expect(await namedBy('/explore/fuji')).toEqual([...first, ...pages.start]);
    expect(await namedBy('/explore/fuji/search')).toEqual(first);
    expect(await namedBy('/explore/fuji/p-chain/blocks/1')).toEqual([...first, ...pages.things]);
    expect(await namedBy('/explore/fuji/validators')).toEqual([...first, ...pages.others]);
    // Tabs of an address are parts in the file of the others.
    expect(await namedBy('/explore/fuji/addresses/fuji1?tab=stakes')).toEqual([
      ...new Set([...first, ...pages.things, ...pages.others]),
    ]);
  });

  test('every document of the explorer costs at most half of the default limit, and is answered without errors', async () => {
    const { owner, madeBy, asset, node } = spentOutput();
    const values = {
      network: 'fuji',
      chain: 'p-chain',
      hash: madeBy,
      text: madeBy,
      number: '1',
      address: owner,
      asset,
      node,
      validation: validation(),
      digits: node.replace('NodeID-', ''),
      primary: ZERO_ID,
      vertex: examples.xChain.vertexHash,
      blockchain: blockchain(),
      subnet: examples.subnetId,
      evm: examples.evmChainId,
      message: examples.icmMessageId,
      collection: examples.nftCollection,
      token: examples.nftTokenId,
      from: '2025-10-01',
      to: '2026-09-30',
      operator: 'AND',
      queries: [
        {
          latestBalance: { id: '1', evmChainId: examples.evmChainId, minBalance: '1', tokenType: 'NATIVE' },
        },
      ],
    };
    const documents = ['', 'things/', 'others/']
      .map((of) => `generated/${of}graphql.ts`)
      .flatMap((file) =>
        [...textOf(file).matchAll(/export const \w+Document = new TypedDocumentString\(`([^`]+)`/g)].map(
          ([, text = '']) => text,
        ),
      );
    expect(documents.map(nameOf).sort()).toEqual([...queries].sort());
    // A stream has no end; test/networks/explorer-stream.test.ts reads it.
    for (const query of documents.filter((each) => !each.includes('subscription '))) {
      const name = nameOf(query);
      // Every list has a full page, as the pages ask for it.
      const pages = [...query.matchAll(/\$(\w+First): Int/g)].map(([, name = '']) => [name, 24]);
      // Of the parts of a page that are shown one by one, all.
      const parts = [...query.matchAll(/\$(\w+): Boolean!/g)].map(([, name = '']) => [name, true]);
      const variables: Record<string, unknown> = { ...values, ...Object.fromEntries([...pages, ...parts]) };
      if (name.startsWith('Evm')) variables['address'] = examples.evmAddress;
      if (name.startsWith('Evm')) variables['hash'] = evmTransaction();
      const payload = JSON.stringify({ query, variables, extensions: { cost: { dryRun: false } } });
      const { body } = await gateway.post('/graphql', { 'content-type': 'application/json' }, payload);
      const { errors, extensions } = body as { errors?: object[]; extensions: { cost: { asked: number } } };
      expect(errors, name).toBeUndefined();
      expect(extensions.cost.asked, name).toBeGreaterThan(0);
      expect(extensions.cost.asked, name).toBeLessThanOrEqual(MOST_COST);
    }
  });
});
