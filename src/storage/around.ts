import type { Database } from './prisma.js';

/** Runs a piece of work that needs a connection. `name`: `Model.operation`, `$transaction` and the like. */
export type Around = <T>(name: string, work: () => Promise<T>) => Promise<T>;

type Call = (...values: unknown[]) => Promise<unknown>;

/**
 * The client, each call of which runs inside of `around`; a transaction is one call. By proxies, as one is made for each
 * request: `$extends` takes a third of a millisecond.
 */
export function callsAround(database: Database, around: Around): Database {
  return new Proxy(database, {
    get(_database, key: keyof Database & string) {
      const value: unknown = database[key];
      if (typeof value === 'function')
        return (...values: unknown[]) => around(key, () => (value as Call).apply(database, values));
      return typeof value === 'object' && value ? modelAround(key, value, around) : value;
    },
  });
}

function modelAround(name: string, model: object, around: Around): object {
  return new Proxy(model, {
    get(_model, key: string) {
      const call = (model as Record<string, unknown>)[key];
      if (typeof call !== 'function') return call;
      return (...values: unknown[]) => around(`${name}.${key}`, () => (call as Call).apply(model, values));
    },
  });
}
