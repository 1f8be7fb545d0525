import { getArgumentValues } from 'graphql';
import { askForNothing } from '../arguments/argument.js';
import { checkBoth } from '../errors.js';
import { argumentsOf, pageRequest } from '../graphql/arguments.js';
import type { Context } from '../graphql/context.js';
import { atPresent } from '../graphql/present.js';
import type { PageArguments } from '../paging/page-request.js';
import type { QueryDigest, TokenCodec } from '../paging/token.js';
import type { HeldList, Shape } from '../lists/list.js';
import { shapeName } from '../lists/sql.js';
import type { ListNode, OperationPlan, RowNode } from './plan.js';
import { Unsupported } from './unsupported.js';

/** What the arguments of one list or row come to. */
export interface Asking {
  /** What a statement's slots are filled with, by name. */
  values: Readonly<Record<string, unknown>>;
  /** Of a row: what it is asked for by. */
  key?: object;
  /** Of a list. */
  declaration?: HeldList;
  shape?: Shape;
  /** Rows of a page of the list: what the statement's text says, or `asked` where a value does; null: all. */
  limit?: string | null;
  /** Tells the statements apart that the list may stand in. */
  name: string;
  /** Of a list: what tokens of rows belong to, by the parent's keys. */
  digest?: (parent: object) => QueryDigest;
  /** Of a list: whether it is read from a cursor, whose row may be gone. */
  hasCursor: boolean;
  /** The moment that it is asked for by, where that is the present: what it is asked for holds no longer than that. */
  present: string | null;
}

/** What the arguments of a list come to. */
export type ListAsking = Asking & Required<Pick<Asking, 'declaration' | 'shape' | 'limit'>>;

/** What arguments are read with. */
export interface AskingOptions {
  tokens: TokenCodec;
  /** The moment for those that are asked for without one. */
  present: string;
  /** See Context.trusted: such a document's statements take pages of any size. */
  trusted: Context['trusted'];
}

/**
 * What the arguments of a plan's lists and rows mean.
 *
 * @param fixed what those without variables were found to mean the last time, filled here
 * @throws what is wrong with them, or Unsupported: in either case the plain executor has the word
 */
export function readAsked(
  plan: OperationPlan,
  variables: Record<string, unknown>,
  options: AskingOptions,
  fixed: Map<number, Asking>,
): Asking[] {
  const all: Asking[] = [];
  for (const node of plan.asked) {
    const found = fixed.get(node.index);
    const known = found && holdsAt(found, options.present) ? found : undefined;
    const args = known ? {} : getArgumentValues(node.field, node.node, variables);
    const asking =
      known ?? ('parts' in node ? listAsking(node, args, options, all) : rowAsking(node, args, options));
    // What a cursor stands for changes with the time.
    if (node.isFixed && !asking.hasCursor) fixed.set(node.index, asking);
    all.push(asking);
  }
  return all;
}

const holdsAt = ({ present }: Asking, moment: string) => present === null || present === moment;

function rowAsking({ source }: RowNode, args: Record<string, unknown>, { trusted }: AskingOptions): Asking {
  const values = source.arguments ? argumentsOf(source.arguments, args, { trusted }) : {};
  const key = (source.asked ? source.asked(values as never) : values) as Record<string, unknown>;
  const binding = 'key' in source.find ? Object.entries(source.find.key) : [];
  const bound = binding.flatMap(([name, [, , bind]]) =>
    bind && !source.of ? [[name, bind(String(key[name]))] as const] : [],
  );
  return {
    values: { ...key, ...Object.fromEntries(bound) },
    key,
    name: '',
    hasCursor: false,
    present: null,
  };
}

function listAsking(
  { source, parent, on }: ListNode,
  args: PageArguments,
  { tokens, present, trusted }: AskingOptions,
  before: readonly Asking[],
): Asking {
  const { list, of, digest } = source;
  const own = (keys: object) =>
    Object.fromEntries(Object.entries(of).map(([name, valueOf]) => [name, valueOf(keys as never)]));
  // The statement has the parent's values in SQL: here they only stand for something that is given.
  const stand = own(parent?.keys ?? {});
  if (Object.values(stand).flat().includes(undefined))
    throw new Unsupported('a key that the type does not declare');
  const [values, request] = checkBoth(
    () => argumentsOf(source.arguments, args, { trusted }, stand),
    () => pageRequest(args, { trusted }, source.limits),
  );
  if (askForNothing(values)) throw new Unsupported('a filter that matches nothing');
  const ofParent = source.key ?? own;
  const digestOf = (keys: object) => digest({ ...values, ...ofParent(keys as never) });
  const hasCursor = request.after !== null || request.before !== null;
  // Which list a token of a nested one belongs to is known row by row, but for a row that is asked for by that itself.
  if (hasCursor && parent && !on) throw new Unsupported('a cursor in a nested list');
  const keys = on ? (before[on.index]?.key ?? {}) : {};
  const place = (name: 'after' | 'before') => {
    const token = request[name];
    return token === null ? null : tokens.read(digestOf(keys), token, name).toString();
  };
  const cursors = checkBoth(
    () => place('after'),
    () => place('before'),
  );
  const given = { ...stand, ...values };
  const query = atPresent(given, source.present, () => present);
  const { declaration, values: bound, shape } = list.asked(query as never, request);
  const limit = request.limit === null ? null : trusted ? 'asked' : String(request.limit);
  return {
    values: { ...bound, ':after': cursors[0], ':before': cursors[1], ':limit': request.limit },
    ...{ declaration, shape, limit },
    name: `${declaration.name} ${limit ?? 'all'} ${shapeName(shape)}`,
    digest: digestOf,
    hasCursor,
    // A list of several kinds may be asked for one that no moment decides.
    present: query !== given && (source.present ?? '') in declaration.values ? present : null,
  };
}
