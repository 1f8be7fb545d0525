import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatAddress } from '../../src/avalanche/address.js';
import { openApiDocument } from '../../src/rest/openapi/document.js';
import { unavailablePaths } from '../../src/rest/unavailable.js';
import type { TestApp } from '../harness/app.js';
import { openDocumentedGateway } from '../harness/documented-gateway.js';
import { poolOf } from '../harness/connections.js';
import { readCsv } from '../harness/csv.js';
import { chainRow, deliveryAt, hashAt, messageRow } from '../harness/evm-rows.js';
import {
  ajv,
  described,
  document,
  expectConforms,
  operations,
  pathsRouted,
  requestExample,
  schemaAt,
  schemaOfReply,
  successOf,
} from '../harness/openapi.js';
import { importRows } from '../harness/seed.js';

/**
 * Parameters that identify an object, the end of the paths that answer 404 for it, and a value that does not
 * exist.
 */
const unheld = [
  ['chainId', ':reindex', '999'],
  ['chainId', ':listInternals', '999'],
  ['chainId', '/chains/{chainId}', '999'],
  ['chainId', ':getNative', '999'],
  ['chainId', ':listErc20', '999'],
  ['chainId', ':listErc721', '999'],
  ['chainId', '/tokens', '999'],
  ['tokenId', '/{tokenId}', '999999'],
  ['addresses', '/lastActivityTimestampByAddresses', formatAddress('fuji', new Uint8Array(20))],
  ['messageId', '/{messageId}', '0'.repeat(64)],
  ['blockId', '/{blockId}', '99999999999'],
  ['vertexHash', '/{vertexHash}', '2rQU7nLtsP5BUaz8EtRcmH5W8e7MqdPZe55Zc4Kc5yrVgkLbmC'],
  ['subnetId', '/subnets/{subnetId}', '2rQU7nLtsP5BUaz8EtRcmH5W8e7MqdPZe55Zc4Kc5yrVgkLbmC'],
  ['assetId', '/assets/{assetId}', '2rQU7nLtsP5BUaz8EtRcmH5W8e7MqdPZe55Zc4Kc5yrVgkLbmC'],
  ['blockchainId', '/blockchains/{blockchainId}', '2rQU7nLtsP5BUaz8EtRcmH5W8e7MqdPZe55Zc4Kc5yrVgkLbmC'],
  ['network', '/networks/{network}', 'mainnet'],
  ['id', '/webhooks/{id}', '00000000-0000-4000-8000-000000000000'],
  ['id', '/{id}/addresses', '00000000-0000-4000-8000-000000000000'],
  ['txHash', '/{txHash}', '2rQU7nLtsP5BUaz8EtRcmH5W8e7MqdPZe55Zc4Kc5yrVgkLbmC'],
] as const;

interface Found {
  path: string;
  schema: Record<string, unknown>;
}

/** Every object of the document, with where it is. */
function objectsIn(value: unknown, path = ''): Found[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, each]) =>
    objectsIn(each, `${path}/${isParameter(value) && key === 'schema' ? `${value.name}/schema` : key}`),
  );
  return [{ path, schema: value as Record<string, unknown> }, ...below];
}
const isParameter = (value: object): value is { name: string } => 'name' in value && 'in' in value;
const schemas = objectsIn(document);

const nameOf = (path: string) =>
  path.slice(path.lastIndexOf('/', path.search(/(\/items|\/schema)?$/) - 1) + 1);
/** What an author put into a genesis, and the caller's name of a sub-query. */
const isFree = (path: string) => /Genesis|\/id$/.test(path);

/** What a cell of CSV has of a row of JSON. */
function cellOf(row: unknown, column: string): string {
  const value = typeof row === 'object' ? column.split('.').reduce<any>((at, name) => at?.[name], row) : row;
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

let gateway: TestApp;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ gateway, close } = await openDocumentedGateway());
});
afterAll(() => close());

describe('an empty parameter', () => {
  const cases = operations.flatMap((operation) =>
    (operation.operation.parameters ?? [])
      .filter((each) => each.in === 'query')
      .flatMap(({ name }) =>
        (operation.path.endsWith('/utxos') ? ['p', 'x', 'c'] : ['']).map((chain) => ({
          operation,
          title: `${operation.name} ${chain} ${name}`,
          name,
          changed: { [name]: '', ...(chain && { blockchainId: `${chain}-chain` }) },
        })),
      ),
  );

  const titled = cases.map((each) => [each.title, each] as const);
  test.each(titled)('%s', async (_title, { operation, name, changed }) => {
    const reply = await requestExample(gateway, operation, changed);
    if (name === 'pageToken' || name === 'pageSize') expect([200, 201]).toContain(reply.statusCode);
    else {
      expect(reply.statusCode).toBe(400);
      expect(reply.body).toContain(`${name}: `);
    }
  });

  test('is absent if it is of paging, and refused otherwise, in every one of them', () => {
    expect(cases.length).toBeGreaterThan(40);
  });
});

