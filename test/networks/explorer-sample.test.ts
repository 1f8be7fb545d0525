import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nativeAssetIds } from '../../src/avalanche/networks.js';
import { examples } from '../../sample/examples.js';
import { explorerTitle } from '../../src/http/pages/explorer-titles.js';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser, openPage } from '../harness/browser.js';
import { evmTransaction, samplePages, spentOutput } from '../harness/explorer-pages.js';
import { isStream, MOST_COST, settled, walk } from '../harness/explorer-walk.js';
import { runImport } from '../harness/ingest.js';
import { listen } from '../harness/listen.js';
import { realPaths } from '../harness/real-data.js';
import { hasRealData } from '../harness/seed.js';
import { importRows } from '../harness/import-rows.js';
import { idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { readSample } from '../harness/sample.js';

const asBrowser = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-mode': 'navigate' };

let gateway: TestApp;
let origin: string;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
  origin = await listen(gateway.app);
});
afterAll(() => gateway.close());

test('/ is the explorer for a browser and the overview for a program, and says that it differs', async () => {
  const [seen, read] = await Promise.all([gateway.get('/', asBrowser), gateway.get('/')]);
  expect(seen.text).toContain('/explorer.js');
  expect(seen.headers['content-security-policy']).toMatch(/script-src 'self'; style-src 'sha256-[^' ]+';/);
  expect(seen.headers['content-security-policy']).not.toContain('unsafe');
  expect(read.text).toContain('What to try');
  for (const { headers } of [seen, read]) expect(headers['vary']).toMatch(/\baccept(,|$)/i);
});

