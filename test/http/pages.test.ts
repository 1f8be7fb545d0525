import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { recipes } from '../../src/recipes/recipes.js';
import { graphiqlExamples } from '../../src/resources.js';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser, openPage } from '../harness/browser.js';
import { poolOf } from '../harness/connections.js';

/** For what a page does after loading megabytes, on a machine that runs other tests too. */
const patient = { timeout: 20_000 };

let gateway: TestApp;
let origin: string;

beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
  await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(gateway.app.server.address() as AddressInfo).port}`;
});

afterAll(() => gateway.close());

/** Name of a tab's operation. */
const nameOf = (query: string) => /(?:query|mutation)\s+(\w+)/.exec(query)?.[1] ?? '';

test.each(graphiqlExamples.map((query) => [nameOf(query), query]))(
  'the GraphiQL example %s returns data on the sample',
  async (name, query) => {
    expect(name).not.toBe('');
    const { data, errors } = await gateway.graphql(query);
    expect(errors).toBeUndefined();
    expect(JSON.stringify(data)).toMatch(/"nodes":\[\{|:\{"(?!nodes)/);
  },
);

test('the GraphiQL example of NFTs selects what it announces: their metadata, and when they can be reindexed', async () => {
  const tab = graphiqlExamples.find((query) => query.includes('nftTokens('));
  expect(tab).toMatch(/^# NFTs of a collection, with their metadata and when they can be reindexed$/m);
  const { data } = await gateway.graphql<{ nftTokens: { nodes: object[] } }>(tab ?? '');
  const unread = { metadataStatus: 'NONE', metadata: null, nextReindexAt: null };
  expect(data.nftTokens.nodes[0]).toMatchObject(unread);
});

test('GraphiQL has an example for each list of the graph', async () => {
  const { data } = await gateway.graphql<{
    __schema: { queryType: { fields: { name: string; type: { name: string | null } }[] } };
  }>('{ __schema { queryType { fields { name type { name } } } } }');
  const lists = data.__schema.queryType.fields
    .filter(({ type }) => type.name?.endsWith('Connection'))
    .map(({ name }) => name);
  expect(lists.length).toBeGreaterThan(1);
  const shown = graphiqlExamples.join('\n');
  for (const list of lists) expect(shown).toMatch(new RegExp(`\\b${list}\\b`));
});

test('the first requests of / give data when they are run as written', async () => {
  const { text } = await gateway.get('/', { host: 'data.example:4000' });
  const commands = [...text.matchAll(/<pre [^>]*>([^<]+)<\/pre>/g)].map(([, escaped]) =>
    (escaped ?? '').replace(/&#(\d+);/g, (_match, code: string) => String.fromCharCode(Number(code))),
  );
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    const [, url = '', body] = /^curl '([^']+)'(?:.* -d '([^']+)')?$/.exec(command) ?? [];
    expect(url).toMatch(/^http:\/\/data\.example:4000\//);
    const reply = await gateway.app.inject({
      method: body ? 'POST' : 'GET',
      url: url.replace('http://data.example:4000', ''),
      ...(body && { headers: { 'content-type': 'application/json' }, payload: body }),
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toContain('"utxoId":');
  }
});

test('/ takes no HTML from the Host header', async () => {
  const { text } = await gateway.get('/', { host: '"><script>alert(1)</script>' });
  expect(text).not.toContain('alert(1)');
});

test('/ of an empty database says how to fill it', async () => {
  const empty = await createApp();
  onTestFinished(() => empty.close());
  const { status, text } = await empty.get('/');
  expect(status).toBe(200);
  expect(text).toContain('moraine import');
  expect(text).toContain('serviceConfig');
});

test('/ tells estimates of many rows, and says that they are', async () => {
  const full = await createApp();
  onTestFinished(() => full.close());
  await poolOf(full.storage).query(`
    INSERT INTO transaction (network, chain, tx_hash, tx_type, block_timestamp, block_number, details, tie)
    SELECT 'mainnet', 'p', 'tx' || n, 'BaseTx', 1600000000 + n, n, '{"value":[]}', n FROM generate_series(1, 25000) n`);
  await poolOf(full.storage).query('ANALYZE transaction');
  const { text } = await full.get('/');
  expect(text).toMatch(/mainnet p-chain<\/th>\s*<td data-label="Transactions">about 2[456],000</);
  expect(text).toContain('<td data-label="Newest block">25,000</td>');
  expect(text).toContain(`<time datetime="${new Date(1_600_025_000_000).toISOString()}">`);
});

describeInBrowser('in Chromium', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });

  afterAll(() => browser.close());

  test.each(['light', 'dark'] as const)('/ shows the counts in %s, on a phone too', async (colorScheme) => {
    for (const width of [1200, 360]) {
      const { page, complaints, close } = await openPage(browser, origin, {
        colorScheme,
        viewport: { width, height: 800 },
      });
      await page.goto(origin);
      const { rows } = await poolOf(gateway.storage).query<{ held: string }>(
        `SELECT count(*) AS held FROM transaction WHERE network = 'fuji' AND chain = 'p'`,
      );
      const row = page.locator('tbody tr', { hasText: 'fuji p-chain' });
      await expect.poll(() => row.locator('td').first().textContent()).toBe(rows[0]?.held);
      await page.getByRole('button', { name: 'Copy' }).first().click();
      await expect.poll(() => page.getByRole('button').first().textContent()).toMatch(/Copied|Selected/);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow).toBeLessThanOrEqual(0);
      expect(complaints).toEqual([]);
      await close();
    }
  });

  test('GraphiQL opens with the recipes and examples as tabs, runs the first and shows its data', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${origin}/graphql`);
    for (const query of [...recipes.map(({ document }) => document), ...graphiqlExamples])
      await page.getByRole('button', { name: nameOf(query), exact: true }).waitFor();
    await page.getByRole('button', { name: /Execute query/ }).click();
    await expect.poll(() => page.locator('.result-window').textContent(), patient).toContain('signedAlone');
    expect(complaints).toEqual([]);
    await close();
  });

  test('GraphiQL opens with the documentation beside it, and without once it was closed', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${origin}/graphql`);
    const documentation = page.locator('.graphiql-doc-explorer');
    await documentation.getByText('Query', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
    await documentation.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).waitFor();
    expect(await documentation.count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test('GraphiQL keeps what was written when it is loaded again, and opens a link to a query', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${origin}/graphql`);
    const editor = page.locator('.graphiql-query-editor .view-lines');
    await editor.click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('query Mine { __typename');
    await expect.poll(() => page.url(), patient).toContain('Mine');
    await page.reload();
    await expect.poll(() => editor.textContent(), patient).toContain('Mine');
    const { page: other, close: closeOther } = await openPage(browser, origin);
    await other.goto(`${origin}/graphql?query=query%20Shared%20%7B%20__typename%20%7D`);
    await other.getByRole('button', { name: /Execute query/ }).click();
    await expect.poll(() => other.locator('.result-window').textContent(), patient).toContain('__typename');
    await expect
      .poll(() => other.locator('.graphiql-query-editor .view-lines').textContent(), patient)
      .toContain('Shared');
    expect(complaints).toEqual([]);
    await closeOther();
    await close();
  });

  test('/docs shows every endpoint and executes a request', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${origin}/docs`);
    const operation = page
      .locator('#operations-Primary_network-listUtxos, .opblock', { hasText: '/utxos' })
      .first();
    await operation.locator('.opblock-summary').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await expect
      .poll(
        () => operation.locator('.live-responses-table td.response-col_description').last().textContent(),
        patient,
      )
      .toContain('utxoId');
    expect(complaints).toEqual([]);
    await close();
  });
});
