import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LiteralShapes } from '../../src/execution/literal-shapes.js';
import { literalsOf } from '../../src/execution/literals.js';
import { Documents } from '../../src/graphql/documents.js';
import { publicSchema } from '../../src/graphql/internal.js';
import { buildSchema } from '../../src/schema.js';
import { createApp, type TestApp } from '../harness/app.js';
import { readSample } from '../harness/sample.js';
import { countStatements } from '../harness/statements.js';

const hashes = readSample()
  .transactionsOf('p')
  .map(({ txHash }) => txHash);
const [first = '', second = '', third = ''] = hashes;

describe('texts that differ in literals alone', () => {
  let gateway: TestApp;
  beforeAll(async () => {
    gateway = await createApp({}, { sample: true });
  });
  afterAll(() => gateway.close());

  /** Whether a text, sent once, was answered in one statement; and its answer. */
  async function once(query: string, variables?: object) {
    const { result, names } = await countStatements(() => gateway.graphql<any>(query, variables));
    return { ...result, isPlanned: names.some((name) => name.startsWith('operation:')) };
  }
  const byHash = (hash: string, more = '') =>
    `{ transaction(network: fuji, blockchainId: "p-chain", txHash: "${hash}") { txHash ${more} } }`;

  test('are one operation from the second one on, each with its own answer', async () => {
    expect(await once(byHash(first))).toMatchObject({
      isPlanned: false,
      data: { transaction: { txHash: first } },
    });
    for (const hash of [second, third, first])
      expect(await once(byHash(hash))).toMatchObject({
        isPlanned: true,
        data: { transaction: { txHash: hash } },
      });
  });

  test('keep the variables of the request, numbers, lists and arguments deep within', async () => {
    const text = (hash: string, least: number, addresses: string) => `query Named($chain: String!) {
      transaction(network: fuji, blockchainId: $chain, txHash: "${hash}") { txHash }
      utxos(network: fuji, blockchainId: "p-chain", addresses: [${addresses}], minUtxoAmount: "${least}", first: 2) { nodes { amount } } }`;
    const [{ addresses = [] } = {}] = readSample().utxosOf('p');
    const given = (hash: string, least: number) =>
      text(hash, least, addresses.map((address) => JSON.stringify(address)).join(','));
    await once(given(first, 1), { chain: 'p-chain' });
    const answers = await once(given(second, 2), { chain: 'p-chain' });
    expect(answers.errors).toBeUndefined();
    expect(answers.data.transaction.txHash).toBe(second);
    expect(answers.data.utxos.nodes.every(({ amount }: { amount: string }) => BigInt(amount) >= 2n)).toBe(
      true,
    );
  });

  test('have errors at their own places', async () => {
    const wrong = (hash: string) =>
      `{\n  transaction(network: fuji, blockchainId: "p-chain",\n txHash: "${hash}") { txType } }`;
    await once(wrong(first));
    const { errors } = await once(wrong('no hash'));
    expect(errors).toMatchObject([{ locations: [{ line: 2, column: 3 }], path: ['transaction'] }]);
  });

  test('conflict where they did, whatever was seen before', async () => {
    const twice = (one: string, other: string) =>
      `{ a: transaction(network: fuji, blockchainId: "p-chain", txHash: "${one}") { txHash }
         a: transaction(network: fuji, blockchainId: "p-chain", txHash: "${other}") { txHash } }`;
    for (const hash of hashes.slice(0, 4))
      expect((await once(twice(hash, hash))).data).toEqual({ a: { txHash: hash } });
    expect((await once(twice(first, second))).errors?.[0]?.message).toContain('conflict');
  });

  test.each([
    [
      'an escape',
      (hash: string) => byHash(hash.replace(/^./, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)),
    ],
    ['a block string', (hash: string) => byHash(hash).replace(`"${hash}"`, `"""${hash}"""`)],
    ['a quotation mark in a comment', (hash: string) => `# it is "\n${byHash(hash)}`],
    ['a comment that looks like a literal', (hash: string) => `# "${hash}" 12\n${byHash(hash)}`],
    [
      'a default value',
      (hash: string) =>
        `query ($hash: String = "${hash}") { transaction(network: fuji, blockchainId: "p-chain", txHash: $hash) { txHash } }`,
    ],
    [
      'another page size',
      (hash: string) => byHash(hash, `emittedUtxos(first: ${1 + hashes.indexOf(hash)}) { nodes { utxoId } }`),
    ],
    [
      'a fragment',
      (hash: string) =>
        `query { ...F } fragment F on Query { transaction(network: fuji, blockchainId: "p-chain", txHash: "${hash}") { txHash } }`,
    ],
    [
      'two operations',
      (hash: string) =>
        `query A { transaction(network: fuji, blockchainId: "p-chain", txHash: "${hash}") { txHash } } query B { __typename }`,
    ],
    ['a name of ours', (hash: string) => byHash(hash, 'literal_0: txType')],
  ])('are right with %s', async (_name, text) => {
    for (const hash of hashes.slice(0, 4)) {
      const query = text(hash);
      const name = query.includes('query A') ? 'A' : undefined;
      const reply = await gateway.app.inject({
        method: 'POST',
        url: '/graphql',
        payload: { query, operationName: name },
      });
      expect(reply.json()).toMatchObject({ data: { transaction: { txHash: hash } } });
    }
  });
});

test('literals are what stands between the tokens of a document', () => {
  const valid = '{ a(x: "t", y: -12, z: 1.5, first: 3, w: [7, "u"], big: 9007199254740993) { b } } # "c" 4';
  expect(literalsOf(valid)).toEqual({
    shape: '{ a(x: "", y: 0, z: 1.5, first: 3, w: [0, ""], big: 9007199254740993) { b } } # "c" 4',
    values: ['t', -12, 7, 'u'],
  });
  expect(() => parse(valid)).not.toThrow();
  for (const none of [
    '{ a }',
    '{ a(x: "\\n") }',
    '{ a(x: """b""") }',
    `{ a(x: "${'t'.repeat(5000)}") }`,
    `{ ${'a(x: 1) '.repeat(40)} }`,
  ])
    expect(literalsOf(none)).toBeNull();
});

test('shapes without end take a bounded memory', () => {
  const shapes = new LiteralShapes(publicSchema(buildSchema()), new Documents(2 ** 20));
  for (let index = 0; index < 3000; index += 1)
    for (const id of ['one', 'two'])
      shapes.find(`{ ${'long'.repeat(700)}${index}: chain(chainId: "${id}") { chainName } }`, undefined);
  expect(shapes.bytes).toBeLessThanOrEqual(2 * 2 ** 20);
  expect(shapes.size).toBeGreaterThan(100);
  expect(shapes.size).toBeLessThanOrEqual(1024);
});
