import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser, openPage } from '../harness/browser.js';
import { importRows } from '../harness/import-rows.js';
import { addressOf, utxoRow } from '../harness/ledger-rows.js';
import { listen } from '../harness/listen.js';

const owner = addressOf('saver', 'fuji');
const onX = { createdOnChainId: blockchainIds.fuji.x, consumedOnChainId: blockchainIds.fuji.x };
/** Beginnings of years in UTC, Unix seconds; nobody runs this test then. */
const year = (number: number) => Date.UTC(number, 0, 1) / 1000;
const row = (name: string, amount: number, fields: object) =>
  utxoRow(name, { addresses: [owner], threshold: 1, amount: String(amount * 1e9), ...fields }, 'fuji');

const rows = [
  row('free', 100, {}),
  row('was locked', 50, { platformLocktime: year(2020) }),
  row('locked', 1, { platformLocktime: year(2100) }),
  row('locked too', 2, { platformLocktime: year(2100) }),
  row('stakeable', 4, { utxoType: 'STAKE', stakeableLocktime: year(2110) }),
  row('staked', 8, { staked: true, utxoStartTimestamp: year(2020), utxoEndTimestamp: year(2090) }),
  // Its stake ends before its lock.
  row('staked, locked', 16, {
    utxoType: 'STAKE',
    staked: true,
    stakeableLocktime: year(2120),
    utxoStartTimestamp: year(2020),
    utxoEndTimestamp: year(2095),
  }),
  row('shared', 32, {
    threshold: 2,
    addresses: [owner, addressOf('partner', 'fuji')],
    platformLocktime: year(2100),
  }),
];
const rowsOnX = [row('locked on X', 64, { ...onX, platformLocktime: year(2105) })];

let gateway: TestApp;
let origin: string;
beforeAll(async () => {
  gateway = await createApp();
  await importRows(gateway.storage, 'fuji.p-chain.utxos', rows);
  await importRows(gateway.storage, 'fuji.x-chain.utxos', rowsOnX);
  origin = await listen(gateway.app);
});
afterAll(() => gateway.close());

describeInBrowser('the unlock calendar of an address in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  const region = (page: Page) => page.getByRole('region', { name: 'What can be spent when' });
  const cells = (page: Page) =>
    region(page)
      .locator('tbody tr')
      .evaluateAll((lines: any[]) =>
        lines.map((line) =>
          [...line.cells].map(
            (cell: any) => cell.querySelector('time')?.dateTime ?? cell.textContent.replace(/copy$/, ''),
          ),
        ),
      );

  test('has what can be spent when, by time, with the later of the ends of a stake and of a lock', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${origin}/explore/fuji/addresses/${owner}?tab=balances`);
    await region(page).waitFor();
    const at = (number: number) => `${number}-01-01T00:00:00.000Z`;
    expect(await cells(page)).toEqual([
      [at(2090), '8 AVAX', 'staked', 'one', '1', '8 AVAX'],
      [at(2100), '32 AVAX', 'locked', 'several', '1', '40 AVAX'],
      [at(2100), '3 AVAX', 'locked', 'one', '2', '43 AVAX'],
      [at(2105), '64 AVAX', 'locked, on the X-chain', 'one', '1', '107 AVAX'],
      [at(2110), '4 AVAX', 'can only be staked', 'one', '1', '111 AVAX'],
      [at(2120), '16 AVAX', 'staked', 'one', '1', '127 AVAX'],
    ]);
    // The rest of the balance can be spent now.
    const { data } = await gateway.graphql<any>(
      `{ address(network: fuji, address: "${owner}") { balances { nodes {
        singleSignature { total spendable } multiSignature { total spendable } } } } }`,
    );
    const [{ singleSignature, multiSignature }] = data.address.balances.nodes;
    const waits =
      BigInt(singleSignature.total) -
      BigInt(singleSignature.spendable) +
      BigInt(multiSignature.total) -
      BigInt(multiSignature.spendable);
    expect(waits).toBe(127_000_000_000n);
    expect(complaints).toEqual([]);
    await close();
  });

  test('says that there are more outputs than it counts, and that nothing waits where nothing does', async () => {
    const many = Array.from({ length: 61 }, (_, index) =>
      utxoRow(
        `many ${index}`,
        { addresses: [addressOf('hoarder', 'fuji')], threshold: 1, platformLocktime: year(2100) },
        'fuji',
      ),
    );
    const free = utxoRow('of a spender', { addresses: [addressOf('spender', 'fuji')] }, 'fuji');
    await importRows(gateway.storage, 'fuji.p-chain.utxos', [...many, free]);
    const { page, close } = await openPage(browser, origin);
    await page.goto(`${origin}/explore/fuji/addresses/${addressOf('hoarder', 'fuji')}?tab=balances`);
    await page.getByText('It has more outputs that wait. Only the first 60').waitFor();
    await page.goto(`${origin}/explore/fuji/addresses/${addressOf('spender', 'fuji')}?tab=balances`);
    await page.getByText('None of its indexed outputs waits for a time.').waitFor();
    await close();
  });
});
