import { buildSchema, execute, parse, type GraphQLSchema } from 'graphql';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Access } from '../../src/access/access-control.js';
import { type Charge, createCharge } from '../../src/access/charge.js';
import { FieldLimiter } from '../../src/access/field-limiter.js';
import { limiterOn, type Limiter } from '../../src/access/limiter.js';
import { MemoryStore } from '../../src/access/memory-store.js';
import { resolvePlans, type Plan } from '../../src/access/plans.js';
import { Admission } from '../../src/graphql/limits/admission.js';
import { guardRootFields } from '../../src/graphql/limits/root-fields.js';
import { RequestRecord } from '../../src/telemetry/request-record.js';

const plan: Plan = {
  name: 'free',
  requests: 50,
  seconds: 60,
  perDay: null,
  streams: 10,
  events: 50,
  rights: [],
};
const identity = 'key:1';

let schema: GraphQLSchema;
let limiter: Limiter;
let admission: Admission;
let resolved: string[];

beforeEach(() => {
  schema = buildSchema(`
    type Query { one: Item, two(id: Int): Item, rateLimit: Int, plain: Int }
    type Mutation { first: Int, second: Int }
    type Item { one: Item, name: String }
  `);
  resolved = [];
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      if (field.name === 'plain') continue;
      field.resolve = () => {
        resolved.push(field.name);
        return field.name === 'one' || field.name === 'two' ? { name: 'x', one: { name: 'y' } } : 1;
      };
    }
  }
  const clock = () => 1_790_000_000_000;
  limiter = limiterOn(new MemoryStore({ tolerance: 1000, first: 1000, longest: 1000 }, clock));
  const free = new Set(['rateLimit']);
  guardRootFields(schema, free);
  const fields = new FieldLimiter(schema, free, { plans: resolvePlans(), limiter }, clock);
  const limits = { MAX_COST: 1000, MAX_DEPTH: 10, MAX_ALIASES: 100, MAX_TOKENS: 1000 };
  admission = new Admission({
    schema,
    limits,
    fields,
    freeFields: free,
    makeRoom: () => true,
    isAnswered: () => true,
  });
});

async function used(): Promise<number> {
  return plan.requests - (await limiter.peek(identity, plan)).remaining;
}

async function run(source: string, variableValues?: Record<string, unknown>, paid?: Charge) {
  const document = parse(source);
  const operation = admission.operationOf(document, undefined);
  if (!operation) throw new Error('no operation');
  const charge = paid ?? createCharge(limiter, { identity, plan });
  const access = { charge, record: new RequestRecord((text) => text) } as Access;
  const { refusal } = await admission.admit(admission.measure(operation, variableValues), access);
  const contextValue = { charge, refusal };
  return execute({ schema, document, contextValue, rootValue: { plain: 7 }, variableValues });
}

