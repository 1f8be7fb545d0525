import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser, openPage } from '../harness/browser.js';
import { samplePages } from '../harness/explorer-pages.js';
import { settled } from '../harness/explorer-walk.js';
import { listen } from '../harness/listen.js';

let gateway: TestApp;
let origin: string;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
  origin = await listen(gateway.app);
});
afterAll(() => gateway.close());

/** What has the focus. */
interface Focused {
  /** Its index among all elements. */
  index: number;
  what: string;
  /** Whether a reader sees that it has the focus. The browser itself marks the focused part of a day. */
  isSeen: boolean;
}
const focused = (page: Page) =>
  page.evaluate<Focused | null>(`(() => {
    const one = document.activeElement;
    if (!one || one === document.body) return null;
    const box = one.getBoundingClientRect();
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    const isInside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    return {
      index: [...document.querySelectorAll('*')].indexOf(one),
      what: one.outerHTML.slice(0, 120),
      isSeen: isInside && box.width > 0 && box.height > 0
        && (one.type === 'date' || (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0)),
    };
  })()`);

describeInBrowser('by keyboard alone', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test.each([390, 1440])(
    'Tab leads through every other page at %d pixels in the order that is read, is seen, and gets out again',
    async (width) => {
      const { page, close } = await openPage(browser, origin, { viewport: { width, height: 900 } });
      const pages = Object.entries(samplePages()).filter(
        (_page, index) => (index % 2 === 0) === (width === 390),
      );
      for (const [name, path] of pages) {
        await page.goto(origin + path);
        await settled(page);
        const indexes: number[] = [];
        for (;;) {
          await page.keyboard.press('Tab');
          const one = await focused(page);
          if (!one || one.index === indexes[0]) break;
          expect(one.isSeen, `${name}: ${one.what}`).toBe(true);
          // A field for a day has several stops.
          expect(one.index, `${name}: ${one.what}`).toBeGreaterThanOrEqual(indexes.at(-1) ?? -1);
          indexes.push(one.index);
        }
        expect(indexes.length, name).toBeGreaterThan(10);
      }
      await close();
    },
  );
});
