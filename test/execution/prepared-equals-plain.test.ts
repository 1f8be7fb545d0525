import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Access } from '../../src/access/access-control.js';
import { publicSchema } from '../../src/graphql/internal.js';
import type { TokenCodec } from '../../src/paging/token.js';
import { buildSchema } from '../../src/schema.js';
import { createApp, type TestApp } from '../harness/app.js';
import { extremes } from '../harness/extremes.js';
import { Random } from '../harness/random.js';
import { argumentPools } from '../harness/argument-pools.js';
import { randomOperation, type RandomOperation } from '../harness/random-document.js';
import { importRows } from '../harness/seed.js';

/** Documents of one run; 10,000 before a release. */
const RUNS = Number(process.env['EQUALITY_RUNS'] ?? 400);
const SEED = Number(process.env['EQUALITY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

let gateway: TestApp;
let statements: string[] = [];
let accesses: Access[] = [];

beforeAll(async () => {
  gateway = await createApp(
    {
      RATE_LIMITS: 'on',
      PLANS: JSON.stringify({ anonymous: { requests: 1e9, seconds: 86_400, perDay: null } }),
    },
    { sample: true, tokens: repeatable },
  );
  await importRows(gateway.storage, 'fuji.p-chain.transactions', [extremes()]);
  const { storage, accessControl } = gateway.services;
  const read = storage.read.bind(storage);
  storage.read = (statement, values) => {
    statements.push(statement.name);
    return read(statement, values);
  };
  const admit = accessControl.admit.bind(accessControl);
  accessControl.admit = async (...request) => {
    const access = await admit(...request);
    accesses.push(access);
    return access;
  };
});
afterAll(() => gateway.close());

test(`a document that was seen before is answered like a new one, whatever it asks (EQUALITY_SEED=${SEED})`, async () => {
  const schema = publicSchema(buildSchema());
  const random = new Random(SEED);
  const pools = argumentPools(random);
  const cursors = new Map<string, string[]>();
  const roots = [
    ...['block', 'transaction', 'transactions', 'utxo', 'utxos', 'vertex', 'vertices'],
    ...['address', 'asset', 'assets', 'chains', 'icmMessages'],
    ...['subnet', 'subnets', 'validator', 'validators'],
    ...['l1Validator', 'l1Validators'],
  ];
  let prepared = 0;
  let refused = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const made = randomOperation(random, { schema, roots, pools, cursors });
    // No document comes twice by chance.
    const operation = { ...made, query: `${made.query} # ${run}` };
    const plain = await ask(operation);
    const again = await ask(operation);
    const shown = `EQUALITY_SEED=${SEED}, document ${run}: ${JSON.stringify(operation)}`;
    expect(again.answer, shown).toEqual(plain.answer);
    // Their order too is GraphQL's.
    expect(JSON.stringify(again.body.data), shown).toBe(JSON.stringify(plain.body.data));
    if (plain.statements.some((name) => name.startsWith('operation:')))
      throw new Error(`not plain: ${shown}`);
    if (again.statements.some((name) => name.startsWith('operation:'))) prepared += 1;
    if (plain.body.errors) refused += 1;
    for (const [field, cursor] of cursorsIn(plain.body.data)) {
      const known = cursors.get(field) ?? [];
      cursors.set(field, [...known.slice(-20), cursor]);
    }
  }
  console.log(`${RUNS} documents, seed ${SEED}: ${prepared} by one statement, ${refused} with errors`);
  // What the generator makes must reach what is tested.
  expect(prepared).toBeGreaterThan(RUNS / 4);
  expect(refused).toBeGreaterThan(RUNS / 50);
});

async function ask({ query, variables }: RandomOperation) {
  statements = [];
  accesses = [];
  const reply = await gateway.post(
    '/graphql',
    { 'content-type': 'application/json' },
    JSON.stringify({ query, variables }),
  );
  const { extensions, ...body } = reply.body as {
    data?: object;
    errors?: object[];
    extensions?: { cost: { remaining: number }; rateLimit: { remaining: number } };
  };
  const [access] = accesses;
  const before = remaining;
  remaining = extensions?.rateLimit.remaining ?? NaN;
  const headers = Object.entries(reply.headers).filter(
    ([name]) => !['date', 'content-length', 'x-request-id'].includes(name),
  );
  const answer = {
    ...{ status: reply.status, headers, body },
    ...{ cost: access?.record.cost, operation: access?.record.operation, charge: before - remaining },
    ...{ told: { ...extensions?.cost, remaining: 0 }, agrees: extensions?.cost.remaining === remaining },
    standing: { ...extensions?.rateLimit, remaining: 0, resetSeconds: 0 },
  };
  return { body, answer, statements };
}

let remaining = 1e9;

/** The same token for the same place of the same list, so that answers can be compared. */
function repeatable(codec: TokenCodec): TokenCodec {
  const places = new Map<string, bigint>();
  return {
    ...codec,
    issue(query, position) {
      const hex = createHash('sha256').update(query).update(String(position)).digest('hex');
      const token = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
      places.set(`${token} ${query.toString('hex')}`, position);
      return token;
    },
    read: (query, token, ...rest) =>
      places.get(`${token} ${query.toString('hex')}`) ?? codec.read(query, token, ...rest),
  };
}

/** Cursors of the lists of the query in an answer, by field. */
function cursorsIn(data: object | null | undefined): [field: string, cursor: string][] {
  return Object.values(data ?? {}).flatMap((list: any) => {
    const rows = (list?.edges ?? []) as { cursor?: string; node?: object }[];
    const ends = [
      list?.pageInfo?.endCursor,
      list?.pageInfo?.startCursor,
      ...rows.map(({ cursor }) => cursor),
    ];
    return ends.flatMap((cursor) =>
      typeof cursor === 'string'
        ? [
            'utxos',
            'transactions',
            'vertices',
            'chains',
            'icmMessages',
            'assets',
            'subnets',
            'validators',
          ].map((name) => [`Query.${name}`, cursor] as [string, string])
        : [],
    );
  });
}
