import { brokenDocument } from './broken-documents.js';
import { DocumentMaker } from './documents.js';
import { bytesOf, safelyEncoded, type HttpText } from './http-text.js';
import { single, type Input } from './input.js';
import { anyList } from './list-case.js';
import { graphql, path, posted, strangeTransport } from './graphql-transport.js';
import type { Random } from './random.js';
import { dressed } from './right-requests.js';
import type { Supplies } from './supplies.js';
import { withArguments, withVariables } from './variables.js';

/** Characters of a target that fits into 16 KiB together with the other headers. */
const LONGEST_TARGET = 12_000;

/** Anything that may arrive at the GraphQL door. */
export function anyDocument(random: Random, supplies: Supplies): Input {
  return random.weighted([
    [20, rightList],
    [25, rightDocument],
    [14, wrongArguments],
    [14, wrongVariables],
    [17, wrongDocument],
    [10, strangeTransport],
  ])(random, supplies);
}

function rightList(random: Random, supplies: Supplies): Input {
  let list = anyList(random, supplies.reading);
  while (!list.graphql) list = anyList(random, supplies.reading);
  const { field, key } = list.graphql;
  const size = random.whole(1, random.chance(0.3) ? list.largestPage : 20);
  const forward = random.chance(0.7);
  const rows = forward ? list.rows.slice(0, size) : list.rows.slice(-size);
  const more = list.rows.length > size;
  const query = `{ rows: ${field}, ${forward ? 'first' : 'last'}: ${size}) { nodes { ${key} } pageInfo { hasNextPage hasPreviousPage } } }`;
  const data = {
    rows: {
      nodes: rows.map((row) => ({ [key]: row[key] as unknown })),
      pageInfo: { hasNextPage: forward && more, hasPreviousPage: !forward && more },
    },
  };
  return dressed(random, supplies, {
    text: sent(random, { query }),
    expectation: { ...graphql, statuses: [200], data },
    family: 'right',
  });
}

function rightDocument(random: Random, supplies: Supplies): Input {
  const shape = { depth: random.whole(2, 8), width: random.pick([0.2, 0.5, 1]), wrong: 0 };
  const query = new DocumentMaker(random, supplies.schema, shape).query();
  return dressed(random, supplies, {
    text: sent(random, { query }),
    expectation: graphql,
    family: 'documents',
  });
}

function wrongArguments(random: Random, supplies: Supplies): Input {
  return plain(random, 'arguments', { query: withArguments(random, supplies) });
}

function wrongVariables(random: Random): Input {
  return plain(random, 'variables', withVariables(random));
}

function wrongDocument(random: Random, supplies: Supplies): Input {
  const { query, long } = brokenDocument(random, supplies);
  // In an address a long one would be no request.
  const text = query.length > 5000 ? posted({ query }) : sent(random, { query });
  return single('broken', text.method, bytesOf(text), graphql, {
    ...(long && { long }),
    ...(query.length > 200_000 && { lone: true, exact: false }),
  });
}

function plain(random: Random, family: string, body: object): Input {
  const text = sent(random, body);
  return single(family, text.method, bytesOf(text), graphql, {
    lone: text.target.length > 8000,
    exact: text.target.length <= 8000,
  });
}

/** In one of the ways in which GraphQL travels over HTTP. */
function sent(random: Random, body: object): HttpText {
  const way = random.whole(0, 9);
  if (way > 1) {
    const accept = random.pick([
      'application/json',
      'application/graphql-response+json',
      '*/*',
      'application/graphql-response+json, application/json;q=0.9',
    ]);
    const text = posted(body);
    return random.chance(0.4) ? { ...text, headers: [...(text.headers ?? []), ['accept', accept]] } : text;
  }
  const pairs = Object.entries(body).map(
    ([name, value]) => `${name}=${safelyEncoded(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  const target = `${path}?${pairs.join('&')}`;
  // A longer one is refused for the size of its head, whatever it asks.
  if (way === 0 && target.length < LONGEST_TARGET) return { method: 'GET', target };
  return {
    method: 'POST',
    target: path,
    headers: [['content-type', 'application/x-www-form-urlencoded']],
    body: pairs.join('&'),
  };
}
