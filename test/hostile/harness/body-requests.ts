import { gzipSync } from 'node:zlib';
import { deepJson, hostileJson, hostileText, longName, nearly } from './hostile-values.js';
import { bytesOf } from './http-text.js';
import { single, type Input } from './input.js';
import type { Operation } from './operations.js';
import type { Random } from './random.js';
import type { Supplies } from './supplies.js';

/** A POST whose body is not what its operation describes. */
export function bodyRequest(random: Random, supplies: Supplies): Input {
  const operation = random.pick(supplies.operations.filter((each) => each.method === 'POST'));
  const target = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    String(operation.parameters.find((each) => each.name === name)?.example),
  );
  const { body, long } = bodyOf(random, operation);
  const type = random.chance(0.8) ? 'application/json' : random.pick(types);
  const headers: [string, string][] = type === null ? [] : [['content-type', type]];
  if (random.chance(0.03)) headers.push(['content-encoding', random.pick(['gzip', 'identity', 'br', 'x'])]);
  if (random.chance(0.03)) headers.push(['expect', '100-continue']);
  const bytes = bytesOf({ method: 'POST', target, headers, body });
  // What is larger than is read may be cut off with the answer.
  const large = body.length > 200_000;
  const more = { ...(long && { long }), ...(large && { lone: true, exact: false }) };
  return single('bodies', 'POST', bytes, { door: 'rest', operation }, more);
}

const types = [
  null, '', 'application/json; charset=utf-8', 'application/json; charset=utf-16', 'application/json;', 'APPLICATION/JSON', 'text/plain', 'text/html',
  'application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/form-data; boundary=x', 'application/json, text/plain', 'application/jsonx',
  'application/vnd.api+json', 'x', ';', '*/*', 'application/json\t', `application/json; x=${'y'.repeat(5000)}`,
]; // prettier-ignore

function bodyOf(random: Random, operation: Operation): { body: Buffer; long?: string } {
  const example = operation.example ?? { chainId: '43113' };
  const way = random.whole(0, 11);
  if (way <= 5) {
    const long = random.chance(0.1) ? longName(random) : undefined;
    return { body: Buffer.from(changed(random, example, long)), ...(long && { long }) };
  }
  if (way === 6) return { body: Buffer.from(deepJson(random)) };
  if (way === 7) return { body: Buffer.from(nearly(random, JSON.stringify(example))) };
  if (way === 8) return { body: random.bytes(random.pick([1, 10, 1000])) };
  if (way === 9) return { body: strangeEncoding(random, JSON.stringify(example)) };
  if (way === 10)
    return {
      body: Buffer.from(
        `[${JSON.stringify(example)},`.padEnd(random.pick([1000, 262_143, 262_145, 400_000]), ' '),
      ),
    };
  return {
    body: Buffer.from(
      random.pick([
        '',
        ' ',
        '{}',
        '[]',
        'null',
        '0',
        '""',
        'true',
        '{"a":1,"a":2}',
        '{"__proto__":{"operator":"AND"}}',
        '{',
        '}',
        '\u2028',
        "{'a':1}",
        '{a:1}',
        '{"a":01}',
        '{"a":1,}',
        '//',
      ]),
    ),
  };
}

/** Not by `String`: objects among the hostile ones have a `toString` of their own that is no function. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** The example as JSON text with one to three members put wrong. */
function changed(random: Random, example: unknown, long: string | undefined): string {
  const copy = structuredClone(example) as object;
  for (let count = random.whole(1, 3); count > 0; count -= 1) {
    const positions = pathsOf(copy);
    const { parent, key } = random.pick(positions);
    const value =
      long ??
      (random.chance(0.4)
        ? hostileJson(random)
        : random.chance(0.5)
          ? hostileText(random)
          : nearly(random, textOf(parent[key])));
    random.weighted<() => void>([
      [6, () => (parent[key] = value)],
      [1, () => Reflect.deleteProperty(parent, key)],
      [1, () => (parent[key] = [parent[key]])],
      [1, () => (parent[key] = Array.from({ length: 12 }, () => parent[key]))],
      [1, () => (parent[textOf(value).slice(0, 300)] = parent[key])],
      // As an own member: assigning would set the prototype.
      [
        1,
        () =>
          Object.defineProperty(parent, random.pick(['__proto__', 'constructor', 'toJSON_', 'then']), {
            value: { x: value },
            enumerable: true,
            configurable: true,
            writable: true,
          }),
      ],
    ])();
  }
  return JSON.stringify(copy);
}

interface Member {
  parent: Record<string, unknown>;
  key: string;
}

function pathsOf(value: object): Member[] {
  const parent = value as Record<string, unknown>;
  const here = Object.keys(parent).map((key) => ({ parent, key }));
  const below = Object.values(parent).flatMap((each) =>
    typeof each === 'object' && each !== null ? pathsOf(each) : [],
  );
  return here.length > 0 ? [...here, ...below] : [{ parent, key: 'a' }];
}

function strangeEncoding(random: Random, text: string): Buffer {
  return random.pick([
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.concat([Buffer.from(text), Buffer.from([0])]),
    () => Buffer.from(text.replace('AND', '\xff\xfe'), 'latin1'),
    () => gzipSync(text),
    () => Buffer.from(text.replaceAll('"', '\\u0022')),
    () => Buffer.from(`${text}\n${text}`),
  ])();
}
