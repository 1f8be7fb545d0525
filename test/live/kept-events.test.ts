import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { utxoRows } from '../../src/resources/utxo/import.js';
import { writeSets, type RowSet } from '../../src/write/transaction.js';
import { createApp, type TestApp } from '../harness/app.js';
import { poolOf } from '../harness/connections.js';
import { addressOf, outputId, utxoRow } from '../harness/ledger-rows.js';
import { listen } from '../harness/listen.js';
import { pgbouncerTooOld, startPgBouncer, through } from '../harness/pgbouncer.js';
import { importRows } from '../harness/seed.js';
import { openStream, type Stream } from '../harness/stream.js';

let gateway: TestApp;
let url: string;
const open: Stream[] = [];
beforeAll(async () => {
  gateway = await createApp();
  url = await listen(gateway.app);
});
afterAll(() => gateway.close());
beforeEach(() => {
  for (const each of open.splice(0)) each.close();
});

const OUTPUTS = 'mainnet.p-chain.utxos';
const SCOPE = { network: 'mainnet', chain: 'p' } as const;

async function subscribe(more = '', at = url): Promise<Stream> {
  const query = `subscription {
    utxos(network: mainnet, addresses: ["${addressOf('anna')}"]${more}) { cursor change node { utxoId } } }`;
  const stream = await openStream(at, query);
  open.push(stream);
  return stream;
}

const idsOf = ({ events }: Stream) => events.map(({ node }) => node['utxoId']);

/** Stores an output as a follower does with those of blocks before the first one that it has stored. */
async function storeOfThePast(name: string): Promise<void> {
  const rows = [utxoRows.read(utxoRow(name), SCOPE)];
  await gateway.storage.session((session) =>
    writeSets(session, [{ kind: utxoRows, scope: SCOPE, rows } as unknown as RowSet], undefined, {
      isBackfill: true,
    }),
  );
}

test('rows of blocks that are stored backward are events for those alone who ask for them', async () => {
  const usual = await subscribe();
  const withPast = await subscribe(', includeBackfill: true');
  await storeOfThePast('of the past');
  await importRows(gateway.storage, OUTPUTS, [utxoRow('of now')]);
  await withPast.have(2);
  await usual.have(1);
  expect(idsOf(withPast)).toEqual([outputId('of the past'), outputId('of now')]);
  expect(idsOf(usual)).toEqual([outputId('of now')]);
  // The same after a break.
  const [first] = withPast.events;
  await importRows(gateway.storage, OUTPUTS, [utxoRow('later')]);
  const resumed = await subscribe(`, after: "${first?.cursor}"`);
  await resumed.have(2);
  expect(idsOf(resumed)).toEqual([outputId('of now'), outputId('later')]);
});

test('the oldest events go when all take more than 256 MiB, and the newest stay', async () => {
  const before = await subscribe();
  await importRows(gateway.storage, OUTPUTS, [utxoRow('large 1')]);
  await importRows(gateway.storage, OUTPUTS, [utxoRow('large 2')]);
  await before.have(2);
  const [first, second] = before.events;
  const size = async () => {
    const { rows } = await poolOf(gateway.storage).query<{ count: number }>(
      'SELECT count(*)::int AS count FROM feed',
    );
    return rows[0]?.count;
  };
  // As if the second one had taken all of the room.
  await poolOf(gateway.storage).query(
    `UPDATE feed SET total = total + 256 * 2 ^ 20 WHERE id = (SELECT max(id) FROM feed)`,
  );
  await importRows(gateway.storage, OUTPUTS, [utxoRow('large 3')]);
  expect(await size()).toBe(2);
  const lost = await subscribe(`, after: "${first?.cursor}"`);
  expect(await lost.ended()).toBe('complete');
  expect(lost.errors[0]?.extensions.code).toBe('EVENTS_LOST');
  const resumed = await subscribe(`, after: "${second?.cursor}"`);
  await resumed.have(1);
  expect(idsOf(resumed)).toEqual([outputId('large 3')]);
});

describe.skipIf(pgbouncerTooOld)('behind a pooler alone', () => {
  test('a stream has its events, without a connection that listens', async () => {
    const pooler = await startPgBouncer(inject('testServer').url);
    const pooled = await createApp(
      { DATABASE_POOL: '4' },
      { reach: () => through(pooler.port, gateway.storage.url) },
    );
    try {
      const stream = await subscribe('', await listen(pooled.app));
      await importRows(gateway.storage, OUTPUTS, [utxoRow('through a pooler')]);
      await stream.have(1);
      expect(idsOf(stream)).toEqual([outputId('through a pooler')]);
      stream.close();
    } finally {
      await pooled.close();
      await pooler.stop();
    }
  });
});
