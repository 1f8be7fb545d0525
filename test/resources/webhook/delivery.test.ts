import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { poolOf } from '../../harness/connections.js';
import { idOf, outputId, utxoRow } from '../../harness/ledger-rows.js';
import { runMoraine } from '../../harness/moraine.js';
import { until } from '../../harness/raw-client.js';
import { captureLog } from '../../harness/log.js';
import { importRows } from '../../harness/seed.js';
import { openReceiver, openWebhooks, type Receiver, type WebhookGateway } from '../../harness/webhooks.js';

/** What the name of the receiver means. */
let named = '127.0.0.1';
const captured = captureLog();
let gateway: WebhookGateway;
let receiver: Receiver;
beforeAll(async () => {
  const webhooks = { pauses: [0.2] as const, answerMs: 2000, resolve: () => Promise.resolve([named]) };
  gateway = await openWebhooks({ REQUEST_LOG: 'on', LOG_LEVEL: 'debug' }, { webhooks, log: captured.log });
});
afterAll(() => gateway.close());
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(async () => {
  await poolOf(gateway.storage).query('UPDATE webhook SET is_active = false, queued = 0');
  await poolOf(gateway.storage).query('DELETE FROM webhook_event');
  await receiver.close();
});

const store = (...names: string[]) =>
  importRows(
    gateway.storage,
    'mainnet.p-chain.utxos',
    names.map((name) => utxoRow(name)),
  );
const outputs = ({ received }: Receiver) => received.map(({ body }) => body.event['utxo'].utxoId as string);
const stateOf = async (id: string) => {
  const { body } = await gateway.get(`/v1/webhooks/${id}`, { 'x-service-api-key': gateway.key! });
  return body as { queuedEvents: number; setAsideEvents: number };
};
const eventually = async (holds: () => boolean | Promise<boolean>) => expect(await until(holds)).toBe(true);
/** Why the only event that waits was not taken. */
const reason = async () => {
  const { rows } = await poolOf(gateway.storage).query<{ reason: string | null }>(
    'SELECT reason FROM webhook_event',
  );
  return rows[0]?.reason ?? '';
};
const emptied = (id: string) => eventually(async () => (await stateOf(id)).queuedEvents === 0);

test('an event is signed as published, in canonical JSON, and with its time', async () => {
  const id = await gateway.watch(receiver.url, ['anna']);
  await store('signed');
  const [event] = await receiver.have(1);
  const { secret } = await gateway.client.webhooks.getSharedSecret(gateway.options);
  const mac = (text: string) =>
    createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('base64');
  const { headers, text, body } = event!;
  expect(headers['x-signature']).toBe(mac(text));
  expect(headers['x-moraine-signature']).toBe(mac(`${String(headers['x-moraine-timestamp'])}.${text}`));
  expect(Object.keys(body)).toEqual(['event', 'eventType', 'messageId', 'webhookId']);
  expect(body).toMatchObject({
    webhookId: id,
    eventType: 'primary_network_address_activity',
    event: { subEvent: 'balance_change', change: 'created', utxo: { utxoId: outputId('signed') } },
  });
  await emptied(id);
});

test('a receiver that fails gets every event again, in order', async () => {
  let failures = 4;
  receiver.answers = () => ({ status: failures-- > 0 ? 500 : 204 });
  const id = await gateway.watch(receiver.url, ['anna']);
  await store('first', 'second');
  await store('third');
  await receiver.have(7);
  await emptied(id);
  const sent = outputs(receiver);
  const [first] = sent;
  expect(sent.slice(0, 5)).toEqual(Array(5).fill(first));
  expect(new Set(sent)).toEqual(new Set(['first', 'second', 'third'].map(outputId)));
  expect(sent.at(-1)).toBe(outputId('third'));
  const messages = new Set(receiver.received.map(({ body }) => body.messageId));
  expect(messages.size).toBe(3);
});

test('a redirect is not followed, wherever it leads', async () => {
  const other = await openReceiver();
  receiver.answers = () => ({ status: 307, headers: { location: `${other.url}/` } });
  const id = await gateway.watch(receiver.url, ['anna']);
  await store('redirected');
  await receiver.have(2);
  expect(other.accepts()).toBe(0);
  receiver.answers = () => ({ status: 200 });
  await emptied(id);
  expect(other.accepts()).toBe(0);
  await other.close();
});

test('nothing is sent to a name that has moved to a private address, and nothing is lost', async () => {
  const id = await gateway.watch(`http://receiver.example:${receiver.port}/`, ['anna']);
  await store('before');
  await receiver.have(1);
  named = '10.0.0.1';
  await store('moved');
  await eventually(async () => (await reason()).includes('not a host of the public internet'));
  expect(receiver.accepts()).toBe(1);
  named = '127.0.0.1';
  await emptied(id);
  expect(outputs(receiver)).toEqual([outputId('before'), outputId('moved')]);
});

test('a receiver that answers slowly, but in time, gets each event once', async () => {
  receiver.answers = () => ({ status: 200, afterMs: 1000 });
  const id = await gateway.watch(receiver.url, ['anna']);
  await store('slow 1');
  await store('slow 2');
  await receiver.have(2);
  await emptied(id);
  expect(outputs(receiver)).toEqual(['slow 1', 'slow 2'].map(outputId));
});

