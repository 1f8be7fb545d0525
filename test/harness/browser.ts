import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { describe, test } from 'vitest';

const candidates = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The Chromium of this machine; undefined when there is none. */
const executablePath = candidates.find((path) => path && existsSync(path));

/**
 * Tests in a real browser. Without one they are skipped, and the reason is shown; with CI set that is a
 * failure, because there it would go unnoticed.
 */
export function describeInBrowser(name: string, tests: () => void): void {
  if (executablePath) {
    describe(name, tests);
  } else if (process.env['CI']) {
    test(`${name}: a Chromium is needed, install one or set CHROMIUM_PATH`, () => {
      throw new Error('no Chromium was found');
    });
  } else {
    describe.skip(`${name} (skipped: no Chromium; install one or set CHROMIUM_PATH)`, tests);
  }
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A page, and the errors on it. */
export interface WatchedPage {
  page: Page;
  /** Errors and warnings of the console, uncaught errors, and requests to another host. */
  complaints: string[];
  close: () => Promise<void>;
}

/** @param origin the only origin to which the page may send requests */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  context.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith('http') && asked !== origin) complaints.push(`request: ${request.url()}`);
  });
  return { page, complaints, close: () => context.close() };
}
