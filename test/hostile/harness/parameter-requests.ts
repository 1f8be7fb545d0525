import type { Expectation } from './expectation.js';
import { hostileText, longName, nearly } from './hostile-values.js';
import { bytesOf, escaped } from './http-text.js';
import { single, type Input } from './input.js';
import type { Operation, Parameter } from './operations.js';
import type { Random } from './random.js';
import type { Supplies } from './supplies.js';

/** A request of an operation of which some parameters are wrong, strange, repeated or of another list. */
export function parameterRequest(random: Random, supplies: Supplies): Input {
  const operation = random.pick(supplies.operations);
  const touched = new Set(
    Array.from({ length: random.whole(1, 3) }, () =>
      random.pick(operation.parameters.map(nameOf).concat(['unknown'])),
    ),
  );
  const long = random.chance(0.05) ? longName(random, 15_000) : undefined;
  const valueOf = (parameter: Parameter) => {
    if (!touched.has(parameter.name)) return exampleOf(random, parameter);
    if (long && random.chance(0.7)) return long;
    return wrong(random, parameter, supplies);
  };
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encoded(random, valueOf(operation.parameters.find((each) => each.name === name) as Parameter)),
  );
  const query = operation.parameters
    .filter((each) => each.in === 'query' && (touched.has(each.name) || random.chance(0.2)))
    .flatMap((each) => written(random, each.name, valueOf(each)));
  if (touched.has('unknown'))
    query.push(`${escaped(random, long ?? hostileText(random))}=${escaped(random, hostileText(random))}`);
  const target = `${path}${query.length > 0 ? '?' : ''}${query.join(random.chance(0.95) ? '&' : random.pick([';', '&&', '&?']))}`;
  const body = operation.example === undefined ? undefined : JSON.stringify(operation.example);
  const headers: [string, string][] = body === undefined ? [] : [['content-type', 'application/json']];
  const expectation = expectationOf(operation, target);
  const bytes = bytesOf({ method: operation.method, target, headers, body });
  return single('parameters', operation.method, bytes, expectation, long ? { long } : {});
}

/** A path may have become another one, whose answer is as right. */
function expectationOf(operation: Operation, target: string): Expectation {
  const path = target.split('?')[0] ?? '';
  const shape = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`);
  return shape.test(path) ? { door: 'rest', operation } : { door: 'rest' };
}

const nameOf = ({ name }: Parameter) => name;

/** What a client might give. */
const exampleOf = (random: Random, parameter: Parameter): string => {
  const { example } = parameter;
  return typeof example === 'string' || typeof example === 'number'
    ? String(example)
    : usual(random, parameter);
};

function usual(random: Random, { schema, name }: Parameter): string {
  if (schema.enum) return random.pick(schema.enum);
  if (schema.type === 'boolean') return random.pick(['true', 'false']);
  if (schema.type === 'integer' || schema.type === 'number') return String(random.whole(1, 50));
  return name === 'pageToken' ? '' : hostileText(random);
}

function wrong(random: Random, parameter: Parameter, { tokens }: Supplies): string {
  if (parameter.name === 'pageToken' && random.chance(0.7)) {
    const { token } = random.pick(tokens);
    return random.chance(0.5) ? token : nearly(random, token);
  }
  if (parameter.name === 'addresses' && random.chance(0.3))
    return Array.from({ length: random.pick([2, 64, 65, 200]) }, () =>
      random.chance(0.5) ? nearly(random, String(parameter.example)) : String(parameter.example),
    ).join(',');
  return random.chance(0.4) ? nearly(random, exampleOf(random, parameter)) : hostileText(random);
}

/** One parameter in the query as some client might write it. */
function written(random: Random, name: string, value: string): string[] {
  const usually = `${name}=${encoded(random, value)}`;
  const way = random.whole(0, 19);
  if (way === 0) return [usually, usually];
  if (way === 1) return [usually, `${name}=${encoded(random, hostileText(random))}`];
  if (way === 2) return [`${name}[]=${encoded(random, value)}`];
  if (way === 3) return [`${name}[a][b]=${encoded(random, value)}`];
  if (way === 4) return [name];
  if (way === 5) return [`${name}==${encoded(random, value)}`];
  if (way === 6) return [`${escaped(random, name)}=${encoded(random, value)}`];
  if (way === 7) return Array.from({ length: 1000 }, () => `${name}=1`);
  return [usually];
}

// Wrongly encoded now and then: a lone percent sign, bytes that are no UTF-8, overlong forms.
function encoded(random: Random, value: string): string {
  if (random.chance(0.94)) return escaped(random, value);
  return (
    escaped(random, value) +
    random.pick([
      '%',
      '%z',
      '%zz',
      '%f',
      '%ff',
      '%c0%af',
      '%ed%a0%80',
      '%u0041',
      '%00',
      '%0d%0ax-a:%20b',
      '+',
      '%2F',
      '%3F',
      '%23',
    ])
  );
}
