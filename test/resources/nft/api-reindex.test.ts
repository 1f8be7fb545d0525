import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from '../../harness/app.js';
import { serveJsonRpc } from '../../harness/json-rpc.js';
import type { LoopbackServer } from '../../harness/loopback.js';
import {
  createReindexingApp,
  erc721,
  hour,
  none,
  readToken,
  refused,
  reindex,
  reindexMutation,
  reindexPath,
} from '../../harness/nft-api.js';

const fujiC = 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp';

let gateway: TestApp;
let rpc: LoopbackServer;

// Every job fails here; the worker still runs, as in a gateway with the usual settings.
beforeAll(async () => {
  rpc = await serveJsonRpc({ [none]: {} });
  gateway = await createReindexingApp(rpc.url);
});

afterAll(async () => {
  await gateway.close();
  await rpc.close();
});

describe('a request to reindex', () => {
  let next = 1_000;

  test.each([
    ['a literal colon', ':', {}, undefined],
    ['an escaped colon', '%3A', {}, undefined],
    ['an escaped colon in lower case', '%3a', {}, undefined],
    ['an empty body of a JSON type', ':', { 'content-type': 'application/json' }, undefined],
    [
      'an empty body of a JSON type and length 0',
      ':',
      { 'content-type': 'application/json', 'content-length': '0' },
      '',
    ],
    ['a body that is not expected', ':', { 'content-type': 'text/plain' }, 'hello'],
  ])('is accepted with %s', async (_how, colon, headers, body) => {
    const reply = await gateway.post(reindexPath(none, `${next++}`, '43113', colon), headers, body);
    expect([reply.status, reply.text]).toEqual([201, '']);
  });

  test('may name the chain by its blockchain id, and the address in any case', async () => {
    const tokenId = `${next++}`;
    expect(
      (await gateway.post(reindexPath(erc721.toUpperCase().replace('0X', '0x'), tokenId, fujiC))).status,
    ).toBe(201);
    expect((await gateway.post(reindexPath(erc721.toLowerCase(), tokenId))).status).toBe(429);
    expect(await readToken(gateway, erc721, tokenId)).toMatchObject({ chainId: '43113', tokenId });
  });

  test.each([
    [reindexPath('0x12', '1'), ['address: "0x12"']],
    [reindexPath(none, 'abc'), ['tokenId: "abc"']],
    [reindexPath(none, '-1'), ['tokenId: "-1"']],
    [reindexPath(none, '1.5'), ['tokenId: "1.5"']],
    [reindexPath(none, ''), ['tokenId: ""']],
    [reindexPath(none, '1%2F2'), ['tokenId: "1/2"']],
    [reindexPath(none, '1:2'), ['tokenId: "1:2"']],
    [reindexPath(none, '0x1'), ['tokenId: "0x1"']],
    [reindexPath(none, 2n ** 256n), [`tokenId: "${2n ** 256n}"`]],
    [reindexPath(none, '1'.repeat(100)), ['tokenId: "111']],
    [reindexPath('me', 'x', 'c-chain'), ['chainId: "c-chain"', 'address: "me"', 'tokenId: "x"']],
  ])('with malformed parameters is a 400 that names each: %s', async (path, problems) => {
    const { status, body } = await refused(gateway, path);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'Bad Request', statusCode: 400 });
    const messages = [body.message].flat();
    expect(messages).toHaveLength(problems.length);
    problems.forEach((problem, index) => expect(messages[index]).toContain(problem));
  });

  test('for an unknown chain is a 404, on both doors', async () => {
    const { status, body } = await refused(gateway, reindexPath(none, '1', '999999'));
    expect(status).toBe(404);
    expect(body).toEqual({
      message: 'The chain 999999 is not indexed here',
      error: 'Not Found',
      statusCode: 404,
    });
    expect((await reindex(gateway, '999999', none, '1')).errors?.[0]?.extensions['code']).toBe('NOT_FOUND');
    const huge = (2n ** 200n).toString();
    expect((await gateway.post(reindexPath(none, '1', huge))).status).toBe(404);
  });

  test('by another method is a 405', async () => {
    const { status, headers } = await gateway.get(reindexPath(none, '1'));
    expect([status, headers['allow']]).toEqual([405, 'POST']);
  });

  test('within the hour is a 429 that names the token and says when, whichever door either came by', async () => {
    const tokenId = `${next++}`;
    const accepted = await reindex(gateway, '43113', none, tokenId);
    expect(accepted.data).toEqual({
      reindexNft: {
        token: expect.objectContaining({ tokenId }) as object,
        nextReindexAt: Math.ceil((gateway.clock.now + hour) / 1000),
      },
    });
    gateway.clock.now += 600_000;
    const { status, headers, body } = await refused(gateway, reindexPath(none, tokenId));
    expect(status).toBe(429);
    expect([headers['retry-after'], headers['ratelimit-reset']]).toEqual(['3000', '3000']);
    expect(body).toMatchObject({ error: 'Too Many Requests', statusCode: 429 });
    expect(body.message).toMatch(new RegExp(`token ${tokenId} of 0xf6.* 3000 seconds`, 'i'));
    const reply = await gateway.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({
        query: reindexMutation,
        variables: { chainId: '43113', address: none, tokenId },
      }),
    });
    expect([reply.statusCode, reply.headers['retry-after'], reply.headers['ratelimit-reset']]).toEqual([
      429,
      '3000',
      '3000',
    ]);
    expect(reply.json()).toMatchObject({
      errors: [{ extensions: { code: 'RATE_LIMITED', retryAfterSeconds: 3000 } }],
    });
    gateway.clock.now += 3_000_000;
    expect((await readToken(gateway, none, tokenId))?.nextReindexAt).toBeNull();
    expect((await gateway.post(reindexPath(none, tokenId))).status).toBe(201);
  });

  test('leaves another one its answer if it is refused', async () => {
    const of = (chainId: string) =>
      `reindexNft(chainId: "${chainId}", address: "${none}", tokenId: "77") { token { tokenId } }`;
    const { data, errors } = await gateway.graphql(`mutation { one: ${of('43113')} other: ${of('999')} }`);
    expect(data).toEqual({ one: { token: { tokenId: '77' } }, other: null });
    expect(errors).toMatchObject([{ path: ['other'], extensions: { code: 'NOT_FOUND' } }]);
  });

  test('takes a token id in GraphQL digit by digit', async () => {
    const tokenId = '9007199254740993';
    const { data } = await gateway.graphql(
      `mutation { reindexNft(chainId: "43113", address: "${none}", tokenId: ${tokenId}) { token { tokenId } } }`,
    );
    expect(data).toEqual({ reindexNft: { token: { tokenId } } });
    const { errors } = await gateway.graphql(
      `mutation { reindexNft(chainId: "43113", address: "${none}", tokenId: "${2n ** 256n}") { nextReindexAt } }`,
    );
    expect(errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
  });
});
