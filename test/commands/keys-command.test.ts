import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { listPath } from '../harness/keys.js';
import { runMoraine } from '../harness/moraine.js';

let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp({ RATE_LIMITS: 'on' });
});
afterAll(() => gateway.close());

/** Runs `moraine keys …` in a process of its own, on the database of the running gateway. */
const keys = (...args: string[]) =>
  runMoraine(['keys', ...args], { DATABASE_URL: gateway.services.config.DATABASE_URL });

async function replyTo(key: string) {
  return gateway.app.inject({ url: listPath, headers: { 'x-service-api-key': key } });
}

describe('moraine keys', () => {
  test('makes a key that a running gateway takes, lists it, and revokes it', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const made = await keys(
      'create',
      '--plan',
      'pro',
      '--name',
      'Ada',
      '--rights',
      'none',
      '--expires',
      tomorrow,
    );
    expect(made.code).toBe(0);
    expect(made.out).toMatch(/^mrn_[0-9A-Za-z]{36}\n$/);
    const key = made.out.trim();
    const [, id = ''] = /^Key (\d+) on the plan pro, valid until /.exec(made.err) ?? [];
    const { statusCode, headers } = await replyTo(key);
    expect([statusCode, headers['ratelimit-policy']]).toEqual([200, '20000;w=60;name="pro"']);

    const listed = await keys('list');
    expect(listed.out).toMatch(
      new RegExp(`^${id}  +pro  +none  +valid until ${tomorrow}T00:00:00.000Z  +never .* Ada$`, 'm'),
    );
    expect(listed.out).not.toContain(key.slice(4));

    expect(await keys('revoke', id)).toEqual({ code: 0, out: `Key ${id} is revoked\n`, err: '' });
    gateway.clock.now += 5000;
    expect((await replyTo(key)).statusCode).toBe(401);
    const again = await keys('revoke', id);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining(`key ${id} was revoked before`)]);
  });

  test.each([
    [['create', '--plan', 'gold', '--name', 'a'], 'the plans are free, base, growth, pro'],
    [['create', '--plan', 'anonymous', '--name', 'a'], 'the plans are free, base, growth, pro'],
    [['create', '--plan', 'free'], '--name <name> is required'],
    [
      ['create', '--plan', 'free', '--name', 'a', '--rights', 'write'],
      'It must be none, or rights separated by commas: reindex',
    ],
    [['create', '--plan', 'free', '--name', 'a', '--expires', '2020-01-01'], 'It must be in the future'],
    [['create', '--plan', 'free', '--name', 'a', '--expires', 'soon'], 'It must be a day such as'],
    [['revoke', '4711'], 'there is no key 4711'],
  ])('%j is refused with what is allowed', async (args, reason) => {
    const { code, out, err } = await keys(...args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(reason);
  });
});
