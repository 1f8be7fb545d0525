import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type GraphQLReply, type TestApp } from '../harness/app.js';
import { addressOf, idOf, outputId, utxoRow } from '../harness/ledger-rows.js';
import { launch, served, type Launched } from '../harness/launched.js';
import { listen } from '../harness/listen.js';
import { importRows } from '../harness/seed.js';
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

const COMMITS = 40;
const SUBSCRIBERS = 4;
const QUERY = `subscription ($after: String) {
  utxos(network: mainnet, addresses: ["${addressOf('anna')}"], after: $after) { cursor change node { utxoId } }
}`;

/** Repeatable numbers from 0 to below 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Rows that some outputs have when they are stored, spent, or stored spent; each several times. */
async function write(writer: number): Promise<void> {
  const next = numbers(writer + 7);
  for (let commit = 0; commit < COMMITS; commit += 1) {
    const rows = Array.from({ length: 1 + Math.floor(next() * 5) }, () => {
      const name = `output ${Math.floor(next() * 60)}`;
      return utxoRow(name, next() < 0.4 ? { consumingTxHash: idOf(`spender of ${name}`) } : {});
    });
    await importRows(first.storage, 'mainnet.p-chain.utxos', rows);
    await sleep(next() * 20);
  }
}

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
        const stream = await openStream(url, QUERY, { variables: { after } });
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

/** Events without those that came again. */
const once = (events: readonly StreamEvent[]) => [
  ...new Map(events.map((event) => [event.cursor, event])).values(),
];

const positionOf = ({ cursor }: StreamEvent) =>
  Buffer.from(cursor, 'base64url').toString().split('.').slice(0, 2).map(Number) as [number, number];

interface Outputs {
  utxos: {
    nodes: { utxoId: string; consumingTxHash: string | null }[];
    pageInfo: { hasNextPage: boolean; endCursor: string };
  };
}

test('with breaks, two gateways and one of them killed with SIGKILL, each gets what the lists say was written, once and in order', async () => {
  const subscribers = Array.from({ length: SUBSCRIBERS }, (_, index) => new Subscriber(numbers(index + 1)));
  const marker = async (name: string) => importRows(first.storage, 'mainnet.p-chain.utxos', [utxoRow(name)]);
  const begun = subscribers.map(() => {
    let began: () => void = () => undefined;
    return { promise: new Promise<void>((resolve) => (began = resolve)), began: () => began() };
  });
  const running = subscribers.map((each, index) => each.run(begun[index]!.began));
  await Promise.all(begun.map(({ promise }) => promise));
  // Before the first break of any of them.
  await marker('begin');
  const writing = [0, 1, 2].map(write);
  await sleep(600);
  urls.splice(1, 1);
  await second.stop('SIGKILL');
  await Promise.all(writing);
  await marker('end');
  const has = (name: string) => (each: Subscriber) =>
    each.events.some(({ node }) => node['utxoId'] === outputId(name));
  for (let tries = 0; tries < 300 && !subscribers.every(has('end')); tries += 1) await sleep(50);
  for (const each of subscribers) each.hasEnded = true;
  await Promise.all(running);

  const stored = new Map<string, string | null>();
  for (let after: string | null = null; ;) {
    const { data }: GraphQLReply<Outputs> = await first.graphql<Outputs>(
      `query ($after: String) { utxos(network: mainnet, addresses: ["${addressOf('anna')}"], includeSpent: true, first: 50, after: $after) {
        nodes { utxoId consumingTxHash } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    for (const { utxoId, consumingTxHash } of data.utxos.nodes) stored.set(utxoId, consumingTxHash);
    if (!data.utxos.pageInfo.hasNextPage) break;
    after = data.utxos.pageInfo.endCursor;
  }
  const expected = [...stored].flatMap(([id, spender]) => [
    `${id} created`,
    ...(spender === null ? [] : [`${id} spent`]),
  ]);
  expect(expected.length).toBeGreaterThan(60);
  for (const each of subscribers) {
    expect(each.errors).toEqual([]);
    const events = once(each.events);
    expect(events.map(({ node, change }) => `${String(node['utxoId'])} ${change}`).sort()).toEqual(
      expected.sort(),
    );
    const positions = events.map(positionOf);
    expect(positions).toEqual(positions.toSorted(([a, i], [b, j]) => a - b || i - j));
  }
});
