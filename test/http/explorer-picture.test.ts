import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockchainIds } from '../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser, openPage } from '../harness/browser.js';
import { importRows } from '../harness/import-rows.js';
import { idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { listen } from '../harness/listen.js';

let gateway: TestApp;
let origin: string;
beforeAll(async () => {
  gateway = await createApp();
  await importRows(gateway.storage, 'fuji.p-chain.transactions', [...line(), ...crowd(), ...circle()]);
  await importRows(gateway.storage, 'fuji.x-chain.transactions', [imported()]);
  origin = await listen(gateway.app);
});
afterAll(() => gateway.close());

const [p, x] = [blockchainIds.fuji.p, blockchainIds.fuji.x];
const output = (from: string, to: string | undefined, amount = '5', fields = {}) =>
  utxoRow(
    `${from} to ${to ?? 'nobody'} ${amount}`,
    {
      txHash: idOf(from),
      amount,
      createdOnChainId: p,
      consumedOnChainId: p,
      ...(to ? { consumingTxHash: idOf(to) } : {}),
      ...fields,
    },
    'fuji',
  );

/** A line of transactions: one, two, … seven; the sixth exports to the X-chain, where the seventh is. */
const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
const overBorder = { consumedOnChainId: x };
function line(): object[] {
  return names.slice(0, 6).map((name, index) => {
    const [before, after] = [names[index - 1], names[index + 1]];
    return transactionRow(name, {
      consumedUtxos: before ? [output(before, name)] : [],
      emittedUtxos: [
        output(name, after, '5', after === 'seven' ? overBorder : {}),
        output(name, undefined, '1'),
      ],
    });
  });
}
const imported = () =>
  transactionRow('seven', {
    txType: 'ImportTx',
    consumedUtxos: [output('six', 'seven', '5', overBorder)],
    emittedUtxos: [output('seven', undefined, '3', { createdOnChainId: x, consumedOnChainId: x })],
  });

/** One transaction whose ten outputs go to ten, whose ten outputs each go to ten more. */
function crowd(): object[] {
  const tens = Array.from({ length: 10 }, (_, index) => index);
  const children = (name: string) => tens.map((index) => `${name} ${index}`);
  const make = (name: string, from: string | undefined, to: string[]) =>
    transactionRow(name, {
      consumedUtxos: from ? [output(from, name)] : [],
      emittedUtxos: to.map((each) => output(name, each)),
    });
  return [
    make('crowd', undefined, children('crowd')),
    ...children('crowd').flatMap((child) => [
      make(child, 'crowd', children(child)),
      ...children(child).map((grandchild) => make(grandchild, child, children(grandchild))),
    ]),
  ];
}

/** Rows that no chain has: two transactions that consume what the other emits. */
const circle = () => [
  transactionRow('egg', { consumedUtxos: [output('hen', 'egg')], emittedUtxos: [output('egg', 'hen')] }),
  transactionRow('hen', { consumedUtxos: [output('egg', 'hen')], emittedUtxos: [output('hen', 'egg')] }),
];

describeInBrowser('the picture of several steps in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  const pathOf = (name: string) => `${origin}/explore/fuji/p-chain/transactions/${idOf(name)}`;
  const picture = (page: Page) => page.getByRole('group', { name: 'Transactions and their outputs' });
  const linksOf = (page: Page) =>
    picture(page)
      .locator('a')
      .evaluateAll((links: any[]) => links.map((link) => link.getAttribute('href') as string));
  const linkTo = (name: string) =>
    `/explore/fuji/${name === 'seven' ? 'x-chain' : 'p-chain'}/transactions/${idOf(name)}`;

  test('grows by two steps before and two after, over the border of a chain, and back', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(pathOf('four'));
    const more = async (where: string) => {
      const there = page.getByRole('link', { name: `One step more ${where} it`, exact: true });
      await there.click();
    };
    await more('before');
    await picture(page).waitFor();
    await expect
      .poll(async () => (await linksOf(page)).sort())
      .toEqual(['two', 'three', 'five'].map(linkTo).sort());
    await more('after');
    await more('before');
    await more('after');
    await expect
      .poll(async () => (await linksOf(page)).sort())
      .toEqual(
        names
          .filter((name) => name !== 'four')
          .map(linkTo)
          .sort(),
      );
    expect(await page.getByRole('link', { name: /One step more/ }).count()).toBe(0);
    expect(await picture(page).textContent()).toContain(`X ${idOf('seven').slice(0, 8)}`);
    await page.getByText('The outputs of the picture as a table').click();
    const rows = await page
      .getByRole('region', { name: 'Outputs of the picture' })
      .locator('tbody tr')
      .count();
    // Three before it, and after it three that go on and three that are unspent.
    expect(rows).toBe(9);
    await page.reload();
    await expect.poll(async () => (await linksOf(page)).length).toBe(6);
    await picture(page)
      .getByRole('link', { name: `Transaction ${idOf('seven')} of the x-chain` })
      .click();
    await page.waitForURL(`**${linkTo('seven')}`);
    await page.goBack();
    await picture(page).waitFor();
    await page.getByRole('link', { name: 'This transaction alone' }).click();
    await page.getByRole('group', { name: 'Outputs consumed and emitted' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('of a transaction with a thousand descendants, 60 outputs are drawn, and the text says how many are left out', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${pathOf('crowd')}?after=3`);
    await picture(page).waitFor();
    expect(await picture(page).locator('path').count()).toBe(6 + 6 * 3 + 6 * 3 * 2);
    expect(await picture(page).locator('*').count()).toBeLessThan(400);
    expect(await page.locator('figcaption').textContent()).toContain(
      'Of 25 of them more outputs are left out',
    );
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test('rows that go in a circle are drawn as a line, and steps that are no number are one', async () => {
    const { page, complaints, close } = await openPage(browser, origin);
    await page.goto(`${pathOf('egg')}?before=3&after=99`);
    await picture(page).waitFor();
    expect(await picture(page).locator('path').count()).toBe(6);
    await page.goto(`${pathOf('egg')}?before=-7&after=constructor`);
    await page.getByRole('group', { name: 'Outputs consumed and emitted' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
