import {
  coerceInputValue,
  isIntrospectionType,
  isLeafType,
  parse,
  parseValue,
  valueFromAST,
  type GraphQLError,
  type GraphQLLeafType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LiteralShapes } from '../../src/execution/literal-shapes.js';
import { sameForms } from '../../src/execution/literal-variables.js';
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

test('the second text of a shape is not read for a caller who may not pay', async () => {
  const plan = { requests: 1, seconds: 60 };
  const limited = await createApp({ RATE_LIMITS: 'on', PLANS: JSON.stringify({ anonymous: plan }) });
  const ask = (remoteAddress: string, chainId: string) =>
    limited.app.inject({
      method: 'POST',
      url: '/graphql',
      remoteAddress,
      payload: { query: `{ chain(chainId: "${chainId}") { chainName } }` },
    });
  const remembered = async () =>
    /moraine_cache_entries\{cache="documents"\} (\d+)/.exec((await limited.get('/metrics')).text)?.[1];
  try {
    expect((await ask('192.0.2.1', '1')).statusCode).toBe(200);
    const before = await remembered();
    expect((await ask('192.0.2.1', '2')).statusCode).toBe(429);
    expect(await remembered()).toBe(before);
    // Who may pay gets it read: under the text of the request, and under that with variables.
    expect((await ask('192.0.2.2', '3')).statusCode).toBe(200);
    expect(await remembered()).not.toBe(before);
  } finally {
    await limited.close();
  }
});

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

  const outputs = (rest: string) =>
    `{ utxos(network: fuji, blockchainId: "p-chain", ${rest}) { nodes { amount } } }`;
  const withDefault = (number: number, amount: string) =>
    `query A($n:Int=${number} $c:String!){utxos(network:fuji blockchainId:$c first:$n minUtxoAmount:${amount}){nodes{amount}}}`;
  const large = '20000000000000000000';

  test.each<[string, readonly string[]]>([
    ['a default value and a large number', [1, 2, 5].map((one) => withDefault(one, large))],
    ['a default value and -0', [1, 2, 5].map((one) => withDefault(one, '-0'))],
    [
      'a description and a large number',
      ['one', 'two', 'three'].map(
        (one) => `"${one}" query A ${outputs(`first: 2, minUtxoAmount: ${large}`)}`,
      ),
    ],
    [
      'a page size after a comma and a large number',
      [1, 2, 3].map((one) => outputs(`first,:${one}, minUtxoAmount: ${large}`)),
    ],
    [
      'a large number after small ones',
      ['1', '2', large].map((one) => outputs(`first: 2, minUtxoAmount: ${one}`)),
    ],
    [
      'a text for an enum',
      [1, 2, 3].map((one) => outputs(`first: 2, minUtxoAmount: ${one}`).replace('fuji', '"fuji"')),
    ],
    [
      'a text in a list of an enum',
      ['CreateSubnetTx', 'BaseTx', 'NoTx'].map(
        (one) =>
          `{ transactions(network: fuji, blockchainId: "p-chain", txTypes: ["${one}"]) { nodes { txHash } } }`,
      ),
    ],
    ['a number for a text', [1, 2, 43113].map((one) => `{ chain(chainId: ${one}) { chainName } }`)],
    ['two signs', ['1', '--5', '-0'].map((one) => outputs(`first: 2, minUtxoAmount: ${one}`))],
    [
      'unpaired surrogates',
      ['a', '\ud800', '\udc00'].map((one) => `{ search(text: "${one}") { chain { chainId } } }`),
    ],
    ['a number in place of a list', [1, 2, 3].map((one) => `{ nodes(ids: ${one}) { id } }`)],
    [
      'a list in place of a number',
      [1, 2, 3].map((one) => `{ block(network: fuji, blockchainId: "p-chain", number: [${one}]) { hash } }`),
    ],
    [
      'numbers of several forms in an input object',
      ['1793153964', '"1784820152"', '1e9'].map((one) => outputs(`first: 2, asOf: { time: ${one} }`)),
    ],
  ])('are right with %s, whichever comes first', async (name, texts) => {
    let [order, asked] = [0, 0];
    for (const first of texts)
      for (const second of texts) {
        order += 1;
        for (const text of [first, second, ...texts]) {
          asked += 1;
          // A comment belongs to the shape of a text: nobody has seen that of the second one.
          const seen = await answerTo(`${text} # ${name}, order ${order}`);
          const alone = await answerTo(`${text} # ${name}, alone ${asked}`);
          expect(seen, text).toEqual(alone);
        }
      }
  });

  /** An answer by the media type that gives a wrong document a status of its own. */
  async function answerTo(query: string) {
    const reply = await gateway.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { accept: 'application/graphql-response+json' },
      payload: { query, variables: { c: 'p-chain' } },
    });
    const { data, errors } = reply.json<{ data?: unknown; errors?: unknown }>();
    return { status: reply.statusCode, data, errors };
  }

  test('are refused if they are too long, although shorter ones of their shape were answered', async () => {
    const small = await createApp({ MAX_TOKENS: '40' }, { sample: true });
    try {
      for (const hash of [first, second]) await small.graphql(byHash(hash));
      const { errors } = await small.graphql<any>(byHash('x'.repeat(2000)));
      expect(errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
      const many = (hash: string) => byHash(hash, 'txType '.repeat(30));
      for (const hash of [first, second, third])
        expect((await small.graphql<any>(many(hash))).errors).toMatchObject([
          { message: expect.stringContaining('tokens') },
        ]);
    } finally {
      await small.close();
    }
  });

  test('do not share a plan less because of what another caller wrote', async () => {
    const text = (hash: string) => `${byHash(hash)} # after a wrong one`;
    for (const wrong of ['literal_0', 'no hash', 'x'.repeat(600)]) await once(text(wrong));
    expect(await once(text(first))).toMatchObject({
      isPlanned: true,
      data: { transaction: { txHash: first } },
    });
  });
});

