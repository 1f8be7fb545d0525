import {
  getNamedType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import type { Random } from './random.js';

/** An operation of a client, made at random. */
export interface RandomOperation {
  query: string;
  variables: Record<string, unknown>;
}

/**
 * Possible values of arguments, by name or by field and name (`Query.utxo.utxoId`): right ones, and seldom
 * wrong ones.
 */
export type ArgumentPools = Readonly<
  Record<string, { right: readonly unknown[]; wrong?: readonly unknown[] }>
>;

export interface DocumentOptions {
  schema: GraphQLSchema;
  roots: readonly string[];
  pools: ArgumentPools;
  /** Cursors that were returned so far, by field: `Query.utxos`. */
  cursors: ReadonlyMap<string, readonly string[]>;
}

/** Fields that only the plain executor answers; selected seldom, so that most documents have none. */
const rare = new Set([
  'totalCount',
  'totalCountIsExact',
  'owners',
  'rewardOwners',
  'creatingAddress',
  'asset',
  'receipts',
  'effect',
  'evmAddress',
  'nfts',
]);
const DEEPEST = 9;

/** Makes an operation: random fields, aliases, fragments, variables, directives and arguments. */
export function randomOperation(random: Random, options: DocumentOptions): RandomOperation {
  return new Writer(random, options).operation();
}

class Writer {
  private readonly variables: { name: string; type: string; value: unknown; fallback?: string }[] = [];
  private readonly fragments: string[] = [];

  constructor(
    private readonly random: Random,
    private readonly options: DocumentOptions,
  ) {}

  operation(): RandomOperation {
    const { random, options } = this;
    const query = options.schema.getQueryType() as GraphQLObjectType;
    const roots = random.some(options.roots, random.chance(0.2) ? 3 : 1);
    const fields = roots.map((name, index) =>
      this.field(query, query.getFields()[name] as GraphQLField<unknown, unknown>, 1, `r${index}`),
    );
    if (random.chance(0.1)) fields.push('__typename');
    const definitions = this.variables.map(
      ({ name, type, fallback }) => `$${name}: ${type}${fallback === undefined ? '' : ` = ${fallback}`}`,
    );
    const head = definitions.length > 0 || random.chance(0.3) ? 'query Q' : '';
    const text = `${head}${definitions.length > 0 ? `(${definitions.join(', ')})` : ''} { ${fields.join(' ')} }`;
    return {
      query: [text, ...this.fragments].join('\n'),
      variables: Object.fromEntries(
        this.variables.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
      ),
    };
  }

  private field(
    type: GraphQLObjectType,
    field: GraphQLField<unknown, unknown>,
    depth: number,
    alias = '',
  ): string {
    const { random } = this;
    const inner = getNamedType(field.type);
    const args = field.args.flatMap((argument) => this.argument(`${type.name}.${field.name}`, argument));
    const selection = isObjectType(inner)
      ? ` { ${this.selection(inner, depth + 1)} }`
      : isInterfaceType(inner)
        ? ' { __typename id }'
        : '';
    const name = alias || (random.chance(0.08) ? `a${random.below(3)}` : '');
    return `${name && `${name}: `}${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${this.directive()}${selection}`;
  }

  private selection(type: GraphQLObjectType, depth: number): string {
    const { random } = this;
    const all = Object.values(type.getFields()).filter(
      ({ name, type: of }) =>
        (isLeafType(getNamedType(of)) || depth < DEEPEST) && (!rare.has(name) || random.chance(0.05)),
    );
    const rows = all.filter(({ name }) => ['nodes', 'edges', 'node'].includes(name));
    const wanted = rows.length > 0 && random.chance(0.8) ? [random.one(rows)] : [];
    const objects = all.filter(({ type: of }) => !isLeafType(getNamedType(of)));
    if (objects.length > 0 && rows.length === 0 && random.chance(0.45)) wanted.push(random.one(objects));
    const leaves = all.filter(({ type: of }) => isLeafType(getNamedType(of)));
    if (leaves.length > 0) wanted.push(...random.some(leaves, 5));
    const used = new Set<string>();
    const fields = wanted.map((field, index) => {
      // Fields under one key must be equal: the second one gets its own key.
      const alias =
        used.has(field.name) && field.args.length + Number(!isLeafType(getNamedType(field.type))) > 0;
      used.add(field.name);
      return this.field(type, field, depth, alias ? `b${index}` : '');
    });
    if (fields.length === 0 || random.chance(0.1)) fields.push('__typename');
    return this.scattered(type, fields).join(' ');
  }

  /** Moves some of the fields into a fragment. */
  private scattered(type: GraphQLObjectType, fields: string[]): string[] {
    const { random } = this;
    if (!random.chance(0.25)) return fields;
    const at = random.below(fields.length + 1);
    const [own, others] = [fields.slice(0, at), fields.slice(at)];
    if (others.length === 0) return own;
    if (random.chance(0.5)) {
      const name = `F${this.fragments.length}`;
      this.fragments.push(`fragment ${name} on ${type.name} { ${others.join(' ')} }`);
      return [...own, `...${name}${this.directive()}`];
    }
    const on = random.chance(0.5) ? ` on ${type.name}` : '';
    return [...own, `...${on}${this.directive()} { ${others.join(' ')} }`];
  }

  private directive(): string {
    const { random } = this;
    if (!random.chance(0.06)) return '';
    const value = random.chance(0.7);
    const written = random.chance(0.6) ? this.variable('Boolean!', value, String(value)) : String(value);
    return ` @${random.one(['include', 'skip'])}(if: ${written})`;
  }

  private argument(coordinate: string, { name, type, defaultValue }: GraphQLArgument): string[] {
    const { random, options } = this;
    const isNeeded = isNonNullType(type) && defaultValue === undefined;
    if (!isNeeded && !random.chance({ first: 0.45, last: 0.12, after: 0.1, before: 0.06 }[name] ?? 0.25))
      return [];
    const known = options.cursors.get(coordinate) ?? [];
    const isCursor = name === 'after' || name === 'before';
    const { right, wrong = [null] } = options.pools[`${coordinate}.${name}`] ??
      options.pools[name] ?? { right: [null] };
    const pool = isCursor && known.length > 0 ? known : right;
    const value = random.chance(0.03) ? random.one(wrong) : random.one(pool);
    const literal = literalOf(value, getNamedType(type));
    if (!random.chance(0.35)) return [`${name}: ${literal}`];
    return [`${name}: ${this.variable(String(type), value, literal)}`];
  }

  private variable(type: string, value: unknown, literal: string): string {
    const name = `v${this.variables.length}`;
    const byDefault = this.random.chance(0.15) && value !== null;
    this.variables.push(
      byDefault
        ? { name, type: type.replace(/!$/, '!'), value: undefined, fallback: literal }
        : { name, type, value },
    );
    return `$${name}`;
  }
}

function literalOf(value: unknown, type?: GraphQLNamedType): string {
  if (Array.isArray(value)) return `[${value.map((each) => literalOf(each, type)).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, each]) => `${name}: ${literalOf(each)}`)
      .join(', ')} }`;
  return typeof value === 'string' && isEnumType(type) ? value : JSON.stringify(value);
}
