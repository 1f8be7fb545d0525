import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { serveJsonRpc } from '../../harness/json-rpc.js';
import type { LoopbackServer } from '../../harness/loopback.js';
import { none, readToken, refused, reindex, reindexMutation, reindexPath } from '../../harness/nft-api.js';

describe('the right to reindex', () => {
  let rpc: LoopbackServer;
  let gateway: TestApp;
  let strict: TestApp;
  beforeAll(async () => {
    rpc = await serveJsonRpc({});
    const env = { RPC_URLS: JSON.stringify({ 43113: rpc.url }) };
    gateway = await createApp(env);
    strict = await createApp({ ...env, REINDEX_REQUIRES_KEY: 'true' });
  });
  afterAll(async () => {
    await strict.close();
    await gateway.close();
    await rpc.close();
  });

  test('is denied to anonymous callers with REINDEX_REQUIRES_KEY, as a 401 on both doors', async () => {
    const { status, body } = await refused(strict, reindexPath(none, '1'));
    expect([status, body.error]).toEqual([401, 'Unauthorized']);
    expect((await reindex(strict, '43113', none, '1')).errors?.[0]?.extensions['code']).toBe(
      'UNAUTHENTICATED',
    );
    expect(await readToken(strict, none, '1')).toBeNull();
  });

  test.each([
    ['a key with the right', { rights: null }, true, undefined],
    ['a key without it', { rights: [] }, false, 'FORBIDDEN'],
    ['a key without it where one is needed', { rights: [] }, true, 'FORBIDDEN'],
    ['nobody', undefined, false, undefined],
    ['nobody where a key is needed', undefined, true, 'UNAUTHENTICATED'],
  ] as const)('of %s', async (who, key, keyRequired, code) => {
    const { app, services } = keyRequired ? strict : gateway;
    const created =
      key &&
      (await services.accessControl.keys.create({
        name: who,
        plan: 'free',
        rights: key.rights,
        expiresAt: null,
      }));
    const reply = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: created ? { 'x-service-api-key': created.key } : {},
      payload: {
        query: reindexMutation,
        variables: { chainId: '43113', address: none, tokenId: `${77_000 + who.length}` },
      },
    });
    const { errors } = reply.json<{ errors?: { extensions: { code: string } }[] }>();
    expect(errors?.[0]?.extensions.code).toBe(code);
  });
});
