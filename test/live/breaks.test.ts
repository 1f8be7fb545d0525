import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { launch, served, type Launched } from '../harness/launched.js';
import { listen } from '../harness/listen.js';
import {
  expectAll,
  isMarker,
  numbers,
  PROPERTY_QUERY,
  storeMarker,
  writeOutputs,
  writtenEvents,
} from '../harness/live-property.js';
import { openStream, type StreamError, type StreamEvent } from '../harness/stream.js';

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

const SUBSCRIBERS = 4;

/** Receives all events with breaks: in each the next gateway is asked, after the last event that was seen. */
class Subscriber {
  readonly events: StreamEvent[] = [];
  readonly errors: StreamError[] = [];
  hasEnded = false;

  constructor(private readonly next: () => number) {}

  async run(began: () => void): Promise<void> {
    while (!this.hasEnded) {
      // It forgets some of the last events, as one does that is killed before it has stored them.
      const forgotten = Math.floor(this.next() * 3);
      const after = this.events.at(-1 - forgotten)?.cursor ?? this.events[0]?.cursor;
      const url = urls[Math.floor(this.next() * urls.length)] ?? '';
      try {
        const stream = await openStream(url, PROPERTY_QUERY, { variables: { after } });
        began();
        // Without an event there is no cursor yet: a break would be a hole.
        if (this.events.length === 0) await stream.have(1);
        await Promise.race([stream.ended(), sleep(50 + this.next() * 250)]);
        stream.close();
        this.errors.push(...stream.errors);
        this.events.push(...stream.events);
      } catch {
        // The gateway that was killed.
        await sleep(20);
      }
    }
  }
}

test('with breaks, two gateways and one of them killed with SIGKILL, each gets what the lists say was written, once and in order', async () => {
  const subscribers = Array.from({ length: SUBSCRIBERS }, (_, index) => new Subscriber(numbers(index + 1)));
  const begun = subscribers.map(() => {
    let began: () => void = () => undefined;
    return { promise: new Promise<void>((resolve) => (began = resolve)), began: () => began() };
  });
  const running = subscribers.map((each, index) => each.run(begun[index]!.began));
  await Promise.all(begun.map(({ promise }) => promise));
  // Before the first break of any of them.
  await storeMarker(first, 'begin');
  const writing = writeOutputs(first);
  await sleep(600);
  urls.splice(1, 1);
  await second.stop('SIGKILL');
  await writing;
  await storeMarker(first, 'end');
  const hasAll = (each: Subscriber) => each.events.some((event) => isMarker('end', event));
  for (let tries = 0; tries < 300 && !subscribers.every(hasAll); tries += 1) await sleep(50);
  for (const each of subscribers) each.hasEnded = true;
  await Promise.all(running);

  const written = await writtenEvents(first);
  for (const each of subscribers) {
    expect(each.errors).toEqual([]);
    expectAll(each.events, written);
  }
});
