import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { operations } from '../harness/openapi.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

type Parameter = NonNullable<(typeof operations)[number]['operation']['parameters']>[number];

/** Every one of these is wrong for every parameter that has a form. */
const wrong = { first: 'x', second: 'y' };

/** What a request with some wrong parameters is answered; the others are as in the examples. */
async function refusal(path: string, all: readonly Parameter[], given: Readonly<Record<string, string>>) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const example = all.find((each) => each.name === name)?.example;
    return encodeURIComponent(given[name] ?? String(example));
  });
  // Those that have to be given are right.
  const needed = all
    .filter((each) => each.in === 'query' && (each.required || each.name === 'nodeIds'))
    .map(({ name, example }) => [
      name,
      name === 'nodeIds' ? 'NodeID-111111111111111111116DBWJs' : String(example),
    ]);
  const query = new URLSearchParams(
    Object.entries({ ...Object.fromEntries(needed), ...given } as Record<string, string>).filter(([name]) =>
      all.some((each) => each.name === name && each.in === 'query'),
    ),
  );
  const reply = await gateway.app.inject({ url: `${filled}?${query.toString()}` });
  const { message } = reply.json<{ message?: string | string[] }>();
  return { status: reply.statusCode, messages: [message ?? []].flat() };
}

describe('of two wrong parameters both are named, each with its value', () => {
  const read = operations.filter(({ method, path }) => method === 'get' && path.startsWith('/v'));

  test.each(read.map(({ path, operation }) => [path, operation.parameters ?? []] as const))(
    '%s',
    async (path, parameters) => {
      const refused: Parameter[] = [];
      for (const each of parameters)
        if ((await refusal(path, parameters, { [each.name]: wrong.first })).status === 400)
          refused.push(each);
      // A form of any text has no wrong value.
      if (parameters.length > 1) expect(refused.length).toBeGreaterThan(0);
      for (const one of refused)
        for (const other of refused) {
          if (one === other) continue;
          const given = { [one.name]: wrong.first, [other.name]: wrong.second };
          const { status, messages } = await refusal(path, parameters, given);
          const shown = JSON.stringify({ given, messages });
          expect(status, shown).toBe(400);
          expect(
            messages.filter((text) => text.startsWith(`${one.name}: "x"`)),
            shown,
          ).toHaveLength(1);
          expect(
            messages.filter((text) => text.startsWith(`${other.name}: "y"`)),
            shown,
          ).toHaveLength(1);
          expect(messages, shown).toHaveLength(2);
          if (one.name !== 'network') continue;
          // Nobody named a network.
          expect(
            messages.find((text) => text.startsWith(other.name)),
            shown,
          ).not.toMatch(/of (mainnet|fuji)/);
        }
    },
  );
});

test.each([
  ['/v1/networks/x/blockchains/p-chain/utxos', ['network']],
  ['/v1/networks/x/blockchains/2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM/utxos', ['network']],
  ['/v1/networks/x/blockchains/p-chain/vertices', ['network', 'blockchainId']],
  [
    '/v1/networks/x/blockchains/p-chain/utxos?addresses=avax1yu8wlxfdkj8mnca60jwwzvfyqzd6xlnf635tld,fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm',
    ['network'],
  ],
  [
    '/v1/networks/x/blockchains/p-chain/utxos?addresses=avax1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm,other1a',
    ['network', 'addresses', 'addresses'],
  ],
  ['/v1/networks/x/blockchains/y/utxos?addresses=,', ['network', 'blockchainId', 'addresses']],
])('where the network is wrong, what is right on any network is not: %s', async (url, names) => {
  const reply = await gateway.app.inject({ url });
  const { message } = reply.json<{ message: string | string[] }>();
  const messages = [message].flat();
  expect(messages.map((text) => text.split(':')[0])).toEqual(names);
  for (const text of messages.slice(1)) expect(text).not.toMatch(/mainnet|of fuji/);
});

test('GraphQL: a status is not refused for a transaction hash that is wrong', async () => {
  const { errors } = await gateway.graphql(
    `{ icmMessages(from: "0x${'1'.repeat(40)}", txHash: "0x12", status: pending) { nodes { messageId } } }`,
  );
  expect(errors?.[0]?.message).toMatch(/^txHash: "0x12"/);
  expect(errors?.[0]?.message).not.toContain('status');
});
