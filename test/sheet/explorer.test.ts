import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { createApp, type AppOptions, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser } from '../harness/browser.js';
import { networkPages } from '../harness/explorer-network-pages.js';
import { samplePages } from '../harness/explorer-pages.js';
import { walk } from '../harness/explorer-walk.js';
import { networkFilling } from '../harness/followed.js';
import { hasRecordedNode } from '../harness/recorded-node.js';

/** Where the pictures are kept. */
const sheet = process.env['SHEET'] ?? join(tmpdir(), 'moraine-sheet');

const widths = [390, 768, 1440, 2560];
const views = widths.flatMap((width) => (['light', 'dark'] as const).map((colour) => ({ width, colour })));

interface Shown {
  name: string;
  options: AppOptions;
  pagesOf: (gateway: TestApp) => Promise<Record<string, string>>;
}
const shown: Shown[] = [
  {
    name: 'sample',
    options: { sample: true },
    pagesOf: () => Promise.resolve(samplePages()),
  },
  ...(hasRecordedNode
    ? [{ name: 'network-a', options: { filling: networkFilling('network-a') }, pagesOf: networkPages }]
    : []),
];

describeInBrowser('the sheet of the explorer', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  describe.each(shown)('of $name', ({ name, options, pagesOf }) => {
    const folder = join(sheet, name);
    let gateway: TestApp;
    let origin: string;
    let pages: Record<string, string>;
    beforeAll(async () => {
      mkdirSync(folder, { recursive: true });
      gateway = await createApp({}, options);
      origin = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
      pages = await pagesOf(gateway);
    });
    afterAll(async () => {
      writeFileSync(join(folder, 'index.html'), indexOf(folder));
      console.log(`the sheet is in ${folder}`);
      await gateway.close();
      adoptIdentities({});
    });

    test.each(views)(
      'every page at $width pixels, $colour: accessible, and as a picture',
      async ({ width, colour }) => {
        await walk(browser, {
          origin,
          pages,
          colorScheme: colour,
          width,
          coloursOnly: colour === 'dark',
          folder,
        });
      },
    );
  });
});

/** All pictures on one page. */
function indexOf(folder: string): string {
  const pictures = readdirSync(folder).filter((file) => file.endsWith('.png'));
  const figures = pictures.map(
    (file) =>
      `<figure><figcaption>${file}</figcaption><a href="${file}"><img loading="lazy" src="${file}" alt=""></a></figure>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Sheet</title><style>
body { display: flex; flex-wrap: wrap; gap: 1rem; font: 12px system-ui }
figure { margin: 0 } img { width: 20rem; border: 1px solid #999 }
</style>${figures.join('\n')}\n`;
}
