import type { Expectation } from './expectation.js';
import { hostileJson, hostileText } from './hostile-values.js';
import { bytesOf, safelyEncoded, type HttpText } from './http-text.js';
import { single, type Input } from './input.js';
import type { Random } from './random.js';

/** An answer of which only the form is known. */
export const graphql: Expectation = { door: 'graphql' };

export const path = '/graphql';

/** As most clients send it. */
export function posted(body: unknown): HttpText {
  return {
    method: 'POST',
    target: path,
    headers: [['content-type', 'application/json']],
    body: JSON.stringify(body),
  };
}

/** A right document carried wrongly. */
export function strangeTransport(random: Random): Input {
  const request = { query: '{ __typename }' };
  const text = random.pick<() => HttpText>([
    () => posted([request, request]),
    () => posted(hostileJson(random)),
    () => posted({ query: hostileJson(random) }),
    () => posted({ ...request, operationName: hostileJson(random) }),
    () => posted({ ...request, extensions: hostileJson(random) }),
    () => posted({ ...request, variables: hostileJson(random) }),
    () => posted({ ...request, [hostileText(random)]: hostileJson(random) }),
    () => posted({ extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } }),
    () => ({ ...posted(request), body: JSON.stringify(request).slice(0, random.whole(0, 20)) }),
    () => ({ ...posted(request), body: random.bytes(random.pick([0, 1, 100])) }),
    () => ({ ...posted(request), headers: [['content-type', random.pick(types)]] }),
    () => ({
      ...posted(request),
      headers: [
        ['content-type', 'application/json'],
        [
          'accept',
          random.pick([
            '',
            'text/plain',
            'application/xml',
            'text/event-stream',
            'multipart/mixed',
            'application/json; charset=utf-16',
            'application/json;q=0',
            ',',
            '*',
          ]),
        ],
      ],
    }),
    () => ({
      method: 'POST',
      target: path,
      headers: [['content-type', 'application/graphql']],
      body: request.query,
    }),
    () => ({
      method: 'POST',
      target: `${path}?query=${safelyEncoded(request.query)}`,
      headers: [['content-type', 'application/json']],
      body: '{}',
    }),
    () => ({
      method: 'GET',
      target: `${path}?query=${random.pick(['', '%', '%7B', '%00', '%ff', '{__typename}', '%7B__typename%7D&query=%7Ba%7D'])}`,
    }),
    () => ({
      method: 'GET',
      target: `${path}?query=%7B__typename%7D&variables=${safelyEncoded(hostileText(random))}`,
    }),
    () => ({ method: 'GET', target: `${path}?query=mutation%7B__typename%7D` }),
    () => ({
      method: random.pick(['PUT', 'DELETE', 'PATCH', 'HEAD', 'TRACE', 'PROPFIND']),
      target: path,
      headers: [['content-type', 'application/json']],
      body: '{}',
    }),
    () => ({
      method: 'POST',
      target: `${path}${random.pick(['/', '/x', '//', '?', '%00', '/stream'])}`,
      headers: [['content-type', 'application/json']],
      body: JSON.stringify(request),
    }),
    () => ({
      method: 'POST',
      target: path,
      headers: [['content-type', 'multipart/form-data; boundary=x']],
      body: '--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{"query":"{ __typename }"}\r\n--x--\r\n',
    }),
  ])();
  // Other paths are of the other door; a slash at the end makes none.
  const own = /^\/graphql\/?(\?|$)/.test(text.target);
  return single('transport', text.method, bytesOf(text), own ? graphql : null, { lone: true });
}

const types = [
  '',
  'application/json; charset=utf-8',
  'application/json;charset=utf-16',
  'APPLICATION/JSON',
  'application/graphql+json',
  'text/plain',
  'application/jsonx',
  '*/*',
  ';',
  'application/json, text/plain',
];
