import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser } from '../harness/browser.js';
import { hide } from '../harness/hidden-tab.js';
import { idOf, transactionRow } from '../harness/ledger-rows.js';
import { listenOnPort } from '../harness/listen.js';
import { metric, until } from '../harness/raw-client.js';
import { importRows } from '../harness/seed.js';

let gateway: TestApp;
let port: number;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
  port = await listenOnPort(gateway.app);
});
afterAll(() => gateway.close());

let blocks = 90_000_000;
/** Stores a transaction in a block after all others. */
async function store(name: string): Promise<void> {
  blocks += 1;
  const row = transactionRow(name, {
    blockTimestamp: Math.floor(Date.now() / 1000) + 60,
    blockNumber: String(blocks),
    blockHash: idOf(`block of ${name}`),
  });
  await importRows(gateway.storage, 'fuji.p-chain.transactions', [row]);
}

const streams = (count: number) => until(async () => (await metric(port, 'moraine_streams')) === count, 30);
const list = (page: Page) => page.getByRole('list', { name: 'Newest transactions' });
const linkOf = (page: Page, name: string) => list(page).locator(`a[href$="${idOf(name)}"]`);
/** The number of the newest block of the P-chain, which is shown whatever waits. */
const height = (page: Page) => page.locator('.figures .of-p-chain dd').first();

/** Of a machine that is busy with other things. */
const patient = { timeout: 30_000 };

describeInBrowser('the stream of the explorer', () => {
  let browser: Browser;
  let context: BrowserContext;
  /** The names of the operations that were asked, but for the stream. */
  let asked: string[];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1000, height: 500 } });
    asked = [];
    context.on('request', (request) => {
      const [, name] = /query (\w+)/.exec(request.postData() ?? '') ?? [];
      if (name) asked.push(name);
    });
  });
  afterEach(async () => {
    await context.close();
    expect(await streams(0)).toBe(true);
  });

  async function open(path = '/explore/fuji'): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}${path}`);
    await page.getByText(/Updated at/).waitFor();
    return page;
  }

  test('ten tabs over HTTP/1.1 have one, another one has it when its tab is closed, and hidden tabs have none', async () => {
    const pages: Page[] = [];
    for (let index = 0; index < 9; index += 1) pages.push(await open());
    pages.push(await open('/explore/fuji/status'));
    expect(await streams(1)).toBe(true);
    // Who has it asked for what it may have missed.
    await expect.poll(() => asked.filter((name) => name === 'Newest').length, patient).toBe(10);
    asked = [];
    await store('seen by ten');
    for (const page of pages.slice(0, 9)) await linkOf(page, 'seen by ten').waitFor();
    const status = pages[9] as Page;
    await status.locator(`a[href$="/p-chain/blocks/${blocks}"]`).waitFor();
    expect(asked).toEqual([]);
    expect(await metric(port, 'moraine_streams')).toBe(1);

    const [leader, ...others] = pages as [Page, ...Page[]];
    const [second, third] = others as [Page, Page];
    await leader.close();
    expect(await streams(1)).toBe(true);
    // The next tab began with asking for what it may have missed.
    await expect.poll(() => asked, patient).toEqual(['Newest']);
    await store('seen by nine');
    await linkOf(third, 'seen by nine').waitFor();

    await hide(second, true);
    expect(await streams(1)).toBe(true);
    for (const page of others) await hide(page, true);
    expect(await streams(0)).toBe(true);
    asked = [];
    await store('seen by nobody');
    await third.waitForTimeout(500);
    expect(await linkOf(third, 'seen by nobody').count()).toBe(0);
    expect(asked).toEqual([]);
    await hide(third, false);
    await linkOf(third, 'seen by nobody').waitFor();
    expect(await streams(1)).toBe(true);
  });

  test('what the reader looks at does not move: newer rows are counted, and come in when they are wanted', async () => {
    const page = await open();
    expect(await streams(1)).toBe(true);
    const row = list(page).locator('li').nth(4);
    await row.scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 300);
    await expect.poll(() => page.evaluate<number>('scrollY'), patient).toBeGreaterThan(100);
    const before = [await row.innerText(), (await row.boundingBox())?.y];
    await store('waits');
    await store('waits too');
    await expect.poll(() => height(page).innerText(), patient).toBe(blocks.toLocaleString('en'));
    expect([await row.innerText(), (await row.boundingBox())?.y]).toEqual(before);
    expect(await linkOf(page, 'waits').count()).toBe(0);
    await page.getByRole('button', { name: '2 new', exact: true }).click();
    await linkOf(page, 'waits').waitFor();
    await linkOf(page, 'waits too').waitFor();
    // Also at the top of the page, while the pointer or the focus is in the list.
    await page.evaluate('scrollTo(0, 0)');
    await list(page).locator('li a').first().focus();
    await store('waits for the focus');
    await page.getByRole('button', { name: '1 new', exact: true }).waitFor();
    await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
    await page.mouse.move(5, 5);
    await store('at once');
    await linkOf(page, 'at once').waitFor();
    await linkOf(page, 'waits for the focus').waitFor();
  });

  test('without it a tab asks as before, and has it again when the gateway does', async () => {
    await context.clock.install();
    const isStream = (headers: Record<string, string>) => headers['accept'] === 'text/event-stream';
    let refusals = 0;
    await context.route('**/graphql', (route) => {
      if (!isStream(route.request().headers())) return route.continue();
      refusals += 1;
      const json = {
        errors: [{ message: 'You have 10 streams open', extensions: { code: 'RATE_LIMITED' } }],
      };
      return route.fulfill({ status: 429, headers: { 'retry-after': '5' }, json });
    });
    const page = await open();
    await expect.poll(() => refusals, patient).toBe(1);
    await store('asked for');
    await expect
      .poll(async () => {
        await context.clock.fastForward(10_000);
        return linkOf(page, 'asked for').count();
      }, patient)
      .toBe(1);
    await context.unroute('**/graphql');
    await expect
      .poll(async () => {
        await context.clock.fastForward(10_000);
        return metric(port, 'moraine_streams');
      }, patient)
      .toBe(1);
    await store('streamed');
    await linkOf(page, 'streamed').waitFor();
  });

  test('a gateway that stops is said in words, and its successor is followed', async () => {
    // On the same database, because the one of the other tests goes on.
    const before = await createApp({}, { reach: () => gateway.storage.url });
    const own = await listenOnPort(before.app);
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${own}/explore/fuji`);
    await expect.poll(() => metric(own, 'moraine_streams'), patient).toBe(1);
    await before.close();
    // What asks next says it.
    await page.getByRole('button', { name: 'Pause updates' }).click();
    await page.getByRole('button', { name: 'Resume updates' }).click();
    await page.getByRole('alert').getByText('The gateway cannot be reached.').waitFor();
    expect(await list(page).locator('li').count()).toBeGreaterThan(3);
    const after = await createApp({}, { reach: () => gateway.storage.url });
    await after.app.listen({ host: '127.0.0.1', port: own });
    await expect.poll(() => metric(own, 'moraine_streams'), { timeout: 90_000 }).toBe(1);
    await store('of the successor');
    await linkOf(page, 'of the successor').waitFor();
    await expect.poll(() => page.getByRole('alert').count(), patient).toBe(0);
    await page.close();
    await after.close();
  });
});
