import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser } from '../harness/browser.js';
import { listen } from '../harness/listen.js';
import { expectAll, isMarker, QUERY, storeMarker } from '../harness/live-property.js';
import { writeOutputs, writtenEvents } from '../harness/live-property.js';
import type { Subscriber } from '../harness/live-subscriber.js';
import { until } from '../harness/raw-client.js';

/** Two gateways on one database; the second one is closed half-way. */
let first: TestApp;
let second: TestApp;
let urls: string[];
beforeAll(async () => {
  first = await createApp();
  second = await createApp({}, { reach: () => first.storage.url });
  urls = await Promise.all([first, second].map(({ app }) => listen(app)));
});
afterAll(async () => {
  await second.close();
  await first.close();
});

/** The subscribers for a page, which calls them `live`. */
async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../harness/live-page.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'live',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]!.text;
}

type Received = Pick<Subscriber, 'events' | 'errors' | 'begun'>[];

describeInBrowser('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('with breaks, two gateways and one that is closed, the clients of graphql-sse, urql and Apollo each get what the lists say was written, once and in order', async () => {
    const page = await browser.newPage({ bypassCSP: true });
    await page.goto(`${urls[0]}/overview`);
    await page.addScriptTag({ content: await bundled() });
    await page.evaluate(`subscribers = live.begin(${JSON.stringify(QUERY)}, ${JSON.stringify(urls)})`);
    const received = () =>
      page.evaluate<Received>('subscribers.map(({ events, errors, begun }) => ({ events, errors, begun }))');
    expect(await until(async () => (await received()).every(({ begun }) => begun > 0))).toBe(true);
    await storeMarker(first, 'begin');
    const writing = writeOutputs(first);
    await sleep(600);
    await second.app.close();
    await writing;
    await storeMarker(first, 'end');
    const hasAll = async () =>
      (await received()).every(({ events }) => events.some((event) => isMarker('end', event)));
    expect(await until(hasAll, 60)).toBe(true);
    await page.evaluate('Promise.all(subscribers.map((each) => each.end()))');
    const written = await writtenEvents(first);
    for (const { events, errors, begun } of await received()) {
      expect(begun).toBeGreaterThan(3);
      expect(errors.filter((code) => code !== 'SERVICE_UNAVAILABLE')).toEqual([]);
      expectAll(events, written);
    }
    await page.close();
  });
});