test('a literal becomes a variable only of a type that reads both alike', () => {
  const types = Object.values(publicSchema(buildSchema()).getTypeMap()).filter(
    (type): type is GraphQLLeafType => isLeafType(type) && !isIntrospectionType(type),
  );
  const texts = ['', ' ', '5', '-5', '05', '1.5', '1e3', 'a', 'fuji', 'true', '9'.repeat(79)];
  const numbers = [0, 5, -5, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER];
  const different = types.filter((type) =>
    [...texts, ...numbers].some((value) => asLiteral(type, value) !== asVariable(type, value)),
  );
  const names = different.map(({ name }) => name);
  expect(names).toContain('Network');
  expect(names.filter((name) => sameForms.has(name))).toEqual([]);
  expect([...sameForms].filter((name) => !types.some((type) => type.name === name))).toEqual([]);
});

const asLiteral = (type: GraphQLLeafType, value: unknown) =>
  JSON.stringify(valueFromAST(parseValue(JSON.stringify(value)), type));

function asVariable(type: GraphQLLeafType, value: unknown): string | undefined {
  const errors: GraphQLError[] = [];
  const coerced: unknown = coerceInputValue(value, type, (_path, _value, error) => errors.push(error));
  return errors.length > 0 ? undefined : JSON.stringify(coerced);
}

test('literals are what stands between the tokens of a document', () => {
  const valid = '{ a(x: "t", y: -12, z: 1.5, first,: 3, w: [7, "u"], big: 9007199254740993) { b } } # "c" 4';
  const { shape, literals } = literalsOf(valid)!;
  expect(shape).toBe(
    '{ a(x: \0", y: \x000, z: 1.5, first,: 3, w: [\x000, \0"], big: 9007199254740993) { b } } # "c" 4',
  );
  expect(literals.map(({ value }) => value)).toEqual(['t', -12, 7, 'u']);
  expect(literals.map(({ start, end }) => JSON.parse(valid.slice(start, end)))).toEqual(['t', -12, 7, 'u']);
  expect(() => parse(valid)).not.toThrow();
  for (const none of [
    '{ a }',
    '{ a(x: "\\n") }',
    '{ a(x: """b""") }',
    '{ a(x: "\ud800") }',
    '{ a(x: "\0") }',
    `{ a(x: "${'t'.repeat(5000)}") }`,
    `{ ${'a(x: 1) '.repeat(40)} }`,
  ])
    expect(literalsOf(none)).toBeNull();
});

test('shapes without end take a bounded memory', () => {
  const shapes = new LiteralShapes(publicSchema(buildSchema()), new Documents(2 ** 20), { MAX_TOKENS: 2000 });
  for (let index = 0; index < 3000; index += 1)
    for (const id of ['one', 'two'])
      shapes.find(`{ ${'long'.repeat(700)}${index}: chain(chainId: "${id}") { chainName } }`, undefined);
  expect(shapes.bytes).toBeLessThanOrEqual(2 * 2 ** 20);
  expect(shapes.size).toBeGreaterThan(100);
  expect(shapes.size).toBeLessThanOrEqual(1024);
});
