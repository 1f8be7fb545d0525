import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { launch, served, type Launched } from '../harness/launched.js';
import { listen } from '../harness/listen.js';
import { begin } from '../harness/live-page.js';
import { expectAll, isMarker, QUERY, storeMarker } from '../harness/live-property.js';
import { writeOutputs, writtenEvents } from '../harness/live-property.js';
import { until } from '../harness/raw-client.js';

/** Two gateways on one database; the second one is killed half-way. */
let first: TestApp;
let second: Launched;
const urls: string[] = [];
beforeAll(async () => {
  first = await createApp();
  const settings = { SAMPLE: 'off', RATE_LIMITS: 'off', PORT: '0' };
  second = launch(['serve'], { DATABASE_URL: first.storage.url, ...settings });
  urls.push(await listen(first.app), await second.says(served));
});
afterAll(async () => {
  await second.stop('SIGKILL');
  await first.close();
});

test('with breaks, two gateways and one of them killed with SIGKILL, the clients of graphql-sse, urql and Apollo each get what the lists say was written, once and in order', async () => {
  const subscribers = begin(QUERY, urls);
  // Before the first break of any of them.
  expect(await until(() => subscribers.every(({ begun }) => begun > 0))).toBe(true);
  await storeMarker(first, 'begin');
  const writing = writeOutputs(first);
  await sleep(600);
  urls.splice(1, 1);
  await second.stop('SIGKILL');
  await writing;
  await storeMarker(first, 'end');
  await until(() => subscribers.every(({ events }) => events.some((event) => isMarker('end', event))));
  await Promise.all(subscribers.map((each) => each.end()));

  const written = await writtenEvents(first);
  expect(subscribers).toHaveLength(3);
  for (const { errors, events, begun } of subscribers) {
    expect(errors).toEqual([]);
    expect(begun).toBeGreaterThan(3);
    expectAll(events, written);
  }
});
