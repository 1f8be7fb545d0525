import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../../sample/examples.js';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser, openPage } from '../harness/browser.js';
import { listen } from '../harness/listen.js';
import { readSample } from '../harness/sample.js';

interface DayValue {
  timestamp: number;
  value: string;
}

/** Has balances of the coin on most of the days of the sample. */
const holder = readSample().rowsOf<{ address: string }>('evm.43113.native-balances')[0]!.address;

/** A chart: its page, its title, how the graph is asked for its values, and the decimals of these. */
const charts: Record<string, { path: string; title: string; query: string; decimals?: number }> = {
  'balance of an address': {
    path: `/explore/fuji/addresses/${examples.busyAddress}?tab=balances`,
    title: 'Balance of AVAX',
    query: `{ at: address(network: fuji, address: "${examples.busyAddress}") {
      days: balanceHistory { nodes { timestamp value: balance } } } }`,
    decimals: 9,
  },
  'fees of a subnet': {
    path: `/explore/fuji/subnets/${examples.subnetId}`,
    title: 'Fees paid',
    query: `{ at: subnet(network: fuji, subnetId: "${examples.subnetId}") {
      days: metric(metric: perSubnetDailyFeesPaid, last: 731) { nodes { timestamp value } } } }`,
    decimals: 9,
  },
  'validators of a subnet that paid': {
    path: `/explore/fuji/subnets/${examples.subnetId}`,
    title: 'Validators that paid',
    query: `{ at: subnet(network: fuji, subnetId: "${examples.subnetId}") {
      days: metric(metric: perSubnetPayingValidators, last: 731) { nodes { timestamp value } } } }`,
  },
  'balance of an EVM address': {
    path: `/explore/fuji/evm/${examples.evmChainId}/addresses/${holder}?tab=balance`,
    title: 'Balance',
    query: `{ at: evmAddress(chainId: "${examples.evmChainId}", address: "${holder}") {
      days: dailyBalances(firstDate: "FROM", lastDate: "TO") { nodes { timestamp value: balance } } } }`,
    decimals: 18,
  },
};

let gateway: TestApp;
let origin: string;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
  origin = await listen(gateway.app);
});
afterAll(() => gateway.close());

const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** What the graph says of the chart, oldest first. */
async function valuesOf(query: string): Promise<DayValue[]> {
  const today = Date.now() / 1000;
  const asked = query.replace('FROM', dayOf(today - 365 * 86_400)).replace('TO', dayOf(today));
  const { data, errors } = await gateway.graphql<{ at: { days: { nodes: DayValue[] } } }>(asked);
  expect(errors).toBeUndefined();
  return data.at.days.nodes.toSorted((one, other) => one.timestamp - other.timestamp);
}

/** An exact decimal number, by another way than that of the explorer. */
const decimal = (value: string, decimals: number) => {
  const unit = 10n ** BigInt(decimals);
  const rest = String(BigInt(value) % unit).padStart(decimals, '0');
  return `${BigInt(value) / unit}.${rest}`.replace(/\.?0+$/, '');
};

describeInBrowser('charts in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  const chartOf = (page: Page, title: string) =>
    page.getByRole('img', { name: new RegExp(`^Chart: ${title}, from `) });
  /** Waits until a chart is drawn, which it is when it is nearly seen. */
  async function drawn(chart: Locator): Promise<void> {
    await chart.scrollIntoViewIfNeeded();
    await chart.locator('canvas').waitFor();
  }
  /** How many points of a chart have a colour, and the colour of most of them. */
  const inkOf = (page: Page, title: string) =>
    chartOf(page, title)
      .locator('canvas')
      .evaluate((canvas: any) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const counts = new Map<string, number>();
        for (let at = 0; at < data.length; at += 4)
          if (data[at + 3] > 200) {
            const key = [data[at], data[at + 1], data[at + 2]].join(' ');
            counts.set(key, (counts.get(key) ?? 0) + 1);
          }
        const [[colour = '', count = 0] = []] = [...counts].sort(([, one], [, other]) => other - one);
        return { colour, count };
      });

  test.each(Object.entries(charts))(
    'the %s is drawn, and its table and its file have the numbers of the graph',
    async (_name, { path, title, query, decimals }) => {
      const days = await valuesOf(query);
      expect(days.length).toBeGreaterThan(20);
      const { page, complaints, close } = await openPage(browser, origin);
      await page.goto(origin + path);
      await drawn(chartOf(page, title));
      expect((await inkOf(page, title)).count).toBeGreaterThan(300);
      const [table = []] = await page
        .getByRole('region', { name: `${title}, as a table`, exact: true, includeHidden: true })
        .evaluateAll((regions: any[]) =>
          regions.map((region) =>
            [...region.querySelectorAll('tbody tr')].map((row: any) => [
              row.cells[0].textContent,
              row.cells[1].firstElementChild.title.split(': ')[0] || row.cells[1].textContent,
            ]),
          ),
        );
      const spoken = ({ value }: DayValue) =>
        decimals === undefined
          ? Number(value).toLocaleString('en')
          : `${value} smallest units, ${decimals} decimals`;
      expect(table).toEqual(days.toReversed().map((day) => [dayOf(day.timestamp), spoken(day)]));
      const section = page.locator('section', { has: chartOf(page, title) });
      const position = title === 'Validators that paid' ? 1 : 0;
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        section.getByRole('button', { name: 'Download as CSV' }).nth(position).click(),
      ]);
      const lines = days.map(({ timestamp, value }) => [
        dayOf(timestamp),
        value,
        ...(decimals === undefined ? [] : [decimal(value, decimals)]),
      ]);
      const head = decimals === undefined ? ['day', 'count'] : ['day', 'smallest_units', 'amount'];
      expect(await readFile(await file.path(), 'utf8')).toBe(
        [head, ...lines].map((line) => `${line.join(',')}\r\n`).join(''),
      );
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test('a chart takes other colours when the system turns dark, and says the value below the pointer', async () => {
    const { path, title, query } = charts['balance of an address']!;
    const days = await valuesOf(query);
    const { page, close } = await openPage(browser, origin, { colorScheme: 'light' });
    await page.goto(origin + path);
    const chart = chartOf(page, title);
    await drawn(chart);
    const light = await inkOf(page, title);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(async () => (await inkOf(page, title)).colour).not.toBe(light.colour);
    const caption = page.locator('figure', { has: chart }).locator('figcaption');
    expect(await caption.textContent()).toContain(dayOf(days.at(-1)!.timestamp));
    const box = await chart.locator('.u-over').boundingBox();
    await page.mouse.move(box!.x + 1, box!.y + 20);
    await expect.poll(() => caption.textContent()).toContain(dayOf(days[0]!.timestamp));
    await close();
  });

  test('what draws charts is loaded when one is nearly seen', async () => {
    const { page, close } = await openPage(browser, origin);
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto(`${origin}/explore/fuji/validators`);
    await page.getByRole('heading', { name: 'Validators of fuji' }).waitFor();
    expect(loaded).toContain('/explorer.js');
    const plots = () => loaded.filter((path) => /^\/explorer\/plot-\w+\.js$/.test(path));
    expect(plots()).toEqual([]);
    const { path, title } = charts['fees of a subnet']!;
    await page.setViewportSize({ width: 390, height: 400 });
    await page.goto(origin + path);
    await chartOf(page, title).waitFor();
    expect(plots()).toEqual([]);
    await drawn(chartOf(page, title));
    expect(plots()).toHaveLength(1);
    await close();
  });
});
