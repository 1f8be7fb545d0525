import type { GraphQLInterfaceType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSchema } from '../../src/schema.js';
import { createApp, type TestApp } from '../harness/app.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

const encode = (text: string) => Buffer.from(text).toString('base64url');
const node = (id: string) =>
  gateway.graphql<{ node: { id: string } | null }>('query ($id: ID!) { node(id: $id) { id } }', { id });
const nodes = (ids: string[]) =>
  gateway.graphql<{ nodes: unknown[] }>('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });

const schema = buildSchema();
const types = schema
  .getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType)
  .map(({ name }) => name)
  .sort();

describe('a global id', () => {
  test.each(['', 'abc', '!!!', encode('Utxo:'), encode('utxo:x:y')])(
    'that is none is refused: %s',
    async (id) => {
      const { errors } = await node(id);
      expect(errors?.[0]).toMatchObject({
        message: `id: ${JSON.stringify(id)} is not a global id: the value of the field id of an object`,
        extensions: { code: 'BAD_USER_INPUT' },
      });
    },
  );

  test.each(['Utxo:mainnet:nothing', 'Utxo:mars:x', 'Transaction:fuji:p:x', 'Transaction:fuji:q:x'])(
    'of something that is not stored is null: %s',
    async (text) => {
      const reply = await node(encode(text));
      expect([reply.errors, reply.data.node]).toEqual([undefined, null]);
    },
  );

  // A type that does not exist, one that is no object, and one whose objects have no id.
  test.each(['Planet', 'SubnetMetric', 'Network', 'Query', 'UtxoConnection', 'Node'])(
    'of the type %s is refused with the types that there are',
    async (type) => {
      const id = encode(`${type}:x`);
      expect((await node(id)).errors?.[0]).toMatchObject({
        message: `id: "${id}" is of the type "${type}", which has no global ids; types with global ids are ${types.join(', ')}`,
        extensions: { code: 'BAD_USER_INPUT' },
      });
    },
  );

  test.each(types)('of the type %s is never our fault, whatever its key', async (type) => {
    const keys = [
      '\0',
      'mainnet:\0',
      'mainnet:p:\0',
      'fuji:',
      ':',
      '1:\0:1',
      '43114:0x\0:1:1',
      '-1',
      '\ufffd',
      '٣',
    ];
    for (const key of keys) {
      const { errors = [], data } = await node(encode(`${type}:${key}`));
      expect([key, ...errors.map(({ extensions }) => extensions['code'])]).toEqual(
        key.includes('\0') ? [key, 'BAD_USER_INPUT'] : [key],
      );
      expect(data?.node ?? null).toBeNull();
    }
  });

  test('is named together with every other wrong one of a list', async () => {
    const { errors } = await nodes(['x', encode('Utxo:mainnet:nothing'), encode('Planet:x'), 'y']);
    expect(errors?.[0]?.message.match(/ids: "[^"]+"/g)).toEqual([
      'ids: "x"',
      `ids: "${encode('Planet:x')}"`,
      'ids: "y"',
    ]);
  });
});
