import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nativeAssetIds } from '../../src/avalanche/networks.js';
import { examples } from '../../sample/examples.js';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser, openPage } from '../harness/browser.js';
import { MOST_COST, settled, walk } from '../harness/explorer-walk.js';
import { runImport } from '../harness/ingest.js';
import { realPaths } from '../harness/real-data.js';
import { hasRealData } from '../harness/seed.js';
import { importRows } from '../harness/import-rows.js';
import { idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { readSample } from '../harness/sample.js';

const root = resolve(import.meta.dirname, '../..');
const asBrowser = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-mode': 'navigate' };

let gateway: TestApp;
let origin: string;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
  origin = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => gateway.close());

/** An output of one owner that a transaction of the sample consumed. */
function spentOutput() {
  const { utxosOf, transactionsOf } = readSample();
  const hashes = new Set(transactionsOf('p').map(({ txHash }) => txHash));
  /** The outputs of an owner that the page of its address lists. */
  const newest = (owner: string) =>
    utxosOf('p')
      .filter(({ addresses }) => addresses?.includes(owner))
      .sort((one, other) => Number(other.blockTimestamp) - Number(one.blockTimestamp))
      .slice(0, 15);
  const found = utxosOf('p').find(
    (utxo) =>
      utxo.consumingTxHash &&
      [utxo.consumingTxHash, utxo.txHash].every((hash) => hashes.has(hash)) &&
      utxo.addresses?.length === 1 &&
      newest(utxo.addresses[0] ?? '').includes(utxo),
  );
  if (!found?.consumingTxHash || !found.addresses?.[0]) throw new Error('the sample has no spent output');
  const node = transactionsOf('p').find(({ nodeId }) => nodeId)?.nodeId ?? '';
  return {
    node,
    asset: nativeAssetIds.fuji,
    owner: found.addresses[0],
    spentBy: found.consumingTxHash,
    madeBy: found.txHash,
  };
}

/** A validator of an L1 of the sample. */
function validation(): string {
  const changed = readSample()
    .transactionsOf('p')
    .find(({ l1ValidatorDetails }) => l1ValidatorDetails?.length);
  return changed?.l1ValidatorDetails?.[0]?.validationId ?? '';
}

/** A transaction of the sample's C-chain that has internal transactions. */
const evmTransaction = () =>
  readSample().rowsOf<{ txHash: string }>('evm.43113.internal-transactions')[0]?.txHash ?? '';

/** A page of each kind. */
function pages(): Record<string, string> {
  const holder = readSample().rowsOf<{ address: string }>('evm.43113.native-balances')[0]?.address;
  const { owner, madeBy, asset, node } = spentOutput();
  const { evmChainId, firstDate, lastDate, minBalance } = examples;
  const condition = { kind: 'anyTimeNativeBalance', evmChainId, firstDate, lastDate, minBalance };
  const question = { operator: 'AND', conditions: [condition] };
  const block = readSample()
    .transactionsOf('p')
    .find(({ blockNumber }) => blockNumber)?.blockNumber;
  return {
    first: '/',
    network: '/explore/fuji',
    transaction: `/explore/fuji/p-chain/transactions/${madeBy}`,
    steps: `/explore/fuji/p-chain/transactions/${madeBy}?before=3&after=3`,
    block: `/explore/fuji/p-chain/blocks/${block}`,
    address: `/explore/fuji/addresses/${owner}`,
    asset: `/explore/fuji/assets/${asset}`,
    validator: `/explore/fuji/validators/${node}`,
    status: '/explore/fuji/status',
    validators: '/explore/fuji/validators',
    subnets: '/explore/fuji/subnets',
    subnet: `/explore/fuji/subnets/${examples.subnetId}`,
    l1Validators: '/explore/fuji/l1-validators',
    l1Validator: `/explore/fuji/l1-validators/${validation()}`,
    assets: '/explore/fuji/assets',
    messages: '/explore/fuji/messages',
    message: `/explore/fuji/messages/${examples.icmMessageId}`,
    evmChains: '/explore/fuji/evm',
    evmChain: `/explore/fuji/evm/${examples.evmChainId}`,
    evmAddress: `/explore/fuji/evm/${examples.evmChainId}/addresses/${examples.evmAddress}`,
    evmHolder: `/explore/fuji/evm/${examples.evmChainId}/addresses/${holder}`,
    evmTransaction: `/explore/fuji/evm/${evmChainId}/transactions/${evmTransaction()}`,
    nftCollection: `/explore/fuji/evm/${evmChainId}/nfts/${examples.nftCollection}`,
    nft: `/explore/fuji/evm/${evmChainId}/nfts/${examples.nftCollection}/${examples.nftTokenId}`,
    composite: `/explore/fuji/composite?ask=${encodeURIComponent(JSON.stringify(question))}`,
    search: '/explore/fuji/search?text=nothing%20of%20this%20form',
    missing: '/explore/fuji/there/is/no/such/page',
  };
}

