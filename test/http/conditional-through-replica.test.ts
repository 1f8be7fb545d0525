import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { importRows } from '../harness/import-rows.js';
import { addressOf, utxoRow } from '../harness/ledger-rows.js';
import { readsFromReplica } from '../harness/replica-reads.js';
import { openReplication, type Replication } from '../harness/standby.js';

let replication: Replication;
let primary: TestApp;
/** It reads from the standby, however far that is behind. */
let reader: TestApp;

beforeAll(async () => {
  replication = await openReplication();
  primary = await createApp({}, { reach: () => replication.primaryUrl });
  const settings = { READ_DATABASE_URLS: replication.standbyUrl, READ_MAX_LAG_MS: '3600000' };
  reader = await createApp(settings, { reach: () => replication.primaryUrl });
  await readsFromReplica(reader, true);
}, 60_000);
afterAll(async () => {
  await reader?.close();
  await primary?.close();
  await replication?.close();
});

const path = `/v1/networks/mainnet/blockchains/p-chain/utxos?pageSize=100&addresses=${addressOf('anna')}`;
const add = (name: string) =>
  importRows(primary.storage, 'mainnet.p-chain.utxos', [utxoRow(name, { addresses: [addressOf('anna')] })]);
const ask = async (app: TestApp, tag?: string) => {
  const { status, headers, body } = await app.get(path, tag ? { 'if-none-match': tag } : {});
  return { status, tag: headers['etag'] ?? '', outputs: (body?.utxos as unknown[] | undefined)?.length };
};

test('a replica says 304 of what it has, and never of what it has not', async () => {
  await add('first');
  await replication.caughtUp();
  const first = await ask(primary);
  expect(await ask(reader, first.tag)).toMatchObject({ status: 304, tag: first.tag });
  for (let round = 2; round <= 5; round += 1) {
    const before = await ask(reader);
    expect((await ask(reader, before.tag)).status).toBe(304);
    await replication.pause();
    await add(`round ${round}`);
    const newer = await ask(primary, before.tag);
    expect(newer).toMatchObject({ status: 200, outputs: round });
    // It is as old as the replica, and so is a 200.
    expect((await ask(reader, before.tag)).status).toBe(304);
    expect(await ask(reader, newer.tag)).toMatchObject({ status: 200, outputs: round - 1, tag: before.tag });
    await replication.resume();
    await replication.caughtUp();
    expect(await ask(reader, before.tag)).toMatchObject({ status: 200, outputs: round, tag: newer.tag });
    expect((await ask(reader, newer.tag)).status).toBe(304);
  }
}, 60_000);
