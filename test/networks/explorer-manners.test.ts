import { readFile } from 'node:fs/promises';
import { Kind, parse } from 'graphql';
import type { Browser, Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples } from '../../sample/examples.js';
import { nativeAssetIds } from '../../src/avalanche/networks.js';
import { explorerTitle } from '../../src/http/pages/explorer-titles.js';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser, openPage } from '../harness/browser.js';
import { samplePages, spentOutput } from '../harness/explorer-pages.js';
import { isStream, settled } from '../harness/explorer-walk.js';
import { hide } from '../harness/hidden-tab.js';
import { idOf } from '../harness/ledger-rows.js';
import { listen } from '../harness/listen.js';

/** A page or a context. */
interface Watched {
  on: (event: 'request', listener: (request: Request) => void) => unknown;
}

let gateway: TestApp;
let origin: string;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
  origin = await listen(gateway.app);
});
afterAll(() => gateway.close());

test('every page is served with its own title, description and address, and they are the ones of the explorer', async () => {
  const titles = new Set<string>();
  for (const path of Object.values(samplePages())) {
    const [bare = ''] = path.split('?');
    const { text, status } = await gateway.get(path, { accept: 'text/html' });
    const { title, description } = explorerTitle(bare);
    expect(status).toBe(200);
    expect(text).toContain(`<title>${title}</title>`);
    expect(text).toContain(`<meta name="description" content="${description}">`);
    expect(text).toContain(`<link rel="canonical" href="${bare}">`);
    titles.add(title);
  }
  // The steps of a picture and tabs are other views of one page.
  const pages = new Set(Object.values(samplePages()).map((path) => path.split('?')[0]));
  expect(titles.size).toBe(pages.size);
});

test('robots.txt names what crawlers leave alone, and OpenSearch how to search here', async () => {
  const robots = await gateway.get('/robots.txt');
  expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(robots.text).toContain('Disallow: /graphql\n');
  const search = await gateway.get('/opensearch.xml', { host: 'gateway.example' });
  expect(search.text).toContain(
    'template="http://gateway.example/explore/mainnet/search?text={searchTerms}"',
  );
  const { status, headers } = await gateway.get('/explore', { accept: 'text/html' });
  expect([status, headers['location']]).toEqual([307, '/']);
});

test('an address with markup, controls or 20,000 characters is only text in the page', async () => {
  for (const part of ['%3Cimg%20src=x%3E', '%E2%80%AE', 'x'.repeat(10_000)]) {
    const { status, text } = await gateway.get(`/explore/fuji/addresses/${part}`, { accept: 'text/html' });
    expect(status).toBe(200);
    expect(text).not.toMatch(/<img src=x|\u202e/);
    expect(/<title>(.*)<\/title>/.exec(text)?.[1]?.length).toBeLessThan(200);
  }
});

