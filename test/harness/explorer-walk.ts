import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { ZERO_ID } from '../../src/avalanche/codec/ids.js';
import { explorerTitle } from '../../src/http/pages/explorer-titles.js';
import { openPage } from './browser.js';

/** Half of the default MAX_COST. */
export const MOST_COST = 5000;

/** Whether a request opens a stream, which has no end. */
export const isStream = (request: Request) => request.headers()['accept'] === 'text/event-stream';

/** Waits until a page has all that it asks for, and its charts are drawn. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Parts of a page may be asking too.
  await expect.poll(() => page.getByText('Asking the gateway').count(), { timeout: 60_000 }).toBe(0);
  // A chart is drawn when it is nearly seen.
  const before = await page.evaluate<number>('scrollY');
  for (const chart of await page.locator('.chart').all()) {
    await chart.evaluate((each: any) => each.scrollIntoView());
    await chart.locator('canvas').first().waitFor({ state: 'attached' });
  }
  await page.evaluate(`scrollTo(0, ${before})`);
}

interface Walk {
  origin: string;
  /** Paths of pages, by a name for failures and pictures. */
  pages: Readonly<Record<string, string>>;
  colorScheme: 'light' | 'dark';
  /** Width of the window, pixels. */
  width: number;
  /** Whether only what the colours change is checked. */
  coloursOnly?: boolean;
  /** Where each page is kept as a picture; if omitted, nowhere. */
  folder?: string;
  /** What else is checked of a page once it is there. */
  check?: (page: Page, name: string) => Promise<void>;
}

/** From which width on a table may be wider than the page, pixels: below, its rows are cards. */
const WIDE = 1000;

/** The tables of which a reader has to scroll sideways to see all columns. */
const cutTables = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('.table > .wide')]
      .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth)
      .map((each) => each.getAttribute('aria-label'))`,
  );

/** Amounts whose unit stands in another line than their figure. Exact ones may be longer than their line. */
const brokenAmounts = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('.amount:not(.endless)')]
      .filter((each) => each.checkVisibility() && !each.closest('.facts') && each.getClientRects().length > 1)
      .map((each) => each.textContent)`,
  );

/** Links to pages that cannot exist, such as that of the transaction that made the genesis. */
async function deadLinks(page: Page): Promise<string[]> {
  const links = await page.evaluate<string[]>(
    `[...document.querySelectorAll('a[href^="/explore/"]')].map((a) => a.getAttribute('href').split('?')[0])`,
  );
  const missing = explorerTitle('/there/is/no/such/page').title;
  return links.filter(
    (path) => explorerTitle(path).title === missing || path.endsWith(`/transactions/${ZERO_ID}`),
  );
}

/**
 * Scripts that a page loaded before it had its first data, and that its document does not name. Charts, the
 * stream, parts that few look at and the pages that most links lead to come later.
 */
async function unnamedScripts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`{
    const named = new Set([...document.querySelectorAll('link[rel=modulepreload]')].map(({ href }) => href));
    const loaded = performance.getEntriesByType('resource');
    const answers = loaded.filter(({ name }) => name.endsWith('/graphql')).map(({ responseEnd }) => responseEnd);
    const answered = Math.min(...answers);
    loaded
      .filter(({ name, startTime }) => name.includes('/explorer/') && startTime < answered && !named.has(name))
      .map(({ name }) => name);
  }`);
}

/**
 * Opens each page: it must be accessible, no wider than the window, without errors and requests to other
 * hosts, loaded without a script that its document does not name, linked only to pages that can exist, and
 * answered by two requests that cost half of the default limit at most. No amount is apart from its unit, and
 * in a narrow window no table is cut.
 *
 * @returns the most that a page cost, and its name
 */
export async function walk(
  browser: Browser,
  { origin, pages, colorScheme, width, coloursOnly, folder, check }: Walk,
) {
  const { page, complaints, close } = await openPage(browser, origin, {
    colorScheme,
    viewport: { width, height: 900 },
  });
  /** By what was asked: what is shown while a stream begins is asked twice. */
  let costs = new Map<string | null, Promise<number | undefined>>();
  page.on('response', (response) => {
    const isAnswer = response.headers()['content-type']?.includes('json');
    if (response.url().endsWith('/graphql') && isAnswer)
      costs.set(
        response.request().postData(),
        response.json().then(
          (body: any): number => body.extensions.cost.asked,
          // Of a page that asks again and was left: its body is gone.
          () => undefined,
        ),
      );
  });
  const most = { cost: 0, name: '' };
  for (const [name, path] of Object.entries(pages)) {
    costs = new Map();
    await page.goto(origin + path);
    await settled(page);
    const asked = (await Promise.all(costs.values())).filter((cost) => cost !== undefined);
    // The first screen asks which network it is of first.
    expect(asked.length, name).toBeLessThanOrEqual(path === '/' ? 3 : 2);
    for (const cost of asked) expect(cost, name).toBeGreaterThan(0);
    const cost = asked.reduce((sum, each) => sum + each, 0);
    expect(cost, name).toBeLessThanOrEqual(MOST_COST);
    if (cost > most.cost) Object.assign(most, { cost, name });
    expect(await page.getByRole('alert').allTextContents(), name).toEqual([]);
    expect(await unnamedScripts(page), name).toEqual([]);
    expect(await deadLinks(page), name).toEqual([]);
    expect(await brokenAmounts(page), name).toEqual([]);
    if (width < WIDE) expect(await cutTables(page), name).toEqual([]);
    // What passes is not listed, and there is no frame to look into: that takes a fourth of the time.
    const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
    const { violations } = await (coloursOnly ? axe.withRules('color-contrast') : axe).analyze();
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, name).toBeLessThanOrEqual(0);
    await check?.(page, name);
    const picture = `${name.replaceAll(/[^\w-]+/g, '-')}-${width}-${colorScheme}.png`;
    if (folder) await page.screenshot({ path: join(folder, picture), fullPage: true });
  }
  expect(complaints).toEqual([]);
  await close();
  return most;
}
