import type { Binds } from './list.js';

/** SQL types of a list's values, by name. */
type Types = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, unknown>>;

/** The values of a list that is read by itself. */
export const bindsAlone = (types: Types): Binds => ({
  value: (name) => `:${name}::${types[name]}`,
  cursor: (name) => `:${name}::bigint`,
});

/** The parents of a batch, whose lists are read in one statement: a row `parent` for each. */
export class Parents {
  /** The values of a list next to its parent's row. */
  readonly binds: Binds;

  /** @param names of the values that come from the parent; of an array, a parent has one item */
  constructor(
    private readonly types: Types,
    private readonly names: readonly string[],
  ) {
    const alone = bindsAlone(types);
    this.binds = {
      value: (name) => {
        if (!names.includes(name)) return alone.value(name);
        return types[name]?.endsWith('[]') ? `ARRAY[parent."${name}"]` : `parent."${name}"`;
      },
      cursor: (name) => `parent.${name}`,
    };
  }

  /** FROM of the batch. @param cursors that each parent has */
  from(cursors: readonly ('after' | 'before')[] = []): string {
    const lists = this.names.map((name) => `:${name}::${this.types[name]?.replace('[]', '')}[]`);
    const positions = cursors.map((name) => `:${name}s::bigint[]`);
    const columns = [...this.names.map((name) => `"${name}"`), ...cursors, 'ordinal'];
    return `unnest(${[...lists, ...positions].join(', ')}) WITH ORDINALITY
      AS parent(${columns.join(', ')})`;
  }

  /** What the batch is bound to. @param all the values of each list */
  values(all: readonly Values[]): Values {
    const own = this.names.map((name) => [name, all.map((values) => oneOf(values[name]))]);
    return { ...all[0], ...(Object.fromEntries(own) as Values) };
  }
}

function oneOf(value: unknown): unknown {
  return Array.isArray(value) ? (value[0] as unknown) : value;
}
