import type { Database } from './prisma.js';

/**
 * Runs work that needs a connection, on a client that it passes. `name`: `Model.operation`, `$transaction` and the
 * like.
 */
export type Around = <T>(name: string, work: (database: Database) => Promise<T>) => Promise<T>;

type Call = (...values: unknown[]) => Promise<unknown>;
type Model = Record<string, Call>;

/**
 * A client each call of which runs inside `around`, on the client that `around` passes; a transaction is one call. It
 * consists of proxies, because each request has one and `$extends` takes a third of a millisecond.
 *
 * @param database the client whose calls it has
 */
export function callsAround(database: Database, around: Around): Database {
  return new Proxy(database, {
    get(_database, key: keyof Database & string) {
      const value: unknown = database[key];
      if (typeof value === 'function')
        return (...values: unknown[]) => around(key, (on) => (on[key] as Call).apply(on, values));
      return typeof value === 'object' && value ? modelAround(key, value, around) : value;
    },
  });
}

function modelAround(name: keyof Database & string, model: object, around: Around): object {
  return new Proxy(model, {
    get(_model, key: string) {
      const call = (model as Record<string, unknown>)[key];
      if (typeof call !== 'function') return call;
      return (...values: unknown[]) =>
        around(`${name}.${key}`, (on) => {
          const its = on[name] as unknown as Model;
          return (its[key] as Call).apply(its, values);
        });
    },
  });
}
