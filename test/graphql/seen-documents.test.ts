import { afterAll, beforeAll, expect, test } from 'vitest';
import { recipes } from '../harness/recipes.js';
import { createApp, type TestApp } from '../harness/app.js';
import { askGraphQL, doors, json, result, type Ask } from '../harness/graphql-doors.js';
import { countStatements } from '../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

const ask = (request: Ask) => askGraphQL(gateway, request);

test.each(Object.entries(doors).filter(([name]) => name !== 'a form'))(
  '%s whose document was seen before is one statement, and replies as before',
  async (name, door) => {
    const request = door(
      `query ($n: Int) { utxos(network: fuji, blockchainId: "p-chain", first: $n) { nodes { utxoId } } } # ${name}`,
      '{"n":7}',
    );
    const first = await ask(request);
    const { result: again, names } = await countStatements(() => ask(request));
    expect(names).toEqual([expect.stringMatching(/^operation:/)]);
    expect(again.reply.body).toBe(first.reply.body);
    const headersOf = ({ headers }: typeof first.reply) =>
      Object.fromEntries(
        Object.entries(headers).filter(([header]) => !/^(date|x-request-id|ratelimit)/.test(header)),
      );
    expect(headersOf(again.reply)).toEqual(headersOf(first.reply));
    expect(again.reply.statusCode).toBe(200);
  },
);

test('an empty name of an operation is none, whether its document was seen before or not', async () => {
  const data = { utxos: { nodes: [] } };
  const sent = (body: object) => ask({ type: json, body: JSON.stringify(body) });
  for (const note of ['first', 'second']) {
    const query = `{ utxos(network: fuji, blockchainId: "p-chain") { nodes { utxoId } } } # ${note}`;
    const bodies = [{ query, operationName: '' }, { query }, { query, operationName: '' }];
    for (const body of note === 'first' ? bodies : bodies.reverse())
      expect((await sent(body)).body).toMatchObject({ data });
    const { body } = await sent({ query, operationName: 'other' });
    expect(body?.errors?.[0]?.message).toMatch(
      /^(Unknown operation named "other"|Could not determine what operation)/,
    );
  }
});

test('a document that was seen before and fails has the status of its type of result', async () => {
  const document =
    'query ($n: Int) { utxos(network: fuji, blockchainId: "p-chain", first: $n) { nodes { id } } }';
  for (const [accept, status] of [
    [json, 200],
    [result, 400],
  ] as const) {
    const request = (variables: string) => ({
      type: json,
      accept,
      body: `{"query":${JSON.stringify(document)},"variables":${variables}}`,
    });
    await ask(request('{"n":1}'));
    expect((await ask(request('{"n":1}'))).reply.statusCode).toBe(200);
    expect((await ask(request('{"n":"x"}'))).reply.statusCode).toBe(status);
  }
});

test('what GraphiQL opens with is one statement the first time, however many documents came before', async () => {
  for (let number = 0; number < 300; number += 1) await gateway.graphql(`{ d${number}: __typename }`);
  const known = recipes.find(({ document }) => document.includes('BlockAndNeighbours'));
  const ask = (text = '') => countStatements(() => gateway.graphql(text, known?.variables));
  const { names } = await ask(known?.document);
  expect(names).toEqual([expect.stringMatching(/^operation:/)]);
  // A client's own text is known from its second time on.
  expect((await ask(`${known?.document} `)).names).not.toContainEqual(expect.stringMatching(/^operation:/));
});