test('/ is the explorer for a browser and the overview for a program, and says that it differs', async () => {
  const [seen, read] = await Promise.all([gateway.get('/', asBrowser), gateway.get('/')]);
  expect(seen.text).toContain('/explorer.js');
  expect(seen.headers['content-security-policy']).toContain("script-src 'self'; style-src 'self'");
  expect(seen.headers['content-security-policy']).not.toContain('unsafe');
  expect(read.text).toContain('What to try');
  for (const { headers } of [seen, read]) expect(headers['vary']).toMatch(/\baccept(,|$)/i);
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
  const generated = readFileSync(join(root, 'explorer/generated/graphql.ts'), 'utf8');
  const documents = [
    ...generated.matchAll(/export const \w+Document = new TypedDocumentString\(`([^`]+)`/g),
  ].map(([, text = '']) => text);
  expect(documents).toHaveLength(29);
  for (const query of documents) {
    const [, name = ''] = /query (\w+)/.exec(query) ?? [];
    // Every list has a full page, as the pages ask for it.
    const pages = [...query.matchAll(/\$(\w+First): Int/g)].map(([, name = '']) => [name, 24]);
    const variables: Record<string, unknown> = { ...values, ...Object.fromEntries(pages) };
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

test('the explorer makes no markup of text', () => {
  const files = readdirSync(join(root, 'explorer'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.tsx') || file.endsWith('.ts'));
  expect(sources.length).toBeGreaterThan(10);
  for (const file of sources)
    expect(readFileSync(join(root, 'explorer', file), 'utf8')).not.toMatch(
      /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write/,
    );
});

describeInBrowser('the explorer in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  const views = [
    ['light', 390],
    ['dark', 1440],
    ['dark', 390],
    ['light', 1440],
  ] as const;

  // With SCREENSHOTS, a folder, each page is kept as a picture, in all four.
  test.each(process.env['SCREENSHOTS'] ? views : views.slice(0, 2))(
    'shows each page in %s at %d pixels: accessible, no wider than the window, in two requests of half of the default cost at most',
    async (colorScheme, width) => {
      const coloursOnly = colorScheme !== 'light' || width !== 390;
      const most = await walk(browser, { origin, pages: pages(), colorScheme, width, coloursOnly });
      console.log(`the page that costs most is ${most.name}: ${most.cost} of ${MOST_COST}`);
    },
  );

  test('a pasted address leads to the transaction that consumed its output in three clicks, and back', async () => {
    const { owner, spentBy } = spentOutput();
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(origin);
    await page.getByRole('searchbox').fill(owner);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator(`a[href$="${spentBy}"]`).first().click();
    await page.getByRole('heading', { name: 'Picture' }).waitFor();
    expect(page.url().endsWith(`/transactions/${spentBy}`)).toBe(true);
    await page.goBack();
    await page.getByRole('heading', { name: 'Balances' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Balances' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('an id that is searched opens what it is, and one of nothing says so', async () => {
    const { madeBy } = spentOutput();
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(origin);
    await page.getByRole('searchbox').fill(madeBy);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Picture' }).waitFor();
    await page.getByRole('searchbox').fill('999999999999');
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
    await page.getByRole('searchbox').click();
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

  test('a text that is several things lists them, what has no page leads to GraphiQL, and a mistake is said in words', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    const search = async (text: string) => {
      await page.getByRole('searchbox').fill(text);
      await page.keyboard.press('Enter');
    };
    await page.goto(origin);
    await search(nativeAssetIds.fuji);
    await page.getByRole('link', { name: 'Transaction on the x-chain of fuji' }).waitFor();
    await page.getByText('could also be, and is not indexed as: block, vertex').waitFor();
    await page.getByRole('link', { name: 'Asset of fuji' }).click();
    await page.getByRole('heading', { name: /Asset/ }).waitFor();
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
    const link = page.getByRole('link', { name: 'Vertex of fuji, in GraphiQL' });
    const href = (await link.getAttribute('href')) ?? '';
    const { data } = await gateway.graphql(new URL(href, origin).searchParams.get('query') ?? '');
    expect(data).toMatchObject({ node: { __typename: 'Vertex' } });
    await search(`${nativeAssetIds.fuji.slice(0, -1)}q`);
    await page.getByText('looks like an id, but its checksum is wrong').waitFor();
    await search('<img src=x onerror=alert(1)>');
    await page.getByText('has the form of no address').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.goto(`${origin}/explore/fuji/search?text=${'z'.repeat(10_000)}`);
    await page.getByText('10000 characters are too many; at most 256').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('the status page says of how many blocks of a followed chain something is missing', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const body: any = await response.json();
      const [first] = body.data.chainStatus;
      Object.assign(first, { isFollowed: true, blocksWithGaps: '7' });
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${origin}/explore/fuji/status`);
    await settled(page);
    const chains = page.getByRole('region', { name: 'Chains' });
    const place = (await chains.locator('th').allTextContents()).indexOf('Blocks with gaps');
    const cells = chains.locator(`tbody tr td:nth-child(${place + 1})`);
    expect(await cells.allTextContents()).toEqual(['7', 'not followed', 'not followed']);
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
    await page.goto(`${origin}/explore/fuji/addresses/${owner}`);
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

  test('names of markup, control characters and ten thousand characters break no page', async () => {
    const hostile = `<img src=x onerror="document.title='broken'">\u202e\u0007${'long '.repeat(2000)}`;
    const { page, complaints, close } = await openPage(browser, origin, {
      viewport: { width: 390, height: 900 },
    });
    let replaced = 0;
    await page.route('**/graphql', async (route) => {
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
    for (const [name, path] of Object.entries(pages())) {
      await page.goto(origin + path);
      await settled(page);
      expect(await page.getByRole('alert').allTextContents(), name).toEqual([]);
      expect(await page.locator('main img').count(), name).toBe(0);
      expect(await page.title(), name).toBe('Moraine');
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
    await page.goto(`${origin}${pages()['nft']}`);
    await page.getByText('450 more are left out.').waitFor();
    expect(await page.locator('main img, main picture').count()).toBe(0);
    expect(await page.title()).toBe('Moraine');
    expect(await page.locator('main').textContent()).not.toMatch(/[\u202e\u0007]/);
    expect((await page.locator('main').textContent())?.length).toBeLessThan(20_000);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test('the query behind a page runs in GraphiQL as it is written', async () => {
    const { page, close } = await openPage(browser, origin);
    await page.goto(origin + pages()['transaction']);
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
    const emittedUtxos = Array.from({ length: 4365 }, (_, place) => {
      const txHash = idOf('many');
      return utxoRow(`many ${place}`, { txHash, outputIndex: place }, 'fuji');
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
    expect(await page.locator('svg *').count()).toBeLessThan(300);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).toBe('Moraine');
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
      expect(await page.locator('svg *').count()).toBeLessThan(300);
      expect(complaints).toEqual([]);
      await close();
    },
  );
});