describeInBrowser('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  /** The requests that a page or a context sends to the graph: the names of their operations, or only one. */
  function asked(of: Watched, only = /\w+/): string[] {
    const names: string[] = [];
    of.on('request', (request: Request) => {
      if (request.url().endsWith('/graphql'))
        names.push(
          ...(/query (\w+)/.exec(request.postData() ?? '')?.slice(1) ?? []).filter((name) => only.test(name)),
        );
    });
    return names;
  }

  const newest = '/explore/fuji';
  const updated = (page: Page) => page.getByText(/Updated at/);

  test('an unknown network and a wrong number are explained in words, and nothing is requested', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    const names = asked(page);
    const cases = {
      '/explore/xyz': '“xyz” is not a network: there are mainnet and fuji.',
      '/explore/fuji/p-chain/blocks/1,234': '“1,234” is not the number of a block: that has digits alone.',
      '/explore/fuji/evm/0/addresses/0x1': '“0” is not the id of an EVM chain',
      '/explore/fuji/q-chain/transactions/x': '“q-chain” is not a chain of the primary network',
    };
    for (const [path, words] of Object.entries(cases)) {
      await page.goto(origin + path);
      await page.getByText(words).waitFor();
      expect(await page.title()).toBe('There is no such page - Moraine');
    }
    expect(names).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  test('one thing has one address, and its title follows', async () => {
    const { madeBy, owner } = spentOutput();
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${origin}/explore/fuji/11111111111111111111111111111111LpoYY/transactions/${madeBy}`);
    await page.waitForURL(`**/explore/fuji/p-chain/transactions/${madeBy}`);
    expect(await page.title()).toBe(`Transaction ${madeBy} - Moraine`);
    await page.goto(`${origin}/explore/fuji/addresses/P-${owner}`);
    await page.waitForURL(`**/explore/fuji/addresses/${owner}`);
    // The whole id is in the heading.
    await page.getByRole('heading', { level: 1, name: owner }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  const falters: Record<string, [reply: (route: Route) => Promise<void>, words: string]> = {
    "a proxy's page": [
      (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
      'What answered is not the gateway, perhaps a proxy before it (status 502).',
    ],
    'an empty reply': [
      (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '' }),
      'The answer is empty (status 200).',
    ],
    'a connection that breaks': [(route) => route.abort(), 'The gateway cannot be reached.'],
    'a request that hangs': [() => Promise.resolve(), 'The gateway did not answer within 20 seconds.'],
  };
  test.each(Object.entries(falters))(
    '%s is explained in words, and requested again by itself',
    async (_name, [reply, words]) => {
      const { page, close } = await openPage(browser, origin);
      // Nobody waits for 20 seconds here.
      await page.addInitScript(`{
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (ms) => timeout(ms / 40);
    }`);
      let times = 0;
      await page.route('**/graphql', (route) => ((times += 1) === 1 ? reply(route) : route.continue()));
      await page.goto(`${origin}/explore/fuji/validators`);
      await page.getByRole('alert').getByText(words).waitFor();
      await page.getByText('It is asked again at').waitFor();
      await page.getByRole('region', { name: 'Validators' }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(times).toBe(2);
      await close();
    },
  );

  test('a limit is shown in the words of the gateway and kept until its time, or until the reader asks', async () => {
    const { page, close } = await openPage(browser, origin);
    await page.clock.install();
    let times = 0;
    await page.route('**/graphql', (route) => {
      times += 1;
      if (times > 1) return route.continue();
      const body = { message: 'The rate limit is reached. Try again in 600 seconds.', statusCode: 429 };
      return route.fulfill({ status: 429, headers: { 'retry-after': '600' }, json: body });
    });
    await page.goto(`${origin}/explore/fuji/validators`);
    await page.getByRole('alert').getByText('The rate limit is reached.').waitFor();
    await page.clock.fastForward(590_000);
    expect(times).toBe(1);
    await page.getByRole('button', { name: 'Ask again now' }).click();
    await page.getByRole('region', { name: 'Validators' }).waitFor();
    expect(times).toBe(2);
    await close();
  });

  test('a page whose file does not arrive says so, and can be loaded again', async () => {
    const { page, close } = await openPage(browser, origin);
    let times = 0;
    await page.route('**/explorer/others-*.js', (route) =>
      (times += 1) === 1 ? route.abort() : route.continue(),
    );
    await page.goto(origin + newest);
    await settled(page);
    await page.getByRole('link', { name: 'Validators', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/explore/fuji/validators');
    await page.getByRole('button', { name: 'Load it again' }).click();
    await page.getByRole('region', { name: 'Validators' }).waitFor();
    expect(times).toBe(2);
    await close();
  });

  test('so does a part of a page, which is tried again on the next one', async () => {
    const { page, close } = await openPage(browser, origin);
    let arrives = false;
    await page.route('**/explorer/others-*.js', (route) => (arrives ? route.continue() : route.abort()));
    await page.goto(`${origin}/explore/fuji/addresses/${spentOutput().owner}?tab=outputs`);
    const loadAgain = page.getByRole('button', { name: 'Load the page again' });
    await Promise.all([loadAgain.click(), page.waitForEvent('load')]);
    await page.getByText('This part could not be loaded').waitFor();
    await page.evaluate(`{
      history.pushState(null, '', '/explore/fuji/addresses/${examples.busyAddress}?tab=outputs');
      dispatchEvent(new PopStateEvent('popstate'));
    }`);
    await page.getByRole('heading', { level: 1, name: examples.busyAddress }).waitFor();
    await page.getByText('This part could not be loaded').waitFor();
    arrives = true;
    // At once, with the same elements.
    await page.goBack();
    await page.getByRole('region', { name: 'Outputs of the P-chain' }).waitFor();
    await close();
  });

  test('a page that is left before its answer does not go to its one address', async () => {
    const { page, close } = await openPage(browser, origin);
    const hold = async (files: string) => {
      let release = () => {};
      const released = new Promise<void>((done) => (release = done));
      await page.route(files, (route) => released.then(() => route.continue()));
      return release;
    };
    const answer = await hold('**/graphql');
    const load = await hold('**/explorer/others-*.js');
    await page.goto(`${origin}/explore/fuji/addresses/P-${spentOutput().owner}`);
    await page.getByRole('link', { name: 'Validators', exact: true }).click();
    await page.waitForURL('**/explore/fuji/validators');
    answer();
    await page.getByRole('region', { name: 'Newest transactions' }).waitFor();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))');
    load();
    await page.getByRole('region', { name: 'Validators' }).waitFor();
    await close();
  });

  test('a wrong request is not asked again', async () => {
    const { page, close } = await openPage(browser, origin);
    const names = asked(page);
    await page.clock.install();
    await page.goto(`${origin}/explore/fuji/validators/nobody`);
    await page.getByRole('alert').waitFor();
    await page.clock.fastForward(600_000);
    expect(names).toEqual(['Validator']);
    await close();
  });

  test('Back shows a page at once, where it was scrolled to, without the gateway', async () => {
    const { page, close } = await openPage(browser, origin, { viewport: { width: 800, height: 500 } });
    await page.goto(`${origin}/explore/fuji/addresses/${spentOutput().owner}`);
    await settled(page);
    const link = page.getByRole('region', { name: 'Newest transactions' }).locator('tbody a').nth(6);
    await link.scrollIntoViewIfNeeded();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))');
    const scrolled = Number(await page.evaluate('scrollY'));
    expect(scrolled).toBeGreaterThan(100);
    await link.click();
    await page.getByRole('heading', { name: 'Picture' }).waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.route('**/graphql', (route) => route.abort());
    await page.goBack();
    await page.getByRole('region', { name: 'Newest transactions' }).waitFor();
    await expect.poll(() => page.evaluate('scrollY')).toBe(scrolled);
    expect(await page.getByRole('alert').count()).toBe(0);
    await close();
  });

  describe('updates', () => {
    /** Tabs of one browser that show the newest, without a stream, with one clock, which the test moves. */
    async function tabs(count: number) {
      const context = await browser.newContext();
      await context.clock.install();
      await context.route('**/graphql', (route) =>
        isStream(route.request()) ? route.abort() : route.continue(),
      );
      const names = asked(context, /^Newest$/);
      const pages: Page[] = [];
      for (let index = 0; index < count; index += 1) {
        const page = await context.newPage();
        await page.goto(origin + newest);
        await updated(page).waitFor();
        pages.push(page);
      }
      const later = async (ms: number) => {
        await context.clock.fastForward(ms);
        await pages[0]?.evaluate('new Promise((done) => requestAnimationFrame(done))');
      };
      return { context, names, pages, later };
    }

    test('one tab of a browser asks for all, and another when that is not seen any more', async () => {
      const { context, names, pages, later } = await tabs(3);
      expect(names.length).toBe(3);
      const before = await Promise.all(pages.map((page) => updated(page).textContent()));
      await later(41_000);
      await expect.poll(() => names.length).toBe(4);
      for (const [index, page] of pages.entries())
        await expect.poll(() => updated(page).textContent()).not.toBe(before[index]);
      await hide(pages[0] as Page, true);
      // In steps, because another one first has to notice.
      await expect
        .poll(
          async () => {
            await later(5000);
            return names.length;
          },
          { timeout: 20_000 },
        )
        .toBe(5);
      await hide(pages[1] as Page, true);
      await hide(pages[2] as Page, true);
      await later(120_000);
      expect(names.length).toBe(5);
      await context.close();
    });

    /** What 60 tabs behind one address spent before, of which each may spend a tenth: units an hour. */
    const MOST_UNITS = 7200 / 10;

    test('a tab that is seen costs at most a tenth of the units that it did, and one that is not costs none', async () => {
      const context = await browser.newContext();
      await context.clock.install();
      let units = 0;
      context.on('request', (request) => {
        if (!request.url().endsWith('/graphql')) return;
        const { query } = request.postDataJSON() as { query: string };
        for (const definition of parse(query).definitions)
          if (definition.kind === Kind.OPERATION_DEFINITION)
            units += definition.selectionSet.selections.length;
      });
      const spent: Record<string, number> = {};
      for (const path of [newest, '/explore/fuji/status']) {
        const page = await context.newPage();
        await page.goto(origin + path);
        await settled(page);
        units = 0;
        const minutes = async (count: number) => {
          for (let step = 0; step < count * 6; step += 1) {
            await context.clock.fastForward(10_000);
            // Until what was asked is answered: an open stream is never idle.
            await page.waitForTimeout(60);
          }
        };
        await minutes(10);
        spent[path] = units * 6;
        expect(units, path).toBeGreaterThan(0);
        expect(units * 6, path).toBeLessThanOrEqual(MOST_UNITS);
        await hide(page, true);
        units = 0;
        await minutes(5);
        expect(units, path).toBe(0);
        await page.close();
      }
      console.log(`units that an hour of a tab costs: ${JSON.stringify(spent)}`);
      await context.close();
    });

    test('can be paused and resumed', async () => {
      const { context, names, pages, later } = await tabs(1);
      const [page] = pages as [Page];
      await page.getByRole('button', { name: 'Pause updates' }).click();
      await page.getByText('Paused; of').waitFor();
      await later(120_000);
      expect(names.length).toBe(1);
      await page.getByRole('button', { name: 'Resume updates' }).click();
      await expect.poll(() => names.length).toBe(2);
      await context.close();
    });

    test('do not move the row that has the focus, and leave the focus in the list when they are wanted', async () => {
      const { context, pages, later } = await tabs(1);
      const [page] = pages as [Page];
      const list = page.getByRole('list', { name: 'Newest transactions' });
      await list.locator('li a').first().focus();
      await page.route('**/graphql', async (route) => {
        if (isStream(route.request())) return route.fallback();
        const response = await route.fetch();
        const body: any = await response.json();
        for (const { transactions } of body.data.chainStatus)
          transactions.nodes.unshift({
            ...transactions.nodes[0],
            txHash: idOf(transactions.nodes[0].txHash),
            blockTimestamp: 4_000_000_000,
          });
        await route.fulfill({ response, json: body });
      });
      const first = await list.innerText();
      await later(41_000);
      await page.getByRole('button', { name: /^\d+ new$/ }).waitFor();
      expect(await list.innerText()).toBe(first);
      await page.getByRole('button', { name: /^\d+ new$/ }).click();
      await expect.poll(() => list.innerText()).not.toBe(first);
      expect(await list.evaluate((each: any) => each.contains(each.ownerDocument.activeElement))).toBe(true);
      await context.close();
    });
  });

  test('the search is found by / and by keys alone, and a link leads over all that is before the content', async () => {
    const { madeBy } = spentOutput();
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${origin}/explore/fuji/validators`);
    await settled(page);
    expect(
      await page.getByRole('link', { name: 'Validators', exact: true }).getAttribute('aria-current'),
    ).toBe('page');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
    expect(new URL(page.url()).hash).toBe('');
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search' });
    await page.keyboard.type(madeBy.slice(0, 12));
    await page.getByRole('option').first().waitFor();
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    const chosen = await field.getAttribute('aria-activedescendant');
    const selected = page.getByRole('listbox').getByRole('option', { selected: true });
    expect(await selected.getAttribute('id')).toBe(chosen);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/transactions/${madeBy}`);
    expect(complaints).toEqual([]);
    await close();
  });

  test('each list is a file, narrowed as the page is: of the REST API, or of the graph where that has none', async () => {
    const { validator, asset, validatorPeriods, subnet, l1Validator, block, vertex } = samplePages();
    const { composite, evmChain, evmTransaction } = samplePages();
    const { page, complaints, close } = await openPage(browser, origin);
    for (const path of [
      '/explore/fuji/p-chain/blocks?until=2026-10-20',
      '/explore/fuji/p-chain/transactions?kind=Transfer&until=2026-10-20',
      '/explore/fuji/vertices',
      '/explore/fuji/messages',
      '/explore/fuji/subnets',
      '/explore/fuji/validators?sort=soon',
      '/explore/fuji/validators?tab=all',
      '/explore/fuji/l1-validators',
      `${subnet}?tab=l1`,
      `${asset}?tab=transactions`,
      `${validatorPeriods}`,
      `${validator}?tab=rewards`,
      '/explore/fuji/messages?status=pending',
      '/explore/fuji/l1-validators?tab=all',
      '/explore/fuji/assets',
      `${asset}`,
      `${subnet}?tab=transactions`,
      `${l1Validator}`,
      `${block}`,
      `${vertex}`,
      `${composite}`,
      `${evmChain}`,
      `${evmTransaction}`,
    ]) {
      await page.goto(origin + path);
      await settled(page);
      const shown = page.locator('main tbody tr, main .sentences li');
      const id = (await shown.last().locator('.id [title]').first().getAttribute('title')) ?? '';
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('.pager').getByRole('button', { name: 'Download as CSV' }).first().click(),
      ]);
      const [, ...rows] = (await readFile(await file.path(), 'utf8')).split('\r\n');
      expect(id.length, path).toBeGreaterThan(20);
      expect(rows.filter((row) => row.includes(id)).length, path).toBeGreaterThan(0);
      // A list that is narrowed by time begins with the same rows.
      if (path.includes('until')) expect(rows[(await shown.count()) - 1], path).toContain(id);
    }
    expect(complaints).toEqual([]);
    await close();
  });

  test('the file of a list of the graph has all its rows, with the members of the graph as columns', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${origin}${samplePages()['asset']}?chain=p-chain`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV: Holders' }).click(),
    ]);
    const [head, ...rows] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    const { data } = await gateway.graphql<any>(
      `{ asset(network: fuji, assetId: "${nativeAssetIds.fuji}") {
        holders(blockchainId: "p-chain", first: 100) { nodes { address { address } unspent } } } }`,
    );
    const { nodes } = data.asset.holders;
    // More than one request of the page.
    expect(nodes.length).toBeGreaterThan(48);
    expect(head).toBe('address.address,unspent');
    expect(rows).toEqual(nodes.map(({ address, unspent }: any) => `${address.address},${unspent}`));
    expect(complaints).toEqual([]);
    await close();
  });

  test('a text of a stranger is one cell of a file, and no formula', async () => {
    const { page, close } = await openPage(browser, origin);
    await page.route('**/graphql', async (route) => {
      if (isStream(route.request())) return;
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('"name":"Avalanche"', '"name":"=1+\\"1\\",\\n2"');
      await route.fulfill({ response, body });
    });
    await page.goto(`${origin}/explore/fuji/assets`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV: Assets' }).click(),
    ]);
    expect(await readFile(await file.path(), 'utf8')).toContain(`,"'=1+""1"",\n2",`);
    await close();
  });

  test('the history of an address is a file of all its transactions of a chain', async () => {
    const { owner } = spentOutput();
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${origin}/explore/fuji/addresses/${owner}`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV: Transactions of the P-chain' }).click(),
    ]);
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    const { body } = await gateway.get(
      `/v1/networks/fuji/blockchains/p-chain/transactions?addresses=${owner}&pageSize=100`,
    );
    const hashes = (body as { transactions: { txHash: string }[] }).transactions.map(({ txHash }) => txHash);
    expect(hashes.length).toBeGreaterThan(3);
    for (const hash of hashes) expect(lines.some((line) => line.includes(hash))).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });
});
