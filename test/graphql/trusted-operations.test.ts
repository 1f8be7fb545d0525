import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from '@graphql-codegen/cli';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { tryAssembly } from '../../src/try-assembly.js';
import { createApp, type TestApp } from '../harness/app.js';
import { makeKey } from '../harness/keys.js';

let folder: string;
let gateway: TestApp;
/** Ids that the client preset of graphql-codegen made, by the names of their operations. */
let ids: Record<string, string>;

const sizes = 'query Sizes { serviceConfig { maxPageSize } }';
const outputs =
  'query Outputs($first: Int) { utxos(network: fuji, blockchainId: "p-chain", first: $first) { nodes { utxoId } } }';
/** As Relay's compiler writes it: the MD5 of a text. */
const relay = 'query RelayStatus {\n  chainStatus {\n    network\n  }\n}\n';
const relayId = hash('md5', relay, 'hex');
const reindex =
  'mutation Again { reindexNft(chainId: "43113", address: "0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6", tokenId: "1") { __typename } }';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moraine-trusted-'));
  const made = (await generate(
    {
      schema: 'schema.graphql',
      documents: [sizes, outputs, reindex],
      silent: true,
      generates: {
        [`${folder}/`]: { preset: 'client', presetConfig: { persistedDocuments: true } },
      },
    },
    true,
  )) as { filename: string; content: string }[];
  expect(made.length).toBeGreaterThan(0);
  const written = JSON.parse(await readFile(join(folder, 'persisted-documents.json'), 'utf8')) as Record<
    string,
    string
  >;
  ids = Object.fromEntries(
    Object.entries(written).map(([id, text]) => [/(?:query|mutation) (\w+)/.exec(text)?.[1] ?? '', id]),
  );
  await writeFile(join(folder, 'relay.json'), JSON.stringify({ [relayId]: relay }));
  gateway = await createApp(
    {
      TRUSTED_OPERATIONS: folder,
      RATE_LIMITS: 'on',
      PLANS: JSON.stringify({
        anonymous: { requests: 200, seconds: 3600 },
        staff: { requests: 100, seconds: 60, rights: ['documents'] },
      }),
    },
    { sample: true },
  );
}, 60_000);
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

const post = (payload: object, headers: Record<string, string> = {}, remoteAddress = '10.0.0.1') =>
  gateway.app.inject({
    method: 'POST',
    url: '/graphql',
    remoteAddress,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(payload),
  });
const get = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
  gateway.app.inject({ url: `/graphql?${new URLSearchParams(parameters)}`, headers });

const sized = { serviceConfig: { maxPageSize: 100 } };
const persistedQuery = (id: string) => ({ persistedQuery: { version: 1, sha256Hash: id } });

