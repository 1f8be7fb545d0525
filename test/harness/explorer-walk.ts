import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openPage } from './browser.js';

/** Half of the default MAX_COST. */
export const MOST_COST = 5000;

/** Waits until a page has all that it asks for, and its charts are drawn. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Parts of a page may be asking too.
  await expect.poll(() => page.getByText('Asking the gateway').count(), { timeout: 60_000 }).toBe(0);
  await expect.poll(() => page.locator('.chart:not(:has(canvas))').count()).toBe(0);
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

/**
 * Opens each page: it must be accessible, no wider than the window, without errors and requests to other
 * hosts, and answered by two requests that cost half of the default limit at most.
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
    const axe = new AxeBuilder({ page });
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
