import { METHODS } from 'node:http';
import type { Expectation } from './expectation.js';
import { hostileText, longName } from './hostile-values.js';
import { bytesOf, escaped } from './http-text.js';
import { raw, single, type Input } from './input.js';
import type { Operation } from './operations.js';
import type { Random } from './random.js';
import type { Supplies } from './supplies.js';

const pages = [
  '/',
  '/graphql',
  '/docs',
  '/docs/',
  '/openapi.json',
  '/health',
  '/ready',
  '/metrics',
  '/v1/live-check',
  '/v2/health-check',
  '/favicon.ico',
  '/robots.txt',
];

/** A request of a path, or with a method, that is not there. */
export function pathRequest(random: Random, supplies: Supplies): Input {
  return random.weighted([
    [4, bentPath],
    [3, otherMethod],
    [2, strangeTarget],
    [1, knownPage],
  ])(random, supplies);
}

function exampleOf(random: Random, operation: Operation): string {
  return operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    escaped(random, String(operation.parameters.find((each) => each.name === name)?.example)),
  );
}

function bentPath(random: Random, { operations }: Supplies): Input {
  const segments = exampleOf(random, random.pick(operations)).split('/');
  const at = random.whole(1, segments.length - 1);
  const long = random.chance(0.1) ? longName(random, 15_000) : undefined;
  const other = long ?? escaped(random, hostileText(random));
  random.pick([
    () => segments.splice(at, 1),
    () => segments.splice(at, 0, other),
    () => segments.splice(at, 1, other),
    () => segments.push(other),
    () => segments.push(''),
    () => segments.splice(at, 0, ''),
    () => segments.splice(at, 0, random.pick(['.', '..', '%2e%2e', '%2f', '%5c', '\\', ';a=b'])),
    () => segments.splice(at, 1, (segments[at] ?? '').toUpperCase()),
    () =>
      segments.splice(
        at,
        1,
        `${segments[at]}${random.pick(['%20', '%00', '%', '%ff', ':', '::', ':reindex', '#x', '%23'])}`,
      ),
  ])();
  return single(
    'paths',
    'GET',
    bytesOf({ method: 'GET', target: segments.join('/') || '/' }),
    { door: 'rest' },
    long ? { long } : {},
  );
}

function otherMethod(random: Random, { operations }: Supplies): Input {
  const operation = random.pick(operations);
  const target = random.chance(0.8) ? exampleOf(random, operation) : random.pick(pages);
  const known = random.chance(0.6);
  const method = known
    ? random.pick(METHODS.filter((each) => each !== 'CONNECT' && each !== 'GET'))
    : random.pick([
        'get',
        'Get',
        'FOO',
        'G ET',
        'GETX',
        'BREW',
        '',
        '\0',
        'GÉT',
        'A'.repeat(100),
        'PRI',
        'CONNECT',
        '_',
        'GET\t',
      ]);
  const bytes = bytesOf({ method, target, ...(random.chance(0.3) && { body: hostileText(random) }) });
  // A refused method's body is not read, which may end the connection.
  if (known) return single('methods', method, bytes, { door: doorOf(target) }, { lone: true });
  return raw('methods', bytes);
}

function strangeTarget(random: Random): Input {
  const list = '/v1/networks/fuji/blockchains/p-chain/utxos';
  const target = random.pick([
    `http://x.example${list}`, `HTTP://X.EXAMPLE:99999${list}`, `https://x.example${list}`, `ftp://x${list}`, `//x.example${list}`, `///${list}`,
    '*', 'x', '', list.slice(1), `http://${list}`, 'http://', 'http:', `http://a:b@x.example${list}`, `http://[::1]${list}`, `http://[${list}`,
    `${list}#a`, `${list}?#`, `${list}?`, `${list}??`, `${list}?&&&`, `${list}?=`, `/%`, '/%00', '/%zz', '/\xff', '/\u{1F600}', `${list}\x01`,
    `/${longName(random, 60_000)}`, `${list}?${longName(random, 60_000)}`, '/v1', '/v1/', '/v2/', '/v3/x', '/v1/networks', '/V1/CHAINS', '/v1//chains',
    '/../v1/chains', '/./v1/chains', '/v1/%2e%2e/v1/chains', '/v1/chains/%2e%2e', '/v1%2Fchains', '/%76%31/chains', '/__proto__', '/v1/__proto__', '/constructor',
  ]); // prettier-ignore
  // Node's own parser decides which of these are requests at all; a refusal then does not know a HEAD and has
  // a body.
  const method = random.pick(['GET', 'GET', 'POST', 'OPTIONS']);
  return raw('targets', bytesOf({ method, target }), { methods: [method] });
}

function knownPage(random: Random): Input {
  const target = random.pick(pages);
  const accept = random.pick([
    '*/*',
    'text/html',
    'application/json',
    'image/png',
    '',
    'text/html;q=0',
    '*',
    ',,,',
  ]);
  const headers: [string, string][] = [['accept', accept]];
  if (random.chance(0.3))
    headers.push([
      random.pick(['if-none-match', 'if-modified-since', 'range', 'accept-language']),
      hostileHeader(random),
    ]);
  return single('pages', 'GET', bytesOf({ method: 'GET', target, headers }), { door: doorOf(target) });
}

function doorOf(target: string): Expectation['door'] {
  if (target === '/graphql') return 'graphql';
  return target.startsWith('/v') ? 'rest' : 'page';
}

function hostileHeader(random: Random): string {
  return random.pick([
    '*',
    '"x"',
    'bytes=0-',
    'bytes=-1',
    'bytes=9-1',
    'x',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'bytes=0-0,1-1',
  ]);
}