describe('the document', () => {
  test('is served as it is generated', async () => {
    const reply = await gateway.get('/openapi.json');
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
    expect(reply.body).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test('describes every path that the server routes under /v1 and /v2 and has data for, and no other', () => {
    const unavailable = new Set(unavailablePaths.map(({ path }) => path));
    const routed = pathsRouted(gateway.app.printRoutes({ commonPrefix: false })).filter(
      (path) => !unavailable.has(path),
    );
    const data = (paths: string[]) => paths.filter((path) => /^\/v[12]\//.test(path)).sort();
    expect(data(routed).length).toBeGreaterThan(10);
    expect(data(Object.keys(document.paths))).toEqual(data(routed));
    const declared = described.map(({ method, path }) => `${method} ${path}`);
    expect(operations.map(({ name }) => name).sort()).toEqual(declared.sort());
  });

  test('has the members that OpenAPI 3.0 asks for, and only references that lead somewhere', () => {
    expect(document.openapi).toMatch(/^3\.0\.\d+$/);
    expect(document.info.title).toBe('Moraine');
    expect(document.info.version).toMatch(/^\d/);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path,
    );
    expect(references.length).toBeGreaterThan(50);
    for (const path of new Set(references)) {
      const target = (path ?? '')
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
      expect(target, path).toBeTypeOf('object');
    }
  });

  test('holds no schema that is not valid JSON Schema', () => {
    for (const name of Object.keys(document.components.schemas)) schemaAt('components', 'schemas', name);
  });

  test('has a format for each number, and no list of types', () => {
    const numbers = schemas.filter(({ schema }) => /^(integer|number)$/.test(String(schema['type'])));
    expect(numbers.length).toBeGreaterThan(60);
    const formats = { integer: ['int32', 'int64'], number: ['double'] };
    for (const { path, schema } of numbers)
      expect(formats[schema['type'] as 'integer' | 'number'], path).toContain(schema['format']);
    expect(schemas.filter(({ schema }) => Array.isArray(schema['type']))).toEqual([]);
  });

  test('has a pattern for each id, hash, address and page token of parameters and replies', () => {
    const named = schemas.filter(
      ({ path, schema }) =>
        schema['type'] === 'string' &&
        !isFree(path) &&
        /(Id|Hash|Hashes|[aA]ddress(es)?|pageToken|PageToken|IdHex|sourceChain|destinationChain)(\/items|\/schema)?$/.test(
          nameOf(path),
        ),
    );
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter(({ schema }) => !('pattern' in schema)).map(({ path }) => path)).toEqual([]);
  });

  test('has no pattern of a member that generated Go would cut off at a comma', () => {
    const members = objectsIn(document.components.schemas).filter(({ schema }) => 'pattern' in schema);
    expect(members.length).toBeGreaterThan(60);
    for (const { path, schema } of members) expect(schema['pattern'], path).not.toMatch(/[,\\]/);
  });

  test('says which parameters of a sub-query go together', () => {
    const valid = schemaAt('components', 'schemas', 'CompositeQueryRequest');
    const nft = { evmChainId: '43113', contractAddress: `0x${'1'.repeat(40)}` };
    const [days, times] = [
      { firstDate: '2026-10-01', lastDate: '2026-10-02' },
      { startTs: 1, endTs: 2 },
    ];
    const latest = { evmChainId: '43113', minBalance: '1' };
    const cases: [boolean, string, object][] = [
      [true, 'AnyTimeNftHolders', { ...nft, ...days }],
      [true, 'AllTimeNftHolders', { ...nft, ...times }],
      [false, 'AllTimeNftHolders', nft],
      [false, 'AnyTimeNftHolders', { ...nft, startTs: 1 }],
      [false, 'AnyTimeNftHolders', { ...nft, ...days, endTs: 2 }],
      [false, 'AnyTimeNftHolders', { ...nft, ...days, ...times }],
      [true, 'LatestBalance', { ...latest, tokenType: 'NATIVE' }],
      [true, 'LatestBalance', { ...latest, tokenType: 'NATIVE', contractAddress: null }],
      [true, 'LatestBalance', { ...latest, tokenType: 'ERC20', contractAddress: nft.contractAddress }],
      [false, 'LatestBalance', { ...latest, tokenType: 'ERC20' }],
      [false, 'AllTimeNativeBalance', { ...nft, ...days }],
    ];
    for (const [isRight, type, params] of cases) {
      const body = { operator: 'AND', queries: [{ id: 'a', type, params }] };
      expect(valid(body), `${type} ${JSON.stringify(params)}`).toBe(isRight);
    }
  });

  test('names both headers that a key may come in', () => {
    const schemes = Object.values(document.components.securitySchemes);
    expect(schemes.map(({ name }) => name)).toEqual(['x-service-api-key', 'x-glacier-api-key']);
    expect(document.security).toEqual([{}, { ApiKey: [] }, { ApiKey2: [] }]);
  });

  test('names each operation differently', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has the addresses of the configuration as servers', () => {
    const metrics = described.map((route) => ({ ...route, path: route.path.replace('/v1/', '/v2/') }));
    const moved = openApiDocument(metrics, {
      publicUrl: 'https://data.example',
      metricsUrl: 'https://metrics.example',
      keyHeaders: [],
    });
    expect(moved.servers).toEqual([{ url: 'https://data.example' }]);
    for (const item of Object.values(moved.paths))
      expect(item['servers']).toEqual([{ url: 'https://metrics.example' }]);
  });
});

