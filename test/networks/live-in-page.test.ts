import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { describeInBrowser, launchBrowser } from '../harness/browser.js';
import { listen } from '../harness/listen.js';
import {
  expectAll,
  isMarker,
  PROPERTY_QUERY,
  storeMarker,
  writeOutputs,
  writtenEvents,
} from '../harness/live-property.js';
import { until } from '../harness/raw-client.js';
import type { StreamEvent } from '../harness/stream.js';

/** Two gateways on one database; the second one is killed half-way. */
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

/** The client of graphql-sse for a page, which calls it `graphqlSse`. */
const library = readFileSync(
  join(dirname(createRequire(import.meta.url).resolve('graphql-sse/package.json')), 'umd/graphql-sse.min.js'),
  'utf8',
);

/**
 * A subscriber in a page: it breaks its stream after some events, forgets some of the last ones, and goes on
 * at the next gateway. `subscriber.ends` has it stop.
 */
const subscriber = (query: string, origins: readonly string[]) => `
  globalThis.subscriber = { events: [], errors: [], begun: 0, ends: false };
  void (async () => {
    const { events, errors } = subscriber;
    const clients = ${JSON.stringify(origins)}.map((origin) =>
      graphqlSse.createClient({ url: origin + '/graphql', retryAttempts: 0 }));
    for (let turn = 0; !subscriber.ends; turn += 1) {
      const after = (events.at(-1 - turn % 3) ?? events[0])?.cursor;
      await new Promise((ended) => {
        const close = clients[turn % clients.length].subscribe(
          { query: ${JSON.stringify(query)}, variables: { after } },
          {
            next(result) {
              if (result.errors) errors.push(...result.errors);
              else events.push(result.data.utxos);
            },
            error: () => setTimeout(ended, 20),
            complete: ended,
          },
          { connected: () => (subscriber.begun += 1) },
        );
        // After some events, more than it forgets, or when none comes. Without one there is no cursor yet: a
        // break would be a hole.
        const enough = events.length + 4 + turn * 7 % 20;
        const late = Date.now() + 1000;
        const leave = () =>
          events.length > 0 && (events.length >= enough || Date.now() > late) ? close() : setTimeout(leave, 20);
        setTimeout(leave, 20);
      });
    }
  })();`;

interface Received {
  events: StreamEvent[];
  errors: { extensions: { code: string } }[];
  begun: number;
}

describeInBrowser('the client of graphql-sse in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('with breaks, two gateways and a killed one, gets what the lists say was written, once and in order', async () => {
    const page = await browser.newPage({ bypassCSP: true });
    await page.goto(`${urls[0]}/overview`);
    await page.addScriptTag({ content: library });
    const received = () => page.evaluate<Received>('subscriber');
    await page.evaluate(subscriber(PROPERTY_QUERY, urls));
    expect(await until(async () => (await received()).begun > 0)).toBe(true);
    await storeMarker(first, 'begin');
    const writing = writeOutputs(first);
    await sleep(600);
    await second.app.close();
    await writing;
    await storeMarker(first, 'end');
    expect(
      await until(async () => (await received()).events.some((event) => isMarker('end', event)), 60),
    ).toBe(true);
    await page.evaluate('subscriber.ends = true');
    const { events, errors, begun } = await received();
    expect(begun).toBeGreaterThan(5);
    expect(errors.filter(({ extensions }) => extensions.code !== 'SERVICE_UNAVAILABLE')).toEqual([]);
    expectAll(events, await writtenEvents(first));
    await page.close();
  });
});