describeInBrowser('the explorer in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test.each([
    ['light', 390],
    ['dark', 1440],
  ] as const)(
    'shows each page in %s at %d pixels: accessible, no wider than the window, in two requests of half of the default cost at most',
    async (colorScheme, width) => {
      const coloursOnly = width !== 390;
      const most = await walk(browser, { origin, pages: samplePages(), colorScheme, width, coloursOnly });
      console.log(`the page that costs most is ${most.name}: ${most.cost} of ${MOST_COST}`);
    },
  );

  test('an address has its first transaction within two screens of a phone', async () => {
    const height = 844;
    const { page, close } = await openPage(browser, origin, { viewport: { width: 390, height } });
    await page.goto(`${origin}${samplePages()['address']}`);
    await settled(page);
    const row = page.getByRole('region', { name: 'Newest transactions' }).locator('tbody tr').first();
    expect((await row.boundingBox())?.y).toBeLessThan(2 * height);
    await close();
  });

  test('on a phone the bars of sections and of tabs show the current one', async () => {
    const { page, complaints, close } = await openPage(browser, origin, {
      viewport: { width: 390, height: 844 },
    });
    for (const path of ['/explore/fuji/status', `${samplePages()['validator']}?tab=l1`]) {
      await page.goto(origin + path);
      await settled(page);
      for (const link of await page.locator('nav a[aria-current]').all()) {
        const { x = -1, width = 0 } = (await link.boundingBox()) ?? {};
        expect(x, path).toBeGreaterThanOrEqual(0);
        expect(x + width, path).toBeLessThanOrEqual(390);
      }
    }
    expect(complaints).toEqual([]);
    await close();
  });

  test('a chart is not drawn anew when what is above it changes', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${origin}/explore/fuji`);
    await settled(page);
    const chart = page.locator('.chart canvas').first();
    await chart.evaluate((each: any) => each.setAttribute('data-drawn', 'once'));
    await page.getByRole('button', { name: 'Pause updates' }).click();
    await page.getByRole('button', { name: 'Resume updates' }).waitFor();
    expect(await page.locator('canvas[data-drawn]').count()).toBe(1);
    expect(complaints).toEqual([]);
    await close();
  });

  test('a pasted address leads to the transaction that consumed its output in three clicks, and back', async () => {
    const { owner, spentBy } = spentOutput();
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(origin);
    await page.getByRole('combobox', { name: 'Search' }).fill(owner);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator(`a[href$="${spentBy}"]`).first().click();
    await page.getByRole('heading', { name: 'Picture' }).waitFor();
    expect(page.url().endsWith(`/transactions/${spentBy}`)).toBe(true);
    await page.goBack();
    await page.getByRole('heading', { name: 'Newest transactions' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Newest transactions' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('an id that is searched opens what it is, and one of nothing says so', async () => {
    const { madeBy } = spentOutput();
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(origin);
    await page.getByRole('combobox', { name: 'Search' }).fill(madeBy);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Picture' }).waitFor();
    await page.getByRole('combobox', { name: 'Search' }).fill('999999999999');
    await page.keyboard.press('Enter');
    await page.getByText('It is not indexed. By its form it could be: block, blockchain.').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('who types into the field before the first screen has its network goes on typing', async () => {
    const { madeBy } = spentOutput();
    const { page, complaints, close } = await openPage(browser, origin);
    let release = () => {};
    const typed = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('FirstNetwork')) await typed;
      await route.continue();
    });
    await page.goto(origin);
    await page.getByRole('combobox', { name: 'Search' }).click();
    await page.keyboard.type(madeBy.slice(0, 10));
    release();
    await page.getByRole('heading', { name: 'Newest on fuji' }).waitFor();
    // What is done after a page was painted is done then.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))');
    await page.keyboard.type(madeBy.slice(10));
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/transactions/${madeBy}`);
    expect(complaints).toEqual([]);
    await close();
  });

  test('a text that is several things lists them, and a mistake is said in words', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    const search = async (text: string) => {
      await page.getByRole('combobox', { name: 'Search' }).fill(text);
      await page.keyboard.press('Enter');
    };
    await page.goto(origin);
    await search(nativeAssetIds.fuji);
    await page.getByRole('link', { name: 'Transaction on the x-chain of fuji' }).waitFor();
    await page.getByText('could also be, and is not indexed as: block, vertex').waitFor();
    await page.getByRole('link', { name: 'Asset of fuji' }).click();
    // The heading is its name; "Asset" alone is there only until the answer is.
    await page.getByRole('heading', { name: /Avalanche/ }).waitFor();
    const [{ messageId }] = readSample().rowsOf<{ messageId: string }>('fuji.icm.messages') as [
      { messageId: string },
    ];
    await search(`0x${messageId.toUpperCase()}`);
    await page.waitForURL(`**/explore/fuji/messages/${messageId}`);
    await search(evmTransaction());
    await page.waitForURL(`**/explore/fuji/evm/43113/transactions/${evmTransaction()}`);
    await search(`${examples.nftCollection}:${examples.nftTokenId}`);
    await page.waitForURL(`**/explore/fuji/evm/43113/nfts/${examples.nftCollection}/${examples.nftTokenId}`);
    await page.getByRole('heading', { name: 'Metadata' }).waitFor();
    await search(examples.xChain.vertexHash);
    await page.waitForURL(`**/explore/fuji/vertices/${examples.xChain.vertexHash}`);
    // As the explorer shortens ids, by an output of it, and by the address of a page.
    const { txHash } = readSample().transactionsOf('p')[0] as { txHash: string };
    for (const text of [
      `${txHash.slice(0, 10)}…${txHash.slice(-6)}`,
      `${origin}/explore/fuji/p-chain/transactions/${txHash}`,
    ]) {
      await search('nothing');
      await search(text);
      await page.waitForURL(`**/explore/fuji/p-chain/transactions/${txHash}`);
    }
    await page.getByRole('combobox', { name: 'Search' }).fill('avala');
    await page.getByRole('option', { name: nativeAssetIds.fuji }).waitFor();
    await search('avalanche');
    await page.getByRole('link', { name: `Asset of fuji: “Avalanche”, ${nativeAssetIds.fuji}` }).waitFor();
    await search(`${nativeAssetIds.fuji.slice(0, -1)}q`);
    await page.getByText('looks like an id, but its checksum is wrong').waitFor();
    await search('<img src=x onerror=alert(1)>');
    await page.getByText('Nothing that is indexed is called so').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.goto(`${origin}/explore/fuji/search?text=${'z'.repeat(10_000)}`);
    await page.getByText('10000 characters are too many; at most 8192').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('the status page says of how many blocks of a followed chain something is missing', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    let isWaiting = false;
    await page.route('**/graphql', async (route) => {
      if (isStream(route.request())) return;
      const response = await route.fetch();
      const body: any = await response.json();
      const [first, ...others] = body.data.chainStatus;
      Object.assign(first, { isFollowed: true, blocksWithGaps: '7' });
      if (isWaiting) for (const each of others) each.blockNumber = null;
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${origin}/explore/fuji/status`);
    await settled(page);
    const chains = page.getByRole('region', { name: 'Chains' });
    // The others are named once.
    const unfollowed = 'Not followed from a node: fuji X-chain, fuji C-chain.';
    await page.getByText(`${unfollowed} What is stored came from files.`, { exact: true }).waitFor();
    const index = (await chains.locator('th').allTextContents()).indexOf('Blocks with gaps');
    const cells = chains.locator(`tbody tr td:nth-child(${index + 1})`);
    expect(await cells.allTextContents()).toEqual(['7', '–', '–']);
    isWaiting = true;
    await page.reload();
    await page.getByText(unfollowed, { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('an amount is copied exactly, without the commas that people read', async () => {
    const { owner } = spentOutput();
    const { data } = await gateway.graphql<{ address: { utxos: { nodes: { amount: string }[] } } }>(
      `{ address(network: fuji, address: "${owner}") { utxos(blockchainId: "p-chain", includeSpent: true, first: 24) { nodes { amount } } } }`,
    );
    const largest = data.address.utxos.nodes
      .map(({ amount }) => amount)
      .sort((one, other) => Number(other) - Number(one))[0]!;
    expect(Number(largest)).toBeGreaterThan(1000e9);
    const { page, complaints, close } = await openPage(browser, origin, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${origin}/explore/fuji/addresses/${owner}?tab=outputs`);
    const amount = page.locator(`.amount[title^="${largest} smallest"]`).first();
    await amount.hover();
    await amount.getByRole('button').click();
    await amount.getByText('copied').waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    const [whole = '', rest = ''] = copied.split('.');
    expect(`${whole}${rest.padEnd(9, '0')}`).toBe(largest);
    expect(complaints).toEqual([]);
    await close();
  });

  test('an id is copied whole where the browser has no clipboard for pages, as over plain http', async () => {
    const { madeBy } = spentOutput();
    const { page, complaints, close } = await openPage(browser, origin);
    await page.addInitScript('delete Navigator.prototype.clipboard');
    await page.goto(`${origin}${samplePages()['transaction']}`);
    await page
      .getByRole('button', { name: `Copy ${madeBy}` })
      .first()
      .click();
    await page.getByText('copied', { exact: true }).waitFor();
    const field = page.getByRole('combobox', { name: 'Search' });
    await field.focus();
    await page.keyboard.press('ControlOrMeta+V');
    expect(await field.inputValue()).toBe(madeBy);
    expect(complaints).toEqual([]);
    await close();
  });

  test('names of markup, control characters and ten thousand characters break no page', async () => {
    const hostile = `<img src=x onerror="document.title='broken'">\u202e\u0007${'long '.repeat(2000)}`;
    const { page, complaints, close } = await openPage(browser, origin, {
      viewport: { width: 390, height: 900 },
    });
    let replaced = 0;
    await page.route('**/graphql', async (route) => {
      if (isStream(route.request())) return;
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(
        /"(symbol|name|chainName|description|traitType|memo|failureReason)":("[^"]*"|null)/g,
        (_match, name: string) => {
          replaced += 1;
          return `"${name}":${JSON.stringify(hostile)}`;
        },
      );
      await route.fulfill({ response, body });
    });
    for (const [name, path] of Object.entries(samplePages())) {
      await page.goto(origin + path);
      await settled(page);
      expect(await page.getByRole('alert').allTextContents(), name).toEqual([]);
      expect(await page.locator('main img').count(), name).toBe(0);
      expect(await page.title(), name).toBe(explorerTitle(new URL(page.url()).pathname).title);
      const text = (await page.locator('main').textContent()) ?? '';
      expect(text, name).not.toMatch(/[\u202e\u0007]|(long ){130}/);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, name).toBeLessThanOrEqual(0);
    }
    expect(replaced).toBeGreaterThan(200);
    expect(complaints).toEqual([]);
    await close();
  });

  test('metadata of an NFT that somebody else wrote stay text, and no picture is loaded', async () => {
    const hostile = `<img src=x onerror="document.title='broken'">\u202e\u0007${'long '.repeat(2000)}`;
    const { page, complaints, close } = await openPage(browser, origin);
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { nftToken?: { metadata: object } } };
      if (body.data.nftToken)
        body.data.nftToken.metadata = {
          name: hostile,
          description: hostile,
          image: 'https://example.com/a.png',
          address: hostile,
          standard: 'ERC_721',
          fetchedAt: 1e300,
          attributes: Array.from({ length: 500 }, () => ({ traitType: hostile, value: hostile })),
        };
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${origin}${samplePages()['nft']}`);
    await page.getByText('450 more are left out.').waitFor();
    expect(await page.locator('main img, main picture').count()).toBe(0);
    expect(await page.title()).toContain(`NFT ${examples.nftTokenId} of `);
    expect(await page.locator('main').textContent()).not.toMatch(/[\u202e\u0007]/);
    expect((await page.locator('main').textContent())?.length).toBeLessThan(20_000);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test('the query behind a page runs in GraphiQL as it is written', async () => {
    const { page, close } = await openPage(browser, origin);
    await page.goto(origin + samplePages()['transaction']);
    await page.getByText('The query behind this page').click();
    const href = await page.getByRole('link', { name: 'Open it in GraphiQL' }).getAttribute('href');
    const query = new URL(href ?? '', origin).searchParams.get('query') ?? '';
    const { data, errors } = await gateway.graphql<{ transaction: { txHash: string } }>(query);
    expect(errors).toBeUndefined();
    expect(data.transaction.txHash).toBe(spentOutput().madeBy);
    await close();
  });

  test('a transaction with 4,365 outputs and a name of markup draws 24 of them, and says how many it leaves out', async () => {
    const name = `<img src=x onerror="document.title='broken'">\u202e\u0007${'long '.repeat(2000)}`;
    const emittedUtxos = Array.from({ length: 4365 }, (_, index) => {
      const txHash = idOf('many');
      return utxoRow(`many ${index}`, { txHash, outputIndex: index }, 'fuji');
    });
    await importRows(gateway.storage, 'fuji.p-chain.transactions', [
      transactionRow('many', { emittedUtxos }),
    ]);
    const { page, complaints, close } = await openPage(browser, origin);
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replaceAll('"symbol":"AVAX"', `"symbol":${JSON.stringify(name)}`);
      await route.fulfill({ response, body: text });
    });
    await page.goto(`${origin}/explore/fuji/p-chain/transactions/${idOf('many')}`);
    await page.locator('figcaption').waitFor();
    expect(await page.locator('figcaption').textContent()).toMatch(
      /24 outputs emitted; 4,341 more are left out/,
    );
    expect(await page.locator('figure svg *').count()).toBeLessThan(300);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).toBe(`Transaction ${idOf('many')} - Moraine`);
    expect((await page.locator('main').textContent())?.length).toBeLessThan(20_000);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test.skipIf(!hasRealData)(
    "the page of mainnet's X-chain genesis, 4,365 outputs, draws 24 of them",
    async () => {
      const files = realPaths(/^mainnet\.x-chain\.(utxos|transactions)\.ndjson/);
      await runImport(gateway.storage, files);
      const genesis = 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z';
      const { page, complaints, close } = await openPage(browser, origin);
      const begun = performance.now();
      await page.goto(`${origin}/explore/mainnet/x-chain/transactions/${genesis}`);
      await page.locator('figcaption').waitFor();
      console.log(`the page of 4,365 outputs was drawn in ${Math.round(performance.now() - begun)} ms`);
      expect(await page.locator('figcaption').textContent()).toContain(
        '24 outputs emitted; 4,341 more are left out',
      );
      expect(await page.locator('figure svg *').count()).toBeLessThan(300);
      expect(complaints).toEqual([]);
      await close();
    },
  );
});