test('a receiver that hangs does not keep the events of another waiting, and gets its own when it answers again', async () => {
  receiver.answers = () => null;
  const other = await openReceiver();
  const id = await gateway.watch(receiver.url, ['anna']);
  const quick = await gateway.watch(other.url, ['anna']);
  await store('for both');
  await store('for both, later');
  await other.have(2);
  await emptied(quick);
  expect(outputs(other)).toEqual(['for both', 'for both, later'].map(outputId));
  // It is asked again when its time is over.
  await receiver.have(2);
  receiver.answers = () => ({ status: 200 });
  await emptied(id);
  const [first, ...others] = new Set(outputs(receiver));
  expect([first, others]).toEqual([outputId('for both'), [outputId('for both, later')]]);
  await other.close();
});

test('an event that is not taken for a day is set aside, the next one is sent, and it can be sent again', async () => {
  const refused = outputId('refused');
  let isUp = false;
  receiver.answers = () => ({
    status: isUp || receiver.received.at(-1)?.body.event['utxo'].utxoId !== refused ? 200 : 503,
  });
  const id = await gateway.watch(receiver.url, ['anna']);
  await store('refused');
  await receiver.have(1);
  await poolOf(gateway.storage).query(`UPDATE webhook_event SET made_at = now() - interval '25 hours'`);
  await store('next');
  await eventually(() => outputs(receiver).includes(outputId('next')));
  await eventually(async () => (await stateOf(id)).setAsideEvents === 1);
  isUp = true;
  const count = receiver.received.length;
  const hooks = async (...args: string[]) =>
    (await runMoraine(['hooks', ...args, id], { DATABASE_URL: gateway.services.config.DATABASE_URL })).out;
  expect(await hooks('events')).toContain('the receiver answered 503');
  expect(await hooks('replay')).toBe('1 event is sent again\n');
  await receiver.have(count + 1);
  expect(outputs(receiver).at(-1)).toBe(refused);
  await eventually(async () => (await stateOf(id)).setAsideEvents === 0);
});

test('a webhook gets what is committed after it was made, and nothing while it is inactive', async () => {
  await store('too early');
  const id = await gateway.watch(receiver.url, ['anna']);
  await store('in time');
  await receiver.have(1);
  await emptied(id);
  await gateway.client.webhooks.deactivate({ id }, gateway.options);
  await store('inactive');
  await gateway.client.webhooks.update({ id, updateWebhookRequest: { status: 'active' } }, gateway.options);
  await importRows(gateway.storage, 'mainnet.p-chain.utxos', [
    utxoRow('in time', { consumingTxHash: idOf('spender') }),
  ]);
  await receiver.have(2);
  await sleep(300);
  expect(receiver.received.map(({ body: { event } }) => [event['change'], event['utxo'].utxoId])).toEqual([
    ['created', outputId('in time')],
    ['spent', outputId('in time')],
  ]);
});

test('a webhook whose queue is full falls behind, and goes on where it stopped', async () => {
  receiver.answers = () => ({ status: 503 });
  const id = await gateway.watch(receiver.url, ['anna']);
  await store('waits');
  await receiver.have(1);
  await poolOf(gateway.storage).query('UPDATE webhook SET queued = queued + 10000 WHERE is_active');
  await store('fills');
  await eventually(async () => (await stateOf(id)).queuedEvents === 10_002);
  await store('behind');
  await sleep(500);
  expect((await stateOf(id)).queuedEvents).toBe(10_002);
  await poolOf(gateway.storage).query('UPDATE webhook SET queued = queued - 10000 WHERE is_active');
  receiver.answers = () => ({ status: 200 });
  await eventually(() => outputs(receiver).includes(outputId('behind')));
  await emptied(id);
  const taken = [...new Set(outputs(receiver))];
  expect(taken).toEqual(['waits', 'fills', 'behind'].map(outputId));
});

test('the secret of a key is in no log, whatever happens to its events and requests', async () => {
  const { client, options } = gateway;
  const { secret: former } = await client.webhooks.getSharedSecret(options);
  const { secret } = await client.webhooks.generateOrRotateSharedSecret(options);
  let failures = 1;
  receiver.answers = () => ({ status: failures-- > 0 ? 500 : 200 });
  const id = await gateway.watch(receiver.url, ['anna']);
  await store('not logged');
  await receiver.have(2);
  await emptied(id);
  const pool = poolOf(gateway.storage);
  const { rows } = await pool.query<{ sealed: string }>(
    `SELECT encode(sealed, 'hex') AS sealed FROM webhook_secret`,
  );
  // As if it had been encrypted with another WEBHOOK_KEY.
  await pool.query('UPDATE webhook_secret SET sealed = set_byte(sealed, 20, 255 - get_byte(sealed, 20))');
  await expect(client.webhooks.getSharedSecret(options)).rejects.toThrow();
  await store('not sent');
  await eventually(async () => (await reason()).includes('WEBHOOK_KEY is not the one'));
  const text = captured.text();
  for (const sign of ['was not taken', 'getSharedSecret', 'WEBHOOK_KEY is not the one'])
    expect(text).toContain(sign);
  for (const secretText of [secret, former, rows[0]!.sealed])
    for (const form of [secretText, Buffer.from(secretText, 'hex').toString('base64').slice(0, 40)])
      expect(text).not.toContain(form);
});
