import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { listPath } from '../harness/keys.js';

let gateway: TestApp;

beforeAll(async () => {
  gateway = await createApp({
    RATE_LIMITS: 'on',
    PLANS: JSON.stringify({ anonymous: { requests: 2, seconds: 60 } }),
    TRUSTED_PROXIES: '10.0.0.0/8, fd00::1',
  });
});
afterAll(() => gateway.close());

describe('callers without a key', () => {
  async function statusOf(remoteAddress: string, forwardedFor?: string): Promise<number> {
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
    return (await gateway.app.inject({ url: listPath, remoteAddress, headers })).statusCode;
  }

  test('are counted by address, and a refusal says only when to come back', async () => {
    const send = () => gateway.app.inject({ url: listPath, remoteAddress: '192.0.2.1' });
    const names = (headers: object) => Object.keys(headers).filter((name) => /^(ratelimit|retry)/.test(name));
    const replies = [await send(), await send(), await send()];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    expect(replies.map(({ headers }) => names(headers))).toEqual([
      [],
      [],
      ['retry-after', 'ratelimit-reset'],
    ]);
    expect(await statusOf('192.0.2.2')).toBe(200);
  });

  test('cannot take new addresses within their /64', async () => {
    const statuses = [];
    for (const last of [':1', ':2', 'ffff:ffff:ffff:ffff']) {
      statuses.push(await statusOf(`2001:db8:0:7:${last}`));
    }
    expect(statuses).toEqual([200, 200, 429]);
    expect(await statusOf('2001:db8:0:8::1')).toBe(200);
  });

  test('behind a trusted proxy are counted by the address that it saw, and what they write themselves is nothing', async () => {
    const viaProxy = async (client: string) => statusOf('10.1.2.3', client);
    expect(await viaProxy('198.51.100.1')).toBe(200);
    expect(await viaProxy('203.0.113.9, 198.51.100.1')).toBe(200);
    expect(await viaProxy('203.0.113.10, 198.51.100.1, 10.9.9.9')).toBe(429);
    expect(await viaProxy('198.51.100.2')).toBe(200);
    const spoofed = [];
    for (const claim of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      spoofed.push(await statusOf('198.51.100.77', claim));
    expect(spoofed).toEqual([200, 200, 429]);
  });
});
