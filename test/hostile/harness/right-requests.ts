import type { Expectation } from './expectation.js';
import { bytesOf, chunked, escaped, inPieces, type HttpText } from './http-text.js';
import { single, type Input } from './input.js';
import { anyList, type ListCase } from './list-case.js';
import type { Random } from './random.js';
import type { Operation } from './operations.js';
import type { Supplies } from './supplies.js';

const NODE_ID = 'NodeID-111111111111111111116DBWJs';

/** A request that any client might send, and the one right answer to it. */
export function rightRequest(random: Random, supplies: Supplies): Input {
  const { text, expectation } = random.weighted([
    [6, rightList],
    [3, rightPage],
    [2, rightReply],
    [1, rightExample],
    [1, foreignToken],
  ])(random, supplies);
  return dressed(random, supplies, { text, expectation, family: 'right' });
}

interface Right {
  text: HttpText;
  expectation: Expectation;
}

/** Sent in one of the ways that change nothing in the answer. */
export function dressed(
  random: Random,
  { keys }: Pick<Supplies, 'keys'>,
  { text, expectation, family }: Right & { family: string },
): Input {
  const { door, operation, statuses } = expectation;
  const bare: Expectation = { door, ...(operation && { operation }), ...(statuses && { statuses }) };
  const headers: [string, string][] = [...(text.headers ?? [])] as [string, string][];
  if (random.chance(0.3))
    headers.push([random.pick(['x-service-api-key', 'X-Glacier-Api-Key']), random.pick(keys)]);
  if (random.chance(0.2))
    headers.push(['accept-encoding', random.pick(['gzip', 'deflate', 'gzip, deflate, br', '*'])]);
  if (random.chance(0.1)) headers.push(['cookie', '']);
  if (random.chance(0.1)) headers.push(['HOST', 'x.example']);
  const same = { ...text, headers };
  const way = random.whole(0, 19);
  if (way === 0 && text.method === 'GET')
    return single(family, 'HEAD', bytesOf({ ...same, method: 'HEAD' }), bare);
  if (way === 1)
    return single(family, text.method, bytesOf({ ...same, version: 'HTTP/1.0' }), expectation, {
      lone: true,
    });
  if (way === 2)
    return single(
      family,
      text.method,
      bytesOf({ ...same, headers: [...headers, ['connection', 'close']] }),
      expectation,
    );
  if (way === 3) return single(family, text.method, inPieces(random, bytesOf(same)), expectation);
  if (way === 4 && text.body !== undefined) {
    const body = chunked(random, Buffer.from(text.body));
    return single(
      family,
      text.method,
      bytesOf({ ...same, headers: [...headers, ['Transfer-Encoding', 'chunked']], body }),
      expectation,
    );
  }
  if (way === 5 && text.body === undefined) {
    // Browsers pipeline nothing and programs a few; how many are taken is for the server to say.
    const count = random.whole(2, 8);
    const bytes = Buffer.concat(Array.from({ length: count }, () => bytesOf(same)));
    return {
      ...single(family, text.method, bytes, expectation),
      methods: Array.from({ length: count }, () => text.method),
      expectations: Array.from({ length: count }, () => expectation),
    };
  }
  return single(family, text.method, bytesOf(same), expectation);
}

function rightList(random: Random, { reading, operations }: Supplies): Right {
  const list = anyList(random, reading);
  const pageSize = random.whole(1, random.chance(0.3) ? list.largestPage : 20);
  const page = { field: list.field, rows: list.rows.slice(0, pageSize), more: list.rows.length > pageSize };
  return {
    text: get(random, list, [['pageSize', String(pageSize)]]),
    expectation: rest(operations, list.path, { statuses: [200], page }),
  };
}

function rightPage(random: Random, { tokens, operations }: Supplies): Right {
  const { list, token, offset } = random.pick(tokens);
  const pageSize = random.whole(1, list.largestPage);
  const end = offset + pageSize;
  const page = { field: list.field, rows: list.rows.slice(offset, end), more: list.rows.length > end };
  const text = get(random, list, [
    ['pageSize', String(pageSize)],
    ['pageToken', token],
  ]);
  return { text, expectation: rest(operations, list.path, { statuses: [200], page }) };
}

/** The token of one list in a request for another, which reads other rows. */
function foreignToken(random: Random, { tokens, reading, operations }: Supplies): Right {
  const { token, list } = random.pick(tokens);
  let other = anyList(random, reading);
  const isSame = () => other.path === list.path && JSON.stringify(other.rows) === JSON.stringify(list.rows);
  while (isSame()) other = anyList(random, reading);
  return {
    text: get(random, other, [['pageToken', token]]),
    expectation: rest(operations, other.path, { statuses: [400] }),
  };
}

function rightReply(random: Random, { reading, operations }: Supplies): Right {
  const [target, body] = random.pick([...reading.replies]);
  return {
    text: { method: 'GET', target },
    expectation: rest(operations, target, { statuses: [200], body }),
  };
}

function rightExample(random: Random, { operations }: Supplies): Right {
  const operation = random.pick(operations);
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    escaped(random, String(operation.parameters.find((each) => each.name === name)?.example)),
  );
  // Rewards are those of addresses or of nodes, none of which has to be given.
  const query = operation.parameters
    .filter((each) => each.in === 'query' && (each.required || each.name === 'nodeIds'))
    .map(({ name, example = NODE_ID }) => `${name}=${escaped(random, String(example))}`);
  const target = query.length > 0 ? `${path}?${query.join('&')}` : path;
  // Reindexing needs a chain that answers, and this one has none.
  const statuses = operation.path.endsWith(':reindex') ? [503] : [operation.status];
  const body = operation.example === undefined ? undefined : JSON.stringify(operation.example);
  const headers: [string, string][] = body === undefined ? [] : [['content-type', 'application/json']];
  return {
    text: { method: operation.method, target, headers, body },
    expectation: { door: 'rest', operation, statuses },
  };
}

function get(random: Random, list: ListCase, more: readonly (readonly [string, string])[]): HttpText {
  const pairs = [...list.query, ...more].map(([name, value]) => `${name}=${escaped(random, value)}`);
  if (random.chance(0.1)) pairs.push(random.pick(['unknown=1', '', 'pageToken2=', '=', 'x[]=1']));
  const path = random.chance(0.2) ? list.path.replace(':', '%3A') : list.path;
  const authority = random.chance(0.05) ? 'http://x.example:80' : '';
  return { method: 'GET', target: `${authority}${path}?${pairs.join('&')}` };
}

function rest(operations: readonly Operation[], target: string, known: Partial<Expectation>): Expectation {
  return { door: 'rest', operation: operationOf(operations, target), ...known };
}

function operationOf(operations: readonly Operation[], target: string): Operation {
  const path = target.split('?')[0] ?? '';
  const found = operations.find((each) =>
    new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  if (!found) throw new Error(`no operation is at ${target}`);
  return found;
}
