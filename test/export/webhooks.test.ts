import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApp } from '../harness/app.js';
import { poolOf } from '../harness/connections.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { exportDatabase, runExport } from '../harness/export.js';
import { idOf, outputId, utxoRow } from '../harness/ledger-rows.js';
import { runMoraine } from '../harness/moraine.js';
import { importRows } from '../harness/seed.js';
import { openReceiver, openSender, openWebhooks } from '../harness/webhooks.js';
import type { Receiver, WebhookGateway } from '../harness/webhooks.js';

const files = exportDatabase();
let before: WebhookGateway;
let target: TestDatabase;
let after: TestApp | undefined;
let receiver: Receiver;
beforeAll(async () => {
  before = await openWebhooks({ WORKER: 'off' });
  target = await createDatabase();
  receiver = await openReceiver();
});
afterAll(async () => {
  files.drop();
  await after?.close();
  await before.close();
  await target.drop();
  await receiver.close();
});

const moraine = async (args: string[], url: string) => {
  const { code, out, err } = await runMoraine(args, { DATABASE_URL: url });
  expect({ code, err }).toMatchObject({ code: 0 });
  return out + err;
};
const threshold = {
  subEvents: { addressActivitySubEvents: ['balance_threshold'] },
  balanceThresholdFilter: { balanceType: 'unlockedUnstaked', balanceThreshold: '1000' },
};
/** The webhooks of the key, as REST lists them, and its secret. */
const ownOf = async (gateway: TestApp) => {
  const headers = { 'x-service-api-key': before.key! };
  const [list, secret] = await Promise.all(
    ['/v1/webhooks', '/v1/webhooks:getSharedSecret'].map((path) => gateway.get(path, headers)),
  );
  return { webhooks: list!.body.webhooks as { status: string }[], secret: secret!.body.secret as string };
};

test('webhooks, their secrets and where their balances stood move with --with-secrets, and only so', async () => {
  const { client, options, storage } = before;
  await importRows(storage, 'mainnet.p-chain.utxos', [utxoRow('held', { amount: '1500' })]);
  const changes = await before.watch(receiver.url, ['anna', 'ben']);
  const level = await before.watch(receiver.url, ['anna'], threshold);
  const idle = await before.watch('https://wallet.example/idle', ['anna']);
  await client.webhooks.deactivate({ id: idle }, options);
  const old = await ownOf(before);
  const { rows } = await poolOf(storage).query<{ sealed: string }>(
    `SELECT encode(sealed, 'hex') AS sealed FROM webhook_secret`,
  );

  const { url } = storage;
  await runExport(storage, files.path('plain'));
  for (const file of files.list('plain')) {
    const text = readFileSync(file, 'utf8');
    for (const secret of [changes, 'wallet.example', old.secret, rows[0]!.sealed])
      expect([file, text.includes(secret)]).toEqual([file, false]);
  }
  const said = await moraine(['export', '--with-secrets', '--no-gzip', files.path('secrets')], url);
  expect(said).not.toContain(rows[0]!.sealed);
  const written = files
    .list('secrets')
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
  expect([written.includes(rows[0]!.sealed), written.includes(old.secret)]).toEqual([true, false]);

  for (let times = 0; times < 2; times += 1)
    await moraine(['import', '--with-secrets', ...files.list('secrets')], target.url);
  after = await openSender({}, { reach: () => target.url });
  const moved = await ownOf(after);
  expect(moved).toEqual(old);
  expect(moved.webhooks.map(({ status }) => status)).toEqual(['active', 'active', 'inactive']);

  // Still above the threshold, which is no event; then below it.
  await importRows(after.storage, 'mainnet.p-chain.utxos', [utxoRow('more', { amount: '1' })]);
  await receiver.have(1);
  await importRows(after.storage, 'mainnet.p-chain.utxos', [
    utxoRow('held', { amount: '1500', consumingTxHash: idOf('spender') }),
  ]);
  await receiver.have(3);
  const got = receiver.received.map(({ body: { webhookId, event } }) => [
    webhookId,
    event['utxo']?.utxoId ?? event['side'],
  ]);
  expect(got).toHaveLength(3);
  expect(got.filter(([id]) => id === changes)).toEqual([
    [changes, outputId('more')],
    [changes, outputId('held')],
  ]);
  expect(got.filter(([id]) => id === level)).toEqual([[level, 'below']]);
});
