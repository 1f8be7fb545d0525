import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { listenOnPort } from '../harness/listen.js';
import { metric, readToEnd, send, until } from '../harness/raw-client.js';
import { importRows } from '../harness/seed.js';
import { openStream, type Stream } from '../harness/stream.js';

let gateway: TestApp | undefined;
let port: number;
const open: Stream[] = [];

async function begin(settings: Record<string, string>): Promise<TestApp> {
  gateway = await createApp(settings);
  port = await listenOnPort(gateway.app);
  return gateway;
}

afterEach(async () => {
  for (const each of open.splice(0)) each.close();
  await gateway?.close();
  gateway = undefined;
});

const QUERY = `subscription { utxos(network: mainnet, addresses: ["${addressOf('anna')}"]) { cursor node { utxoId } } }`;

async function subscribe(): Promise<Stream> {
  const stream = await openStream(`http://127.0.0.1:${port}`, QUERY);
  open.push(stream);
  return stream;
}

const plans = (anonymous: object) => ({ RATE_LIMITS: 'on', PLANS: JSON.stringify({ anonymous }) });

test('a plan says how many streams a caller may have open; one that is closed makes room', async () => {
  await begin(plans({ streams: 2 }));
  const [first] = [await subscribe(), await subscribe()];
  const third = await subscribe();
  expect(third.status).toBe(429);
  expect(third.headers.get('retry-after')).toBe('5');
  expect(third.errors[0]?.message).toContain('the plan anonymous allows 2 at the same time');
  first.close();
  expect(await until(async () => (await metric(port, 'moraine_streams')) === 1)).toBe(true);
  expect((await subscribe()).status).toBe(200);
});

test('a caller has at most a quarter of the streams of a gateway', async () => {
  await begin({ MAX_STREAMS: '8' });
  await Promise.all([subscribe(), subscribe()]);
  const third = await subscribe();
  expect(third.status).toBe(503);
  expect(third.errors[0]?.extensions.code).toBe('SERVICE_UNAVAILABLE');
});

test('streams are no requests in flight, and a commit is read once for all of them', async () => {
  const { storage } = await begin({ MAX_REQUESTS_IN_FLIGHT: '4' });
  const streams: Stream[] = [];
  while (streams.length < 10) streams.push(await subscribe());
  expect(await metric(port, 'moraine_http_requests_in_flight')).toBe(0);
  await importRows(storage, 'mainnet.p-chain.utxos', [utxoRow('for all')]);
  await Promise.all(streams.map((each) => each.have(1)));
  expect(await metric(port, 'moraine_feed_entries_total')).toBe(1);
  expect(await metric(port, 'moraine_stream_events_total')).toBe(10);
});

test('more events than the plan allows wait, and none is lost', async () => {
  const { storage, clock } = await begin(plans({ seconds: 1, events: 3 }));
  const ticking = setInterval(() => (clock.now += 100), 100);
  const stream = await subscribe();
  await importRows(
    storage,
    'mainnet.p-chain.utxos',
    Array.from({ length: 8 }, (_, index) => utxoRow(`output ${index}`)),
  );
  await stream.have(8);
  clearInterval(ticking);
  expect(new Set(stream.events.map(({ cursor }) => cursor)).size).toBe(8);
});

test('who does not read gets the reason, and its connection is closed', async () => {
  const { storage } = await begin({ READ_TIMEOUT_MS: '4000' });
  const output = 'utxoId txHash utxoType amount assetId addresses createdOnChainId consumedOnChainId';
  const lists = ['a', 'b', 'c', 'd'].map(
    (name) => `${name}: emittedUtxos(first: 100) { nodes { ${output} } }`,
  );
  const query = `subscription { transactions(network: mainnet, blockchainId: "p-chain") { node { ${lists.join(' ')} } } }`;
  const body = JSON.stringify({ query });
  const socket = await send(
    port,
    `POST /graphql HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  expect(await until(async () => (await metric(port, 'moraine_streams')) === 1)).toBe(true);
  const transactions = Array.from({ length: 60 }, (_, index) => {
    const txHash = idOf(`large ${index}`);
    const emittedUtxos = Array.from({ length: 100 }, (_each, outputIndex) =>
      utxoRow(`${outputIndex} of ${index}`, { txHash, outputIndex }),
    );
    return transactionRow(`large ${index}`, { emittedUtxos });
  });
  await importRows(storage, 'mainnet.p-chain.transactions', transactions);
  expect(await until(async () => (await metric(port, 'moraine_streams')) === 0, 300)).toBe(true);
  expect(await readToEnd(socket)).toContain('You read nothing of this stream for 4000 ms');
});

test('streams of a gateway that stops end with a reason, at once', async () => {
  const { app } = await begin({ SHUTDOWN_DELAY_MS: '0' });
  const stream = await subscribe();
  await app.close();
  expect(await stream.ended()).toBe('complete');
  expect(stream.errors[0]?.extensions.code).toBe('SERVICE_UNAVAILABLE');
});

test('an idle stream is not the connection that is closed first', async () => {
  // A caller has three of them.
  await begin({ MAX_CONNECTIONS: '12' });
  const stream = await subscribe();
  const idle = await send(port, 'GET ');
  const closed = new Promise((resolve) => idle.once('close', resolve));
  // Longer than the gateway looks at each of its connections.
  await sleep(1500);
  const others = [await send(port, 'GET '), await send(port, 'GET ')];
  await closed;
  expect([stream.end, ...others.map((each) => each.destroyed)]).toEqual([undefined, false, false]);
  for (const each of others) each.destroy();
});
