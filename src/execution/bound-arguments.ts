import { getArgumentValues } from 'graphql';
import { matchNothing } from '../arguments/argument.js';
import { checkBoth } from '../errors.js';
import { argumentsOf, pageRequest } from '../graphql/arguments.js';
import type { Context } from '../graphql/context.js';
import { atPresent } from '../graphql/present.js';
import type { PageArguments } from '../paging/page-request.js';
import type { QueryDigest, TokenCodec } from '../paging/token.js';
import type { DeclaredList, Shape } from '../lists/list.js';
import { shapeName } from '../lists/sql.js';
import type { ListNode, OperationPlan, RowNode } from './plan.js';
import { Unsupported } from './unsupported.js';

/** The values that the arguments of one list or row have in one request. */
export interface BoundArguments {
  /** The values of the statement's parameters, by name. */
  values: Readonly<Record<string, unknown>>;
  /** Of a row: its key. */
  key?: object;
  /** Of a list. */
  declaration?: DeclaredList;
  shape?: Shape;
  /**
   * Rows of a page of the list: a number in the statement's text, `bound` if it is a parameter; null: all.
   */
  limit?: string | null;
  /** Names the form of the statement that these arguments need. */
  name: string;
  /** Of a list: the query that its page tokens belong to, by the parent's keys. */
  digest?: (parent: object) => QueryDigest;
  /** Of a list: whether it is read from a cursor, whose row may be gone. */
  hasCursor: boolean;
  /**
   * The time at which the list is read, if that is the present: then these arguments can be used only for
   * this second.
   */
  present: string | null;
}

/** The values of a list's arguments. */
export type BoundListArguments = BoundArguments &
  Required<Pick<BoundArguments, 'declaration' | 'shape' | 'limit'>>;

/** What binding needs. */
export interface BindingOptions {
  tokens: TokenCodec;
  /** The time for lists that are read without one. */
  present: string;
  /** See Context.trusted: statements of such a document accept pages of any size. */
  trusted: Context['trusted'];
}

/**
 * Reads the arguments of a plan's lists and rows.
 *
 * @param fixed results for nodes without variables, by index; filled here and reused
 * @throws what is wrong with them, or Unsupported: then the plain executor answers
 */
export function bindArguments(
  plan: OperationPlan,
  variables: Record<string, unknown>,
  options: BindingOptions,
  fixed: Map<number, BoundArguments>,
): BoundArguments[] {
  const all: BoundArguments[] = [];
  for (const node of plan.nodes) {
    const found = fixed.get(node.index);
    const known = found && holdsAt(found, options.present) ? found : undefined;
    const args = known ? {} : getArgumentValues(node.field, node.node, variables);
    const boundNode =
      known ?? ('parts' in node ? bindList(node, args, options, all) : bindRow(node, args, options));
    // What a cursor means changes with the time.
    if (node.isFixed && !boundNode.hasCursor) fixed.set(node.index, boundNode);
    all.push(boundNode);
  }
  return all;
}

const holdsAt = ({ present }: BoundArguments, moment: string) => present === null || present === moment;

function bindRow(
  { source }: RowNode,
  args: Record<string, unknown>,
  { trusted }: BindingOptions,
): BoundArguments {
  const values = source.arguments ? argumentsOf(source.arguments, args, { trusted }) : {};
  const key = (source.keyOf ? source.keyOf(values as never) : values) as Record<string, unknown>;
  const binding = 'key' in source.find ? Object.entries(source.find.key) : [];
  const bound = binding.flatMap(([name, [, , bind]]) =>
    bind && !source.of ? [[name, bind(String(key[name]))] as const] : [],
  );
  return {
    values: Object.assign({}, key, Object.fromEntries(bound)),
    key,
    name: '',
    hasCursor: false,
    present: null,
  };
}

function bindList(
  { source, parent, on }: ListNode,
  args: PageArguments,
  { tokens, present, trusted }: BindingOptions,
  before: readonly BoundArguments[],
): BoundArguments {
  const { list, of, digest } = source;
  const own = (keys: object) =>
    Object.fromEntries(Object.entries(of).map(([name, valueOf]) => [name, valueOf(keys as never)]));
  // In the statement the parent's values are SQL: here they only show that they are given.
  const stand = own(parent?.keys ?? {});
  if (Object.values(stand).flat().includes(undefined))
    throw new Unsupported('a key that the type does not declare');
  const [values, request] = checkBoth(
    () => argumentsOf(source.arguments, args, { trusted }, stand),
    () => pageRequest(args, { trusted }, source.limits),
  );
  if (matchNothing(values)) throw new Unsupported('a filter that matches nothing');
  const ofParent = source.key ?? own;
  const digestOf = (keys: object) => digest(Object.assign({}, values, ofParent(keys as never)));
  const hasCursor = request.after !== null || request.before !== null;
  // The digest of a nested list's token differs from row to row, except below a row that the query itself
  // finds by key.
  if (hasCursor && parent && !on) throw new Unsupported('a cursor in a nested list');
  const keys = on ? (before[on.index]?.key ?? {}) : {};
  const position = (name: 'after' | 'before') => {
    const token = request[name];
    return token === null ? null : tokens.read(digestOf(keys), token, name).toString();
  };
  const cursors = checkBoth(
    () => position('after'),
    () => position('before'),
  );
  const given = Object.assign({}, stand, values);
  const query = atPresent(given, source.present, () => present);
  const { declaration, values: bound, shape } = list.bound(query as never, request);
  const limit = request.limit === null ? null : trusted ? 'bound' : String(request.limit);
  return {
    values: { ':after': cursors[0], ':before': cursors[1], ':limit': request.limit, ...bound },
    declaration,
    shape,
    limit,
    name: `${declaration.name} ${limit ?? 'all'} ${shapeName(shape)}`,
    digest: digestOf,
    hasCursor,
    // Whether the time was filled in here. A list that does not read it is not bound to this second.
    present: query !== given && (source.present ?? '') in declaration.values ? present : null,
  };
}
