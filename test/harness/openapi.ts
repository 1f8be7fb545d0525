import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { healthRoutes } from '../../src/http/health.js';
import { openApiDocument } from '../../src/rest/openapi/document.js';
import { routes } from '../../src/resources.js';
import type { TestApp } from './app.js';

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
  responses: Record<
    string,
    {
      $ref?: string;
      content?: { 'application/json'?: { schema: object; example?: unknown } };
    }
  >;
}

/** The routes that the document is made of. */
export const described = [...routes, ...healthRoutes];
export const document = openApiDocument(described, {
  keyHeaders: ['x-service-api-key', 'x-glacier-api-key'],
});

/** Every operation of the document, including those of routes that are added later. */
export const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  (['get', 'post', 'patch', 'delete'] as const)
    .filter((method) => method in item)
    .map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      method,
      path,
      operation: item[method] as Operation,
    })),
);

export const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
ajv.addSchema(document, 'openapi.json');

/** The compiled schema of a place in the document, its references resolved within it. */
export function schemaAt(...position: string[]): ValidateFunction {
  const pointer = position.map((each) => each.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  return ajv.compile({ $ref: `openapi.json#/${encodeURI(pointer)}` });
}

/** The compiled schema of what an operation replies with a status. */
export function schemaOfReply(
  { method, path }: (typeof operations)[number],
  status: string,
): ValidateFunction {
  return schemaAt('paths', path, method, 'responses', status, 'content', 'application/json', 'schema');
}

/** @param message what the error also shows if it does not conform */
export function expectConforms(value: unknown, validate: ValidateFunction, message?: string): void {
  validate(value);
  expect(validate.errors ?? [], message).toEqual([]);
}

/** The paths of Fastify's tree of routes, each in OpenAPI's form. */
export function pathsRouted(tree: string): string[] {
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

/** The one reply of an operation that is no error. */
export function successOf({
  responses,
}: Operation): [status: string, response: Operation['responses'][string]] {
  const success = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  expect(success).toHaveLength(1);
  return success[0] as [string, Operation['responses'][string]];
}

/**
 * Sends the request that the examples of an operation's parameters and body make.
 *
 * @param changed parameters whose values are these instead
 */
export function requestExample(
  gateway: TestApp,
  { method, path, operation }: (typeof operations)[number],
  changed: Record<string, string> = {},
  accept = '*/*',
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
  const example = operation.requestBody?.content['application/json'].example as object | undefined;
  const body =
    example &&
    Object.fromEntries(
      Object.entries(example).map(([name, value]) => [name, changed[name] ?? (value as unknown)]),
    );
  return gateway.app.inject({
    method: method.toUpperCase() as 'GET',
    url: `${url}?${new URLSearchParams(query).toString()}`,
    headers: {
      accept,
      ...(gateway.key !== undefined &&
        path.startsWith('/v1/webhooks') && { 'x-service-api-key': gateway.key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
}
