import { getArgumentValues } from 'graphql';
import { readArguments } from '../arguments/argument.js';
import { checkBoth } from '../errors.js';
import { atPresent } from '../graphql/present.js';
import { connectionLimits, parsePageArguments, type PageArguments } from '../paging/page-request.js';
import type { QueryDigest, TokenCodec } from '../paging/token.js';
import type { HeldList, Shape } from '../lists/list.js';
import { shapeName } from '../lists/sql.js';
import type { ListNode, Plan, RowNode } from './plan.js';
import { Unsupported } from './unsupported.js';

/** What the arguments of one list or row come to. */
export interface Asking {
  /** What a statement's slots are filled with, by name. */
  values: Readonly<Record<string, unknown>>;
  /** Of a list. */
  declaration?: HeldList;
  shape?: Shape;
  /** Rows of a page of the list. */
  limit?: number;
  /** Tells the statements apart that the list may stand in. */
  name: string;
  /** Of a list: what tokens of rows belong to, by the parent's keys. */
  digest?: (parent: object) => QueryDigest;
  /** Of a list: whether it is read from a cursor, whose row may be gone. */
  hasCursor: boolean;
  /** Whether it is asked for by the present: then what it is asked for changes, whatever its arguments. */
  isPassing: boolean;
}

/** What the arguments of a list come to. */
export type ListAsking = Asking & Required<Pick<Asking, 'declaration' | 'shape'>>;

/**
 * What the arguments of a plan's lists and rows mean.
 *
 * @param present the moment for those that are asked for without one
 * @param fixed what those without variables were found to mean, filled here
 * @throws what is wrong with them, or Unsupported: in either case the plain executor has the word
 */
export function readAsked(
  plan: Plan,
  variables: Record<string, unknown>,
  { tokens, present }: { tokens: TokenCodec; present: string },
  fixed: Map<number, Asking>,
): Asking[] {
  return plan.asked.map((node) => {
    const known = fixed.get(node.index);
    if (known) return known;
    const args = getArgumentValues(node.field, node.node, variables);
    const asking = 'parts' in node ? listAsking(node, args, tokens, present) : rowAsking(node, args);
    // What a cursor stands for changes with the time.
    if (node.isFixed && !asking.hasCursor && !asking.isPassing) fixed.set(node.index, asking);
    return asking;
  });
}

function rowAsking({ source }: RowNode, args: Record<string, unknown>): Asking {
  const values = source.arguments ? readArguments(source.arguments, args) : {};
  const key = (source.asked ? source.asked(values as never) : values) as Record<string, unknown>;
  const binding = 'key' in source.find ? Object.entries(source.find.key) : [];
  const bound = binding.flatMap(([name, [, , bind]]) =>
    bind && !source.of ? [[name, bind(String(key[name]))] as const] : [],
  );
  return { values: { ...key, ...Object.fromEntries(bound) }, name: '', hasCursor: false, isPassing: false };
}

function listAsking(
  { source, parent }: ListNode,
  args: PageArguments,
  tokens: TokenCodec,
  present: string,
): Asking {
  const { list, of, digest } = source;
  const own = (keys: object) =>
    Object.fromEntries(Object.entries(of).map(([name, valueOf]) => [name, valueOf(keys as never)]));
  // The statement has the parent's values in SQL: here they only stand for something that is given.
  const stand = own(parent?.keys ?? {});
  if (Object.values(stand).flat().includes(undefined))
    throw new Unsupported('a key that the type does not declare');
  const [values, request] = checkBoth(
    () => readArguments(source.arguments, args as Record<string, unknown>, stand),
    () => parsePageArguments(args, source.limits ?? connectionLimits),
  );
  const digestOf = (keys: object) => digest(keys as never, { ...values, ...own(keys) } as never);
  const hasCursor = request.after !== null || request.before !== null;
  // Which list a token of a nested one belongs to is known row by row.
  if (hasCursor && parent) throw new Unsupported('a cursor in a nested list');
  const position = (name: 'after' | 'before') => {
    const token = request[name];
    return token === null ? null : tokens.read(digestOf({}), token, name).toString();
  };
  const [after, before] = checkBoth(
    () => position('after'),
    () => position('before'),
  );
  const given = { ...stand, ...values };
  const query = atPresent(given, source.present, () => present);
  const { declaration, values: bound, shape } = list.asked(query as never, request);
  const limit = request.limit ?? 0;
  return {
    values: { ...bound, ':after': after, ':before': before },
    ...{ declaration, shape, limit },
    name: `${declaration.name} ${limit} ${shapeName(shape)}`,
    digest: digestOf,
    hasCursor,
    // A list of several kinds may be asked for one that no moment decides.
    isPassing: query !== given && (source.present ?? '') in declaration.values,
  };
}
