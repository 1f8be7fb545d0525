import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../../src/graphql/context.js';
import { createApp, type TestApp } from '../harness/app.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

/** Every name that an object answers to, its own and those of its classes. */
function namesOf(object: object): string[] {
  const names = new Set<string>();
  for (
    let each: object | null = object;
    each && each !== Object.prototype;
    each = Object.getPrototypeOf(each) as object
  )
    for (const name of Reflect.ownKeys(each)) names.add(String(name));
  return [...names];
}

test('a request can neither close the database nor learn where it is', () => {
  const reader = gateway.services.storage.of('somebody');
  const kept = ['close', 'url', 'description', 'execute', 'session', 'aside', 'whole', 'pool'];
  expect(namesOf(reader).filter((name) => kept.includes(name))).toEqual([]);
  expect(namesOf(gateway.services.storage)).toEqual(
    expect.arrayContaining(['close', 'url', 'execute', 'session']),
  );
});

test('a resolver that tries to does not compile', () => {
  // Never called: the compiler refuses each line for what it says.
  const resolver = async ({ storage, config }: Context): Promise<unknown[]> => [
    // @ts-expect-error a request reads; the process closes
    await storage.close(),
    // @ts-expect-error the address has a password
    storage.url,
    // @ts-expect-error sessions are for imports and exports
    await storage.session(() => Promise.resolve()),
    // @ts-expect-error the address has a password
    config.DATABASE_URL,
  ];
  expect(resolver).toBeTypeOf('function');
});
