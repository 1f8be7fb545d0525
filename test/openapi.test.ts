import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../src/app.js';
import { healthRoutes } from '../src/http/health.js';
import { loadSample } from '../src/ingest/load-sample.js';
import { openApiDocument } from '../src/rest/openapi/document.js';
import { createApp, type TestApp } from './harness/app.js';
import { serveJsonRpc } from './harness/json-rpc.js';
import type { LoopbackServer } from './harness/loopback.js';

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: object;
  example?: unknown;
}

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: object; example?: unknown } } };
  responses: Record<string, { $ref?: string; content?: { 'application/json'?: { schema: object } } }>;
}

const described = [...routes, ...healthRoutes];
const document = openApiDocument(described, {});

/** Every operation of the document, those of routes added later included. */
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  (['get', 'post'] as const)
    .filter((method) => method in item)
    .map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      method,
      path,
      operation: item[method] as Operation,
    })),
);

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
ajv.addSchema(document, 'openapi.json');

/** The compiled schema of a place in the document, its references resolved within it. */
function schemaAt(...place: string[]): ValidateFunction {
  const pointer = place.map((each) => each.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  return ajv.compile({ $ref: `openapi.json#/${encodeURI(pointer)}` });
}

/** The paths of Fastify's tree of routes, each in OpenAPI's form. */
function pathsRouted(tree: string): string[] {
  const parents: string[] = [];
  return tree
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, indent = '', part = ''] = /^([│ ]*)[├└]── (\S+)/.exec(line) ?? [];
      const depth = indent.length / 4;
      parents[depth] = (parents[depth - 1] ?? '') + part;
      return parents[depth].replace(/\/:(\w+)(\(\.\*\))?/g, '/{$1}').replace('::', ':');
    });
}

function successOf({ responses }: Operation): [status: string, response: Operation['responses'][string]] {
  const success = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  expect(success).toHaveLength(1);
  return success[0] as [string, Operation['responses'][string]];
}

let gateway: TestApp;

let rpc: LoopbackServer;
beforeAll(async () => {
  // The examples name the sample's chain, whose own RPC address is on the internet.
  rpc = await serveJsonRpc({});
  gateway = await createApp({ RPC_URLS: JSON.stringify({ 43113: rpc.url }) });
  await loadSample(gateway.storage, gateway.services.log);
});

afterAll(async () => {
  await gateway.close();
  await rpc.close();
});

describe('the document', () => {
  test('is served as it is generated', async () => {
    const reply = await gateway.get('/openapi.json');
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
    expect(reply.body).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test('describes every path that the server routes under /v1 and /v2, and no other', () => {
    const routed = pathsRouted(gateway.app.printRoutes({ commonPrefix: false }));
    const data = (paths: string[]) => paths.filter((path) => /^\/v[12]\//.test(path)).sort();
    expect(data(routed).length).toBeGreaterThan(10);
    expect(data(Object.keys(document.paths))).toEqual(data(routed));
    const declared = described.map(({ method, path }) => `${method} ${path}`);
    expect(operations.map(({ name }) => name).sort()).toEqual(declared.sort());
  });

  test('has the members that OpenAPI 3.1 asks for, and only references that lead somewhere', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
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

  test('holds no schema that is not valid JSON Schema 2020-12', () => {
    for (const name of Object.keys(document.components.schemas)) schemaAt('components', 'schemas', name);
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
    });
    expect(moved.servers).toEqual([{ url: 'https://data.example' }]);
    for (const item of Object.values(moved.paths))
      expect(item['servers']).toEqual([{ url: 'https://metrics.example' }]);
  });
});

describe.each(operations)('$name', ({ method, path, operation }) => {
  test('is described: itself, its parameters and every error', () => {
    expect(operation.summary).toBeTruthy();
    expect(operation.description).toMatch(/\.$/);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parameters = operation.parameters ?? [];
    expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(inPath);
    for (const { name, description, schema, required, ...rest } of parameters) {
      expect(description, name).toMatch(/\.$/);
      expect(ajv.validateSchema(schema), name).toBe(true);
      expect(required, name).toBe(rest.in === 'path');
      if ('example' in rest) expect(ajv.validate(schema, rest.example), name).toBe(true);
    }
    for (const status of ['400', '401', '403', '404', '429', '500', '502', '503'])
      expect(operation.responses, status).toHaveProperty(status);
  });

  test('has an example that succeeds on the sample and conforms to the documented reply', async () => {
    const [status, response] = successOf(operation);
    const reply = await request(method, path, operation);
    expect(reply.statusCode, reply.body).toBe(Number(status));
    if (!response.content) return expect(reply.body).toBe('');
    const validate = schemaAt(
      'paths',
      path,
      method,
      'responses',
      status,
      'content',
      'application/json',
      'schema',
    );
    validate(reply.json());
    expect(validate.errors ?? []).toEqual([]);
    const lists = Object.values(reply.json<Record<string, unknown>>()).filter(Array.isArray);
    for (const list of lists.slice(0, 1)) expect(list.length, 'rows in the example').toBeGreaterThan(0);
  });

  test('refuses a wrong parameter as documented', async () => {
    const wrong = operation.parameters?.find(({ name }) =>
      ['network', 'pageSize', 'chainId', 'messageId'].includes(name),
    );
    if (!wrong) return;
    const reply = await request(method, path, operation, { [wrong.name]: '~' });
    expect(reply.statusCode).toBe(400);
    const validate = schemaAt('components', 'schemas', 'Error');
    validate(reply.json());
    expect(validate.errors ?? []).toEqual([]);
  });
});

test('a transaction of each type and chain conforms to its schema', async () => {
  const validate = schemaAt('components', 'schemas', 'Transaction');
  const { rows } = await gateway.storage.pool.query<{ chain: string; hash: string }>(
    `SELECT DISTINCT ON (chain, tx_type) chain, tx_hash AS hash FROM transaction WHERE network = 'fuji' ORDER BY chain, tx_type, id`,
  );
  expect(rows.length).toBeGreaterThan(20);
  for (const { chain, hash } of rows) {
    const reply = await gateway.get(`/v1/networks/fuji/blockchains/${chain}-chain/transactions/${hash}`);
    validate(reply.body);
    expect(validate.errors ?? [], reply.text.slice(0, 300)).toEqual([]);
  }
});

function request(
  method: 'get' | 'post',
  path: string,
  operation: Operation,
  changed: Record<string, string> = {},
) {
  const values = new Map(
    (operation.parameters ?? []).map(({ name, example }) => [
      name,
      changed[name] ?? (example as string | undefined),
    ]),
  );
  const url = path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values.get(name);
    expect(value, `an example of ${name}`).toBeDefined();
    return encodeURIComponent(String(value));
  });
  const query = (operation.parameters ?? [])
    .filter((each) => each.in === 'query' && values.get(each.name) !== undefined)
    .map(({ name }): [string, string] => [name, String(values.get(name))]);
  const body = operation.requestBody?.content['application/json'].example;
  return gateway.app.inject({
    method: method === 'get' ? 'GET' : 'POST',
    url: `${url}?${new URLSearchParams(query).toString()}`,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    }),
  });
}
