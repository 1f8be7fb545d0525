import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import * as attacks from '../harness/attack-documents.js';
import { makeKey } from '../harness/keys.js';

const plans = {
  few: { requests: 40, seconds: 3600, perDay: null },
  five: { requests: 5, seconds: 3600, perDay: null },
};

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ RATE_LIMITS: 'on', RATE_LIMIT_TOLERANCE: '3', PLANS: JSON.stringify(plans) });
});
afterAll(() => gateway.close());

async function newKey(plan = 'few'): Promise<Record<string, string>> {
  return { 'x-service-api-key': (await makeKey(gateway, plan)).key };
}

interface Reply {
  data?: unknown;
  errors?: { message: string; extensions: { code: string } }[];
  extensions?: { cost: { asked: number | null; charged: number; remaining: number } };
}

async function ask(query: string, key: Record<string, string>, variables?: object) {
  const headers = { ...key, 'content-type': 'application/json' };
  const { body, status } = await gateway.post('/graphql', headers, JSON.stringify({ query, variables }));
  const { errors, extensions, data } = body as Reply;
  return {
    status,
    data,
    code: errors?.[0]?.extensions.code,
    message: errors?.[0]?.message,
    cost: extensions?.cost,
  };
}

/** A valid document of so many tokens of one field of a list. */
const long = (tokens: number, note: string) =>
  `{ chains(first: 1) { nodes { chainId ${Array.from({ length: tokens - 14 }, () => '__typename').join(' ')} } } } #${note}`;

describe('a document that is not remembered', () => {
  test.each([
    [100, 1],
    [250, 1],
    [251, 2],
    [1000, 4],
  ])('of %i tokens is charged %i, and once it is remembered as ever', async (tokens, charged) => {
    const key = await newKey();
    const text = long(tokens, `priced ${tokens}`);
    // Repeated so often that checking it takes too long.
    const first = await ask(text, key);
    expect(first.cost?.charged).toBe(charged);
    if (first.data) expect((await ask(text, key)).cost?.charged).toBe(1);
  });

  test('is charged by its characters where it has few tokens', async () => {
    const key = await newKey();
    const { cost } = await ask(`{ __typename } #${'x'.repeat(20_000)}`, key);
    expect(cost).toMatchObject({ charged: 5 });
  });

  test('costs as many requests as the plan allows at most', async () => {
    const key = await newKey('five');
    expect((await ask(long(1900, 'plan of five'), key)).cost).toMatchObject({ charged: 5, remaining: 0 });
  });

  test('that asks for nothing but rateLimit is charged, by its length', async () => {
    const key = await newKey();
    expect((await ask('{ rateLimit { plan } } # one', key)).cost).toMatchObject({
      charged: 1,
      remaining: 39,
    });
    const { cost } = await ask(attacks.sameFieldOverAndOver('charged'), key);
    expect(cost).toMatchObject({ charged: 7, remaining: 32 });
  });

  test('is refused unread where the plan does not admit its price', async () => {
    const key = await newKey('five');
    await ask('{ chains { nodes { chainId } } } # unread', key);
    // Its syntax is wrong at the end, which was not reached.
    const { status, code, cost } = await ask(`${long(1200, 'unread')} }`, key);
    expect([status, code]).toEqual([429, 'RATE_LIMITED']);
    expect(cost).toEqual({ asked: null, charged: 0, remaining: 4 });
  });
});

test('a blocked caller is refused before its document or its body is read', async () => {
  const key = await newKey('five');
  const body = JSON.stringify({ query: '{ rateLimit { plan } }' });
  const send = async (payload: string) => {
    const headers = { ...key, 'content-type': 'application/json' };
    return gateway.post('/graphql', headers, payload);
  };
  for (let sent = 0; sent < 10; sent += 1) await send(body);
  for (const payload of [
    body,
    '{',
    attacks.brackets(),
    JSON.stringify({ query: attacks.sameFieldOverAndOver('blocked') }),
  ]) {
    const { status, text } = await send(payload);
    expect(status).toBe(429);
    expect(text).toContain('so this client is blocked for a while');
  }
});

describe('what would take long to check is refused, with the code for what is too much:', () => {
  test.each([
    ['the same field over and over', attacks.sameFieldOverAndOver('refused')],
    [
      'the same together with a field that is paid',
      attacks.sameFieldOverAndOver('paid', 'chains(first:1){nodes{chainId}}'),
    ],
    ['fragments that meet each other', attacks.fragmentsThatMeet('refused')],
    ['fragments without a name that do', attacks.inlineFragmentsThatMeet('refused')],
    ['lists over and over', attacks.nestedOverAndOver('refused')],
  ])('%s', async (_kind, text) => {
    const { code, message } = await ask(text, await newKey());
    expect(code).toBe('QUERY_TOO_COMPLEX');
    expect(message).toContain('selects the same fields too many times');
  });

  test.each([
    [
      'more lines than tokens',
      attacks.errorsAfterLines('lines', 2001),
      /has 2002 lines; at most 2000 are allowed/,
    ],
    [
      'a text of more than 32 characters for each token',
      `{ __typename } #${'x'.repeat(64_000)}`,
      /has 640\d\d characters; at most 64000/,
    ],
  ])('%s', async (_kind, text, expected) => {
    const { code, message } = await ask(text, await newKey());
    expect([code, message]).toEqual(['QUERY_TOO_COMPLEX', expect.stringMatching(expected)]);
  });
});

test('what people write is not too much: fields that several fragments select, and lines between them', async () => {
  const fragments = Array.from(
    { length: 20 },
    (_, index) => `fragment F${index} on Query {
    # What part ${index} of a page needs.
    chains(first: 1) { nodes { chainId chainName status } pageInfo { hasNextPage endCursor } }

  }`,
  );
  const text = `{ ${fragments.map((_, index) => `...F${index}`).join(' ')} } ${fragments.join('\n')}`;
  expect((await ask(text, await newKey())).data).toHaveProperty('chains');
});

test('of a document of many errors the first ten are returned, and of wrong variables as many as fit', async () => {
  const key = await newKey();
  const headers = { ...key, 'content-type': 'application/json' };
  const query = `{ ${Array.from({ length: 100 }, (_, index) => `nope${index}`).join(' ')} }`;
  const { body } = await gateway.post('/graphql', headers, JSON.stringify({ query }));
  // The eleventh says that there are more.
  expect((body as Reply).errors).toHaveLength(11);
});
