import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../../sample/examples.js';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser, openPage } from '../harness/browser.js';
import { listen } from '../harness/listen.js';

let gateway: TestApp;
let origin: string;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
  origin = await listen(gateway.app);
});
afterAll(() => gateway.close());

const { firstDate, lastDate, minBalance, nftCollection } = examples;

const condition = (page: Page, number: number) =>
  page.getByRole('group', { name: `Condition ${number}`, exact: true });
async function fill(page: Page, number: number, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values))
    await condition(page, number).getByLabel(label).fill(value);
}

describeInBrowser('the form of composite queries in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('two conditions find the addresses that the graph finds, and the address of the page has the question', async () => {
    const days = `evmChainId: "43113", firstDate: "${firstDate}", lastDate: "${lastDate}"`;
    const { data } = await gateway.graphql<{
      found: { nodes: string[]; subQueryCounts: { count: number }[] };
    }>(
      `{ found: compositeQuery(operator: AND, first: 24, queries: [
        { anyTimeNativeBalance: { id: "coin", ${days}, minBalance: "${minBalance}" } }
        { anyTimeNftHolders: { id: "nft", ${days}, contractAddress: "${nftCollection}" } }
      ]) { nodes subQueryCounts { count } } }`,
    );
    const { nodes, subQueryCounts } = data.found;
    expect(nodes.length).toBeGreaterThan(0);
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${origin}/explore/fuji`);
    await page.getByRole('link', { name: 'Composite query' }).click();
    await fill(page, 1, { 'At least': minBalance, 'First day': firstDate, 'Last day': lastDate });
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await condition(page, 2).getByLabel('Those that').selectOption('had an NFT on some day');
    await fill(page, 2, { Contract: nftCollection, 'First day': firstDate, 'Last day': lastDate });
    await page.getByRole('button', { name: 'Find addresses' }).click();
    const addresses = () =>
      page
        .getByRole('region', { name: 'Addresses' })
        .locator('a')
        .evaluateAll((links: any[]) => links.map(({ title }) => title as string));
    await expect.poll(addresses).toEqual(nodes);
    const counts = subQueryCounts.map(({ count }, index) => `Condition ${index + 1} alone: ${count}.`);
    await page.getByText(counts.join(' ')).waitFor();
    const href =
      (await page
        .getByRole('link', { name: 'Open it in GraphiQL', includeHidden: true })
        .getAttribute('href')) ?? '';
    const behind = await gateway.graphql<{ compositeQuery: { nodes: string[] } }>(
      new URL(href, origin).searchParams.get('query') ?? '',
    );
    expect(behind.data.compositeQuery.nodes).toEqual(nodes);
    await page.reload();
    await expect.poll(addresses).toEqual(nodes);
    expect(await condition(page, 2).getByLabel('Contract').inputValue()).toBe(nftCollection);
    await page.getByRole('region', { name: 'Addresses' }).locator('a').first().click();
    await page.getByRole('heading', { name: 'EVM address' }).waitFor();
    await page.goBack();
    await expect.poll(addresses).toEqual(nodes);
    expect(complaints).toEqual([]);
    await close();
  });

  test('a refused query says which condition is wrong, with the names of the form', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${origin}/explore/fuji/composite`);
    await fill(page, 1, { 'First day': firstDate, 'Last day': lastDate });
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await fill(page, 2, { 'First day': lastDate, 'Last day': firstDate });
    await page.getByRole('button', { name: 'Find addresses' }).click();
    const refusal = page.getByRole('alert');
    expect(await refusal.textContent()).toBe('Condition 2, First day (UTC): is after Last day (UTC)');
    expect(await page.getByRole('region', { name: 'Addresses' }).count()).toBe(0);
    await fill(page, 2, { 'First day': firstDate, 'Last day': lastDate });
    await page.getByRole('button', { name: 'Find addresses' }).click();
    await page.getByRole('region', { name: 'Addresses' }).waitFor();
    expect(await refusal.count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test('no more conditions can be added than the gateway allows, and what is not a number is not sent', async () => {
    const { page, close } = await openPage(browser, origin);
    await page.goto(`${origin}/explore/fuji/composite`);
    await page.getByText('A query has at most 10 conditions.').waitFor();
    const add = page.getByRole('button', { name: 'Add a condition' });
    for (let count = 1; count < 10; count++) await add.click();
    expect(await page.getByRole('group').count()).toBe(10);
    expect(await add.isDisabled()).toBe(true);
    for (let count = 10; count > 1; count--)
      await page.getByRole('button', { name: `Remove condition ${count}`, exact: true }).click();
    await fill(page, 1, { 'At least': '-1', 'First day': firstDate, 'Last day': lastDate });
    await page.getByRole('button', { name: 'Find addresses' }).click();
    expect(
      await condition(page, 1)
        .getByLabel('At least')
        .evaluate((input: any) => input.validity.valid),
    ).toBe(false);
    expect(new URL(page.url()).search).toBe('');
    await close();
  });

  test('an address with another text than a question shows the empty form, and one of eleven conditions is refused', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    const open = (ask: string) =>
      page.goto(`${origin}/explore/fuji/composite?ask=${encodeURIComponent(ask)}`);
    for (const ask of ['{', '1', '{"conditions":{}}', '<img src=x onerror=alert(1)>']) {
      await open(ask);
      await page.getByRole('button', { name: 'Find addresses' }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    const hostile = { kind: 'constructor', evmChainId: '<img src=x>', minBalance: { toString: 1 } };
    await open(JSON.stringify({ conditions: [hostile] }));
    await page.getByRole('alert').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    const many = Array.from({ length: 11 }, () => ({
      kind: 'anyTimeNativeBalance',
      evmChainId: '43113',
      minBalance: '1',
      firstDate,
      lastDate,
    }));
    await open(JSON.stringify({ operator: 'OR', conditions: many }));
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toBe('11 conditions are too many; at most 10');
    expect(complaints).toEqual([]);
    await close();
  });
});