describe('a GraphQL operation', () => {
  test.each([
    ['{ one { name } }', 1],
    ['{ one { one { name } name } two { name } }', 2],
    ['{ a: one { name } b: one { name } c: two(id: 1) { name } }', 3],
    ['{ one { name } one { one { name } } }', 1],
    ['{ ...Both ... on Query { x: plain } } fragment Both on Query { one { name } two { name } }', 3],
    ['query ($no: Boolean = false) { one { name } two @include(if: $no) { name } plain @skip(if: true) }', 1],
    ['mutation { first second again: first }', 3],
    ['{ one { name } rateLimit __typename __schema { queryType { name } } }', 2],
    ['{ rateLimit __typename __schema { queryType { name } } }', 1],
    ['{ rateLimit __typename }', 1],
  ])('%s costs %i', async (source, cost) => {
    const { data, errors } = await run(source);
    expect(errors).toBeUndefined();
    expect(data).toBeTruthy();
    expect(await used()).toBe(cost);
  });

  test('with @include counts by its variables', async () => {
    const source = 'query ($yes: Boolean!) { one { name } two @include(if: $yes) { name } }';
    await run(source, { yes: true });
    expect(await used()).toBe(2);
    await run(source, { yes: false });
    expect(await used()).toBe(3);
  });

  test('a field without a resolver of its own keeps its default', async () => {
    expect((await run('{ plain }')).data).toEqual({ plain: 7 });
  });

  test('over the limit is refused as a whole: no resolver runs, nothing is charged, free fields answer', async () => {
    for (let index = 0; index < 24; index += 1) await run('{ one { name } two { name } }');
    resolved = [];
    const { data, errors } = await run('{ a: one { name } b: one { name } c: two { name } rateLimit }');
    expect(resolved).toEqual(['rateLimit']);
    expect(data).toEqual({ a: null, b: null, c: null, rateLimit: 1 });
    expect(errors?.map((error) => error.originalError)).toEqual(
      Array.from(
        { length: 3 },
        () =>
          expect.objectContaining({
            code: 'RATE_LIMITED',
            retryAfterSeconds: 60,
            message:
              'The rate limit of the plan free is reached: 50 requests in 60 seconds. Try again in 60 seconds.',
          }) as unknown,
      ),
    );
    expect(await used()).toBe(48);
    expect((await run('{ one { name } two { name } }')).errors).toBeUndefined();
  });

  test('over the limit fails whole if it has introspection, or free fields alone', async () => {
    for (let index = 0; index < 25; index += 1) await run('{ one { name } two { name } }');
    for (const source of ['{ one { name } __schema { queryType { name } } }', '{ rateLimit }'])
      await expect(run(source)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('that nobody admitted runs no field that is not free', async () => {
    const contextValue = { charge: createCharge(limiter, { identity, plan }) };
    const document = parse('{ one { name } rateLimit }');
    expect(await execute({ schema, document, contextValue })).toMatchObject({
      data: { one: null, rateLimit: 1 },
      errors: [{ message: expect.stringContaining('without admission') as unknown }],
    });
    expect(resolved).toEqual(['rateLimit']);
  });

  test('that is a mutation over the limit runs none of its fields, though they run one after the other', async () => {
    for (let index = 0; index < 49; index += 1) await run('{ plain }');
    const { errors } = await run('mutation { first second }');
    expect(errors).toHaveLength(2);
    expect(resolved).toEqual([]);
  });

  test('with more root fields than the plan ever allows is too complex, not something to wait for, and costs 1', async () => {
    const source = `{ ${Array.from({ length: 51 }, (_, index) => `f${index}: plain`).join(' ')} }`;
    const { errors } = await run(source);
    expect(errors?.[0]?.originalError).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
    expect(await used()).toBe(1);
  });
});

test('200 operations at once against a limit of 50 admit exactly 50', async () => {
  const results = await Promise.all(Array.from({ length: 200 }, () => run('{ one { name } }')));
  expect(results.filter((result) => !result.errors)).toHaveLength(50);
  expect(resolved).toHaveLength(50);
});

test('REST pays once for its whole document, and both doors together admit exactly the limit', async () => {
  async function viaRest(): Promise<boolean> {
    const charge = createCharge(limiter, { identity, plan });
    if (!(await charge.take(1)).admitted) return false;
    return !(await run('{ one { name } two { name } }', undefined, charge)).errors;
  }
  async function viaGraphql(): Promise<boolean> {
    return !(await run('{ one { name } }')).errors;
  }
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, (_, index) => (index % 2 ? viaRest() : viaGraphql())),
  );
  expect(outcomes.filter(Boolean)).toHaveLength(50);
});

test('a charge tells how the client stands, before it is taken and after', async () => {
  const charge = createCharge(limiter, { identity, plan });
  expect(charge.decision).toBeUndefined();
  expect(await charge.standing()).toMatchObject({ admitted: true, remaining: 50 });
  await charge.take(2);
  await charge.take(2);
  expect(charge.decision).toMatchObject({ admitted: true, remaining: 48 });
  expect(await charge.standing()).toBe(charge.decision);
});