describe('a gateway that has trusted operations', () => {
  test('answers them by the ids that compilers gave them, in each form in which clients send these', async () => {
    const id = ids['Sizes'] as string;
    for (const reply of [
      await post({ extensions: persistedQuery(id) }),
      await post({ documentId: id }),
      await post({ doc_id: id }),
      await get({ documentId: id }),
      await get({ extensions: JSON.stringify(persistedQuery(id)) }),
    ])
      expect([reply.statusCode, reply.json().data]).toEqual([200, sized]);
    const ofRelay = await post({ doc_id: relayId, variables: {} });
    expect(ofRelay.json().data.chainStatus.length).toBeGreaterThan(0);
    const variables = await post({ documentId: ids['Outputs'], variables: { first: 3 } });
    expect(variables.json().data.utxos.nodes).toHaveLength(3);
  });

  test('answers their texts, and those of the explorer', async () => {
    expect((await post({ query: relay })).statusCode).toBe(200);
    const own = JSON.parse(await readFile('dist/explorer/documents.json', 'utf8')) as string[];
    const status = own.find((text) => text.includes('query Status'));
    expect((await post({ query: status })).json().data.serviceConfig.maxPageSize).toBe(100);
  });

  test.each([
    ['another document', { query: '{ serviceConfig { maxCost } }' }],
    ['the same with other spaces', { query: `${relay} ` }],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    ['a recipe of GraphiQL', { query: 'query Status { chainStatus { network } }' }],
  ])('refuses %s, by any method and type of body', async (_what, parameters) => {
    const form = new URLSearchParams(parameters).toString();
    for (const reply of [
      await post(parameters),
      await post(parameters, { accept: 'application/graphql-response+json' }),
      await get(parameters),
      await gateway.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: form,
      }),
      await gateway.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'content-type': 'application/graphql' },
        payload: parameters.query,
      }),
    ]) {
      expect(reply.statusCode).toBe(403);
      expect(reply.json().errors[0]).toMatchObject({
        message: expect.stringMatching(/operator trusts/),
        extensions: { code: 'FORBIDDEN' },
      });
    }
  });

  test('learns nothing', async () => {
    const query = '{ serviceConfig { maxCost } }';
    const extensions = persistedQuery(hash('sha256', query, 'hex'));
    expect((await post({ query, extensions })).statusCode).toBe(403);
    expect((await post({ extensions })).json().errors[0].message).toBe('PersistedQueryNotFound');
  });

  test('a refusal costs 1', async () => {
    const { key } = await makeKey(gateway, 'free');
    const headers = { 'x-service-api-key': key };
    const left = async () => {
      const reply = await post({ query: '{ serviceConfig { maxCost } }' }, headers);
      return Number(reply.headers['ratelimit-remaining']);
    };
    const first = await left();
    expect(await left()).toBe(first - 1);
  });

  test('a mutation is run by POST alone', async () => {
    expect((await get({ documentId: ids['Again'] as string })).statusCode).toBe(405);
    const reply = await post({ documentId: ids['Again'] });
    expect(reply.json().errors[0].extensions.code).toBe('SERVICE_UNAVAILABLE');
  });

  test('a caller whose plan has the right may send any document', async () => {
    const { key } = await makeKey(gateway, 'staff');
    const headers = { 'x-service-api-key': key };
    for (const query of ['{ serviceConfig { maxPageSize } }', '{ serviceConfig { maxPageSize } } # again'])
      for (let time = 0; time < 2; time += 1)
        expect((await post({ query }, headers)).json().data).toEqual(sized);
    // What such a caller made known is refused to others.
    expect((await post({ query: '{ serviceConfig { maxPageSize } }' })).statusCode).toBe(403);
  });

  test('REST goes on, and GraphiQL says that it is closed', async () => {
    expect((await gateway.get('/v1/networks/fuji/blockchains/p-chain/utxos')).status).toBe(200);
    const page = await get({}, { accept: 'text/html,application/xhtml+xml', 'sec-fetch-mode': 'navigate' });
    expect([page.statusCode, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    expect(page.body).toContain('GraphiQL is closed');
  });
});

describe('a folder of trusted operations that cannot be used', () => {
  test.each([
    ['is not there', null, /^TRUSTED_OPERATIONS: .* cannot be read: ENOENT/],
    ['is empty', {}, /has no file whose name ends with \.json/],
    ['has a file that is not JSON', { 'a.json': '{' }, /a\.json cannot be read/],
    ['has a list', { 'a.json': '[]' }, /a\.json: is not a JSON object of documents by id/],
    ['has no text', { 'a.json': '{"x": 5}' }, /a\.json: "x" is not the text of a document/],
    ['has wrong syntax', { 'a.json': '{"x": "{"}' }, /a\.json: "x" is not a GraphQL document: Syntax Error/],
    [
      'has an unknown field',
      { 'a.json': '{"x": "{ nothing }"}' },
      /"x" does not fit the schema: .*"nothing"/,
    ],
    [
      'has two documents of one id',
      { 'a.json': '{"x": "{ __typename }"}', 'b.json': '{"x": "{ t: __typename }"}' },
      /b\.json: "x" has another text in another file/,
    ],
  ] as [string, Record<string, string> | null, RegExp][])('%s', async (_what, files, message) => {
    const wrong = await mkdtemp(join(tmpdir(), 'moraine-untrusted-'));
    for (const [name, text] of Object.entries(files ?? {})) await writeFile(join(wrong, name), text);
    const path = files ? wrong : join(wrong, 'missing');
    const config = loadConfig({ TRUSTED_OPERATIONS: path });
    await expect(tryAssembly(config, pino({ level: 'silent' }))).rejects.toThrow(message);
    await rm(wrong, { recursive: true });
  });
});
