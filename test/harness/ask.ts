import { expect } from 'vitest';
import type { TestApp } from './app.js';

/** The data of a query that has no error. */
export async function ask<Data>(gateway: TestApp, query: string): Promise<Data> {
  const { data, errors } = await gateway.graphql<Data>(query);
  expect(errors).toBeUndefined();
  return data;
}

/** The same twice: a document that was seen before may be answered in another way. */
export async function askTwice<Data>(gateway: TestApp, query: string): Promise<Data> {
  const first = await ask<Data>(gateway, query);
  expect(await ask(gateway, query)).toEqual(first);
  return first;
}
