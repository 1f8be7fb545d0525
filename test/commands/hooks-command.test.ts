import { afterAll, beforeAll, expect, test } from 'vitest';
import { poolOf } from '../harness/connections.js';
import { runMoraine } from '../harness/moraine.js';
import { openWebhooks, type WebhookGateway } from '../harness/webhooks.js';

let gateway: WebhookGateway;
beforeAll(async () => {
  gateway = await openWebhooks({ WORKER: 'off' });
});
afterAll(() => gateway.close());

/** Runs `moraine hooks …` in a process of its own, on the database of the running gateway. */
const hooks = (...args: string[]) =>
  runMoraine(['hooks', ...args], { DATABASE_URL: gateway.services.config.DATABASE_URL });

test('moraine hooks lists webhooks and set-aside events, pauses, resumes and replays', async () => {
  const id = await gateway.watch('https://wallet.example/events', ['anna']);
  await poolOf(gateway.storage).query(
    `INSERT INTO webhook_event (webhook_id, body, set_aside_at, reason)
     SELECT id, '{}', now(), 'the receiver answered 503' FROM webhook`,
  );
  expect((await hooks('list')).out).toMatch(
    new RegExp(
      `^${id} +${gateway.keyId} test +primary_network_address_activity +mainnet p +active +0 +1 +0 +https://wallet`,
      'm',
    ),
  );
  expect((await hooks('events', id)).out).toContain('the receiver answered 503');
  expect((await hooks('pause', id)).out).toBe(`Webhook ${id} is paused; its events wait\n`);
  expect((await hooks('list')).out).toContain(' paused ');
  expect((await hooks('replay', id)).out).toBe('1 event is sent again\n');
  const { rows: waiting } = await poolOf(gateway.storage).query('SELECT queued, job_id FROM webhook');
  expect(waiting).toEqual([{ queued: 1, job_id: null }]);
  expect((await hooks('resume', id)).out).toBe(`Webhook ${id} is resumed\n`);
  const { rows: sending } = await poolOf(gateway.storage).query('SELECT queued, job_id FROM webhook');
  expect(sending).toEqual([{ queued: 1, job_id: expect.any(String) }]);
  const unknown = await hooks('pause', '00000000-0000-4000-8000-000000000000');
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('moraine hooks list')]);
});