describe.each(operations)('$name', (each) => {
  const { method, path, operation } = each;

  test('is described: itself, its parameters and the errors that it can give', () => {
    expect(operation.summary).toBeTruthy();
    expect(operation.description).toMatch(/\.$/);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parameters = operation.parameters ?? [];
    expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(inPath);
    for (const { name, description, schema, required, ...rest } of parameters) {
      expect(description, name).toMatch(/\.$/);
      expect(ajv.validateSchema(schema), name).toBe(true);
      const declared = described.find((one) => `${one.method} ${one.path}` === each.name)?.parameters[name];
      expect(required, name).toBe(
        rest.in === 'path' || !(declared?.optional || declared?.default !== undefined),
      );
      if ('example' in rest) expect(ajv.validate(schema, rest.example), name).toBe(true);
    }
    const isFree = path.endsWith('-check');
    const isReindex = path.endsWith(':reindex');
    const isMissable = isReindex || unheld.some(([, at]) => path.endsWith(at));
    const mayNotKnow = path.endsWith('/nodes/{nodeId}/blocks');
    const given = {
      400: !isFree && !path.endsWith('SharedSecret'),
      401: !isFree,
      403: isReindex,
      404: isMissable || path.endsWith(':getSharedSecret'),
      405: true,
      408: true,
      413: method !== 'get',
      429: !isFree,
      431: true,
      500: true,
      501: mayNotKnow,
      502: isReindex,
      503: true,
    };
    const statuses = Object.keys(operation.responses);
    expect(statuses.includes('304')).toBe(method === 'get' && !isFree);
    const refusals = statuses.filter((status) => Number(status) >= 400);
    expect(refusals).toEqual(Object.keys(given).filter((status) => given[status as unknown as 400]));
  });

  test('is refused for another method as documented, and for what is not stored', async () => {
    const other = await gateway.app.inject({ method: 'PUT', url: path.replace(/\{\w+\}/g, 'x') });
    expect([other.statusCode, other.headers['allow']]).toEqual([
      405,
      expect.stringContaining(method.toUpperCase()),
    ]);
    for (const [name, , value] of unheld.filter(([, at]) => path.endsWith(at)))
      expect((await requestExample(gateway, each, { [name]: value })).statusCode).toBe(404);
  });

  test('has an example that succeeds on the sample and conforms to the documented reply', async () => {
    const [status, response] = successOf(operation);
    const reply = await requestExample(gateway, each);
    expect(reply.statusCode, reply.body).toBe(Number(status));
    if (!response.content) return expect(reply.body).toBe('');
    const validate = schemaOfReply(each, status);
    expectConforms(reply.json(), validate);
    const lists = Object.values(reply.json<Record<string, unknown>>()).filter(Array.isArray);
    for (const list of lists.slice(0, 1)) expect(list.length, 'rows in the example').toBeGreaterThan(0);
    const { example } = response.content['application/json'] as { example?: object };
    expectConforms(example, validate);
  });

  test('is CSV with the values of the JSON for who asks for it, if it is a list', async () => {
    const isList = operation.description?.includes('text/csv');
    const reply = await requestExample(gateway, each, {}, 'text/csv');
    if (!isList) return expect(reply.headers['content-type'] ?? '').not.toContain('csv');
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    const [head = [], ...lines] = readCsv(reply.body);
    expect(new Set(head).size).toBe(head.length);
    const json = (await requestExample(gateway, each)).json<Record<string, unknown>>();
    const [rows = []] = Object.values(json).filter((value): value is unknown[] => Array.isArray(value));
    expect(lines).toEqual(rows.map((row) => head.map((column) => cellOf(row, column))));
    // No member of a row is without a column.
    for (const name of rows.flatMap((row) => (typeof row === 'object' ? Object.keys(row as object) : [])))
      expect(head.map((column) => column.split('.')[0])).toContain(name);
    expect(Object.hasOwn(json, 'nextPageToken')).toBe(reply.headers['link'] !== undefined);
  });

  test('refuses a wrong parameter as documented', async () => {
    const wrong = operation.parameters?.find(({ name }) =>
      ['network', 'pageSize', 'chainId', 'messageId'].includes(name),
    );
    if (!wrong) return;
    const reply = await requestExample(gateway, each, { [wrong.name]: '~' });
    expect(reply.statusCode).toBe(400);
    const validate = schemaAt('components', 'schemas', 'Error');
    expectConforms(reply.json(), validate);
  });
});

