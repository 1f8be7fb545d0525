import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Browser, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser } from '../harness/browser.js';
import { samplePages } from '../harness/explorer-pages.js';
import { settled } from '../harness/explorer-walk.js';

/** The pages that are compared. */
const compared = [
  'network',
  'transaction',
  'steps',
  'address',
  'block',
  'validators',
  'validator',
  'subnet',
  'l1Validator',
  'asset',
  'message',
  'evmChain',
];
/** Width and height of what is compared, pixels. */
const sizes = [
  [390, 844],
  [1440, 860],
] as const;
/** Those that README.md shows, so that the package has them. */
const shown = ['network-1440', 'steps-1440'];
/** Another version of Chromium smooths edges a little differently: how many of all pixels may differ. */
const MOST_DIFFERENT = 0.001;
/** All pictures together, bytes. */
const MOST_BYTES = 3_000_000;

/** Without transparency, and as zlib packs areas of one colour best: pictures are smaller by a third. */
const packing = { colorType: 2, filterType: 0, deflateLevel: 9, deflateStrategy: 0 } as const;

/** The moment at which all pictures are taken: the sample ends before it. */
const NOW = new Date('2026-11-01T12:00:00Z');

const pathOf = (name: string) =>
  join(import.meta.dirname, shown.includes(name) ? '../../docs/pictures' : 'pictures', `${name}.png`);

const fonts = join(
  dirname(createRequire(import.meta.url).resolve('roboto-fontface/package.json')),
  'fonts/roboto',
);
const face = (weight: number, file: string) => {
  const font = readFileSync(join(fonts, file)).toString('base64');
  return `@font-face { font-family: Compared; font-weight: ${weight}; src: url(data:font/woff2;base64,${font}) }`;
};
/** The same letters on each machine; nothing that moves or whose drawing depends on the machine. */
const style = [
  face(400, 'Roboto-Regular.woff2'),
  face(500, 'Roboto-Medium.woff2'),
  face(700, 'Roboto-Bold.woff2'),
  `:root { --mono: Compared }
   body, .said { font-family: Compared }
   *, *::before { animation: none !important; caret-color: transparent !important }
   .chart canvas { visibility: hidden }`,
].join('\n');

describeInBrowser('pictures of the explorer', () => {
  let gateway: TestApp;
  let origin: string;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await createApp({}, { sample: true });
    origin = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await gateway.close();
  });

  async function pictureOf(page: Page, name: string): Promise<PNG> {
    await page.goto(`${origin}${samplePages()[name]}`);
    await page.addStyleTag({ content: style });
    await settled(page);
    await page.evaluate('document.fonts.ready');
    return PNG.sync.read(await page.screenshot({ animations: 'disabled' }));
  }

  // With PICTURES=write they are made anew.
  test.each(sizes)('twelve pages look at %d x %d pixels as they did', async (width, height) => {
    const context = await browser.newContext({
      viewport: { width, height },
      locale: 'en-GB',
      timezoneId: 'UTC',
      colorScheme: 'light',
      reducedMotion: 'reduce',
      // The policy of the page refuses the font of the test.
      bypassCSP: true,
    });
    await context.clock.setFixedTime(NOW);
    const page = await context.newPage();
    const different: string[] = [];
    for (const key of compared) {
      const name = `${key}-${width}`;
      const now = await pictureOf(page, key);
      if (process.env['PICTURES'] === 'write') {
        mkdirSync(dirname(pathOf(name)), { recursive: true });
        writeFileSync(pathOf(name), PNG.sync.write(now, packing));
        continue;
      }
      const before = PNG.sync.read(readFileSync(pathOf(name)));
      expect([now.width, now.height], name).toEqual([before.width, before.height]);
      const difference = new PNG({ width: now.width, height: now.height });
      const count = pixelmatch(before.data, now.data, difference.data, now.width, now.height);
      if (count <= MOST_DIFFERENT * now.width * now.height) continue;
      const folder = join(tmpdir(), 'moraine-pictures');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${name}.png`), PNG.sync.write(now));
      writeFileSync(join(folder, `${name}-difference.png`), PNG.sync.write(difference));
      different.push(`${name}: ${count} pixels differ, see ${folder}`);
    }
    expect(different).toEqual([]);
    await context.close();
  });

  test('take at most three megabytes', () => {
    const names = compared.flatMap((key) => sizes.map(([width]) => `${key}-${width}`));
    for (const name of shown) expect(names).toContain(name);
    const paths = names.map(pathOf).filter((path) => existsSync(path));
    expect(paths).toHaveLength(names.length);
    expect(paths.reduce((sum, path) => sum + readFileSync(path).length, 0)).toBeLessThanOrEqual(MOST_BYTES);
  });
});
