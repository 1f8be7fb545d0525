import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { connectTo } from '../harness/connections.js';

import { idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { listen } from '../harness/listen.js';
import { until } from '../harness/raw-client.js';
import { importRows } from '../harness/seed.js';
import { openStream, type Stream } from '../harness/stream.js';

/** More than a gateway makes events of at a time. */
const STREAMS = 40;
/** Longer than a request waits for its share of connections, milliseconds. */
const LOCKED_MS = 3500;
const OUTPUTS = 'mainnet.p-chain.utxos';
const OTHER = '/v1/networks/fuji/blockchains/x-chain/vertices';

let gateway: TestApp;
let url: string;
let locker: pg.Client;
let watcher: pg.Client;

beforeAll(async () => {
  // Streams have one of four.
  gateway = await createApp({ DATABASE_POOL: '4', MAX_CONNECTIONS: '1024' });
  url = await listen(gateway.app);
  locker = await connectTo(gateway.storage.url);
  watcher = await connectTo(gateway.storage.url);
});
afterAll(async () => {
  await Promise.all([locker.end(), watcher.end()]);
  await gateway.close();
});

/** Streams of one caller, each of which selects something else. */
const subscribeAll = (more = ''): Promise<Stream[]> =>
  Promise.all(
    Array.from({ length: STREAMS }, (_, index) =>
      openStream(
        url,
        `subscription { utxos(network: mainnet, blockchainId: "p-chain"${more}) {
          cursor node { utxoId of${index}: creatingTransaction { txHash } } } }`,
      ),
    ),
  );

/** Statements of the gateway that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await watcher.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = 'moraine'`,
  );
  return rows[0]?.count ?? 0;
}

test('streams wait for the one connection that they have together, and others are answered', async () => {
  await importRows(gateway.storage, 'mainnet.p-chain.transactions', [transactionRow('made it')]);
  const ofAll = utxoRow('of all', { txHash: idOf('made it') });
  const woken = await subscribeAll();
  await importRows(gateway.storage, OUTPUTS, [utxoRow('before', { txHash: idOf('made it') })]);
  await Promise.all(woken.map((each) => each.have(1)));
  const [first] = woken;
  const read = vi.spyOn(gateway.storage, 'read');

  // What all of them read for an event, and then what a stream reads that goes on after a cursor.
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE transaction IN ACCESS EXCLUSIVE MODE');
  await importRows(gateway.storage, OUTPUTS, [ofAll]);
  expect(await until(async () => (await waiting()) > 0)).toBe(true);
  await locker.query('LOCK TABLE feed IN ACCESS EXCLUSIVE MODE');
  const resuming = subscribeAll(`, after: "${first?.events[0]?.cursor}"`);
  await sleep(LOCKED_MS);
  // That of all streams, and the one that reads what is new for the process.
  expect(await waiting()).toBeLessThanOrEqual(2);
  const other = await gateway.app.inject({ url: OTHER, remoteAddress: '10.0.0.2' });
  expect(other.statusCode).toBe(200);
  await locker.query('ROLLBACK');

  const resumed = await resuming;
  for (const [index, stream] of [...woken, ...resumed].entries()) {
    const isNew = index < STREAMS;
    await stream.have(isNew ? 2 : 1);
    expect(stream.errors).toEqual([]);
    const of = `of${index % STREAMS}`;
    expect(stream.events.at(-1)?.node).toEqual({
      utxoId: ofAll.utxoId,
      [of]: { txHash: idOf('made it') },
    });
    stream.close();
  }
  // Each entry once for the process, and once for those that are behind.
  const nodes = read.mock.calls.filter(([{ name }]) => name === 'utxos_by_key');
  expect(nodes.length).toBeLessThan(STREAMS);
});