test('the pages of a list as CSV are those of JSON, one after the other by the header link', async () => {
  const path = '/v1/networks/fuji/blockchains/p-chain/transactions?pageSize=2&sortOrder=asc';
  const hashes: (string | undefined)[] = [];
  let next: string | undefined = path;
  for (let page = 0; page < 2 && next; page += 1) {
    const { text, headers } = await gateway.get(next, { accept: 'text/csv, application/json;q=0.9' });
    const [head = [], ...lines] = readCsv(text);
    hashes.push(...lines.map((line) => line[head.indexOf('txHash')]));
    next = /^<(\/v1\/\S+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1];
    expect(headers['vary']).toMatch(/\baccept(,|$)/i);
  }
  const { body } = await gateway.get(path.replace('pageSize=2', 'pageSize=4'), {
    accept: 'text/csv, */*, application/json',
  });
  expect(hashes).toEqual(
    (body as { transactions: { txHash: string }[] }).transactions.map(({ txHash }) => txHash),
  );
});

test('a name that a spreadsheet would calculate is text in CSV, and one of two lines and quotes stays whole', async () => {
  const names = ['=HYPERLINK("https://example.com")', '+1', '@SUM(A1)', 'of "two"\nlines, and more'];
  await importRows(
    gateway.storage,
    'evm.chains',
    names.map((chainName, index) => ({ ...chainRow(String(900 + index)), chainName })),
  );
  const { text } = await gateway.get('/v1/chains', { accept: 'text/csv' });
  const [head = [], ...lines] = readCsv(text);
  const found = lines.map((line) => line[head.indexOf('chainName')] ?? '');
  expect(found).toEqual(
    expect.arrayContaining(names.map((name) => (/^[=+@]/.test(name) ? `'${name}` : name))),
  );
});

test('a transaction of each type and chain conforms to its schema', async () => {
  const validate = schemaAt('components', 'schemas', 'Transaction');
  const { rows } = await poolOf(gateway.storage).query<{ chain: string; hash: string }>(
    `SELECT DISTINCT ON (chain, tx_type) chain, tx_hash AS hash FROM transaction WHERE network = 'fuji' ORDER BY chain, tx_type, id`,
  );
  expect(rows.length).toBeGreaterThan(20);
  for (const { chain, hash } of rows) {
    const reply = await gateway.get(`/v1/networks/fuji/blockchains/${chain}-chain/transactions/${hash}`);
    expectConforms(reply.body, validate, reply.text.slice(0, 300));
  }
});

test.each(['p', 'x', 'c'])(
  'a page of the transactions of the %s-chain conforms to its schema',
  async (chain) => {
    const validate = schemaAt('components', 'schemas', 'TransactionPage');
    const path = `/v1/networks/fuji/blockchains/${chain}-chain/transactions?pageSize=100`;
    const { body, text } = await gateway.get(path);
    expect((body.transactions as object[]).length).toBeGreaterThan(20);
    expectConforms(body, validate, text.slice(0, 300));
  },
);

test('a message of which nobody knows what was sent conforms to its schema', async () => {
  const validate = schemaAt('components', 'schemas', 'IcmMessage');
  const transactions = [
    {},
    { destinationTransaction: deliveryAt(5) },
    { sourceTransaction: undefined, destinationTransaction: deliveryAt(5) },
  ];
  for (const [index, fields] of transactions.entries()) {
    const messageId = hashAt(index).slice(2);
    const row = messageRow({ ...fields, messageId, data: undefined });
    await importRows(gateway.storage, 'fuji.icm.messages', [row]);
    const { status, body } = await gateway.get(`/v1/icm/messages/${messageId}`);
    expect([status, Object.keys(body as object)]).toEqual([200, expect.not.arrayContaining(['data'])]);
    expectConforms(body, validate);
  }
});
