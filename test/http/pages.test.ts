import type { Browser, Page } from 'playwright-core';
import { format } from 'prettier';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readRecipes } from '../../src/recipes.js';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser, openPage } from '../harness/browser.js';
import { poolOf } from '../harness/connections.js';
import { listen } from '../harness/listen.js';

/** For what a page does after loading megabytes, on a machine that runs other tests too. */
const patient = { timeout: 20_000 };

let gateway: TestApp;
let origin: string;

beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
  origin = await listen(gateway.app);
});

afterAll(() => gateway.close());

const groups = readRecipes();
/** In the order of the list in GraphiQL. */
const allExamples = groups.flatMap(({ examples }) => examples);

test.each(groups.at(-1)!.examples.map(({ name, query }) => [name, query]))(
  'the GraphiQL example %s returns data on the sample',
  async (_name, query) => {
    const { data, errors } = await gateway.graphql(query);
    expect(errors).toBeUndefined();
    expect(JSON.stringify(data)).toMatch(/"nodes":\[\{|[:[]\{"(?!nodes)/);
  },
);

test.each(allExamples.map(({ name, query }) => [name, query]))(
  'the example %s is printed one field a line, for an editor of 40 characters',
  async (_name, query) => {
    const printed = await format(query, { parser: 'graphql', printWidth: 40 });
    expect(query.trimEnd()).toBe(printed.trimEnd());
  },
);

test('the GraphiQL example of NFTs selects what it announces: their metadata, and when they can be reindexed', async () => {
  const tab = allExamples.find(({ query }) => query.includes('nftTokens('));
  expect(tab?.title).toBe('NFTs of a collection, with their metadata and when they can be reindexed');
  const { data } = await gateway.graphql<{ nftTokens: { nodes: object[] } }>(tab?.query ?? '');
  const unread = { metadataStatus: 'NONE', metadata: null, nextReindexAt: null };
  expect(data.nftTokens.nodes[0]).toMatchObject(unread);
});

test('GraphiQL has an example for each list of the graph that is not of a key', async () => {
  const { data } = await gateway.graphql<{
    __schema: { queryType: { fields: { name: string; type: { name: string | null } }[] } };
  }>('{ __schema { queryType { fields { name type { name } } } } }');
  const lists = data.__schema.queryType.fields
    .filter(({ type }) => type.name?.endsWith('Connection'))
    .map(({ name }) => name)
    .filter((name) => name !== 'webhooks');
  expect(lists.length).toBeGreaterThan(1);
  const shown = allExamples.map(({ query }) => query).join('\n');
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

  test.each(['light', 'dark'] as const)(
    '/overview shows the counts in %s, on a phone too',
    async (colorScheme) => {
      for (const width of [1200, 360]) {
        const { page, complaints, close } = await openPage(browser, origin, {
          colorScheme,
          viewport: { width, height: 800 },
        });
        await page.goto(`${origin}/overview`);
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
    },
  );

  const textOf = (page: Page) =>
    page.evaluate<string>(
      `monaco.editor.getModels().find(({ uri }) => uri.path.endsWith('operation.graphql')).getValue()`,
    );

  async function run(page: Page): Promise<void> {
    await page.getByRole('button', { name: /Execute query/ }).click();
    await expect.poll(() => page.locator('.result-window').textContent(), patient).toMatch(/"data"|"errors"/);
  }

  test('GraphiQL opens with the first of the recipes and examples that it lists, runs it and shows its data', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${origin}/graphql`);
    await run(page);
    await expect.poll(() => page.locator('.result-window').textContent(), patient).toContain('signedAlone');
    const links = page.getByRole('navigation', { name: 'Examples' }).locator('li a');
    expect(await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')))).toEqual(
      allExamples.map(({ name }) => `/graphql?example=${name}`),
    );
    expect(complaints).toEqual([]);
    await close();
  });

  test.each([
    [390, true],
    [1280, false],
    [1600, false],
  ])(
    'the first click on an example opens it in GraphiQL, %d pixels wide (touched: %s)',
    async (width, hasTouch) => {
      const { page, complaints, close } = await openPage(browser, origin, {
        viewport: { width, height: 844 },
        hasTouch,
        isMobile: hasTouch,
      });
      await page.goto(`${origin}/graphql`);
      await page.locator('.graphiql-query-editor .view-lines').waitFor();
      const press = (name: string) => (hasTouch ? page.locator(name).tap() : page.locator(name).click());
      for (const { name, query } of [allExamples[1]!, allExamples[9]!]) {
        if (hasTouch) await press('#examples summary');
        await press(`[data-example="${name}"]`);
        expect(await textOf(page)).toBe(query);
        await expect
          .poll(() => page.locator('.graphiql-query-editor .view-lines').textContent(), patient)
          .toMatch(new RegExp(`query\\s${name}`));
        await run(page);
        expect(await page.locator('.result-window').textContent()).not.toContain('"errors"');
      }
      expect(await page.locator('.graphiql-tab').allTextContents()).toHaveLength(1);
      // The page is as wide as the window.
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test('GraphiQL opens a link to an example, and an example next to what was written', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${origin}/graphql?example=Portfolio`);
    await run(page);
    expect(await page.locator('.result-window').textContent()).toContain('singleSignature');
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('query Mine { __typename');
    const tabs = page.getByRole('tab');
    // Its tab says so once GraphiQL has taken it up.
    await expect.poll(() => tabs.allTextContents(), patient).toEqual([expect.stringContaining('Mine')]);
    await page.locator('[data-example="Utxos"]').click();
    await expect
      .poll(() => tabs.allTextContents(), patient)
      .toEqual([expect.stringContaining('Mine'), expect.stringContaining('Utxos')]);
    expect(await textOf(page)).toContain('query Utxos');
    expect(complaints).toEqual([]);
    await close();
  });

  test('the first click on a tab of GraphiQL opens it, with the documentation open too', async () => {
    const { page, complaints, close } = await openPage(browser, origin, {
      viewport: { width: 1600, height: 800 },
    });
    await page.goto(`${origin}/graphql`);
    await page.locator('.graphiql-doc-explorer').waitFor();
    for (let count = 1; count < 6; count++) await page.getByRole('button', { name: 'New tab' }).click();
    const tabs = page.getByRole('tab');
    for (const index of [1, 4]) {
      const box = await tabs.nth(index).boundingBox();
      // As a hand does it, which stays on the button for a moment.
      await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 15);
      await page.mouse.down();
      await page.waitForTimeout(90);
      await page.mouse.up();
      await expect.poll(() => tabs.nth(index).getAttribute('aria-selected'), patient).toBe('true');
    }
    expect(complaints).toEqual([]);
    await close();
  });

  test('GraphiQL opens with the documentation in a wide window, and without once it was closed or where it is narrow', async () => {
    const { page, complaints, close } = await openPage(browser, origin, {
      viewport: { width: 1600, height: 800 },
    });
    await page.goto(`${origin}/graphql`);
    const documentation = page.locator('.graphiql-doc-explorer');
    await documentation.getByText('Query', { exact: true }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.reload();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).waitFor();
    expect(await documentation.count()).toBe(0);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await documentation.waitFor();
    await page.setViewportSize({ width: 1600, height: 800 });
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

  test.each([
    ['light', false],
    ['dark', true],
  ] as const)(
    '/docs is %s as the system is, and spells what every path may reply out once',
    async (colorScheme, isDark) => {
      const { page, complaints, close } = await openPage(browser, origin, { colorScheme });
      await page.goto(`${origin}/docs`);
      const operation = page.locator('.opblock', { hasText: '/utxos' }).first();
      await operation.locator('.opblock-summary').click();
      const shared = operation.locator('p.shared-replies');
      await expect
        .poll(() => shared.textContent(), patient)
        .toMatch(/400, 401, 405, 408, 429, 431, 500, 503/);
      expect(
        await operation
          .locator('tr.response')
          .evaluateAll((all) => all.map((each) => each.getAttribute('data-code'))),
      ).toEqual(['200']);
      await page.getByText('Errors, the same on every path').click();
      await page.getByText('The rate limit is reached.').waitFor();
      const paper = await page.evaluate<string>(
        'getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(document.body).backgroundColor',
      );
      expect(paper.includes('rgb(28, 32, 34)')).toBe(isDark);
      expect(complaints).toEqual([]);
      await close();
    },
  );

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
