/** A client that notes which of its methods were called, and of which lists every page was read. */
export interface Recording<Client> {
  readonly client: Client;
  /** Names of methods, such as `data.primaryNetwork.blocks.get`. */
  readonly called: ReadonlySet<string>;
  /** Those that began a walk over pages and did not end it. */
  readonly unended: () => string[];
}

export function recordClient<Client extends object>(client: Client): Recording<Client> {
  const called = new Set<string>();
  const begun = new Set<string>();
  const ended = new Set<string>();
  const noting = (name: string, pages: AsyncIterable<unknown>) => {
    begun.add(name);
    return {
      async *[Symbol.asyncIterator]() {
        yield* pages;
        ended.add(name);
      },
    };
  };
  const wrap = (target: object, path: string): object =>
    new Proxy(target, {
      get(_, property) {
        const value: unknown = Reflect.get(target, property, target);
        const name = `${path}${String(property)}`;
        if (typeof value === 'object' && value !== null) return wrap(value, `${name}.`);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          called.add(name);
          const reply = (value as (...given: unknown[]) => unknown).apply(target, given);
          return Promise.resolve(reply).then((said) => (isPages(said) ? noting(name, said) : said));
        };
      },
    });
  return {
    client: wrap(client, '') as Client,
    called,
    unended: () => [...begun].filter((name) => !ended.has(name)),
  };
}

const isPages = (said: unknown): said is AsyncIterable<unknown> =>
  typeof said === 'object' && said !== null && Symbol.asyncIterator in said;

/** The names of all methods of a part of a client. */
export function methodsOf(part: object, path: string): string[] {
  const members = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(part));
  return Object.entries(members).flatMap(([name, member]) => {
    const value: unknown = member.value;
    const inner: unknown = member.get?.call(part);
    if (typeof inner === 'object' && inner !== null) return methodsOf(inner, `${path}.${name}`);
    return typeof value === 'function' && name !== 'constructor' ? [`${path}.${name}`] : [];
  });
}
