import type { Reader } from '../storage/reader.js';
import type { FeedKind } from '../write/feed.js';
import type { FeedEntry } from './entry.js';
import type { OpenStream } from './streams.js';

/** Whether a node is among those that an argument's value selects; an omitted argument selects all. */
export type Match<Value, Node> = (value: NonNullable<Value>, node: Node) => boolean;

/**
 * What a stream has, declared next to the list of the same nodes. Each of its arguments says which nodes it
 * selects, so that one without a condition does not compile.
 */
export interface LiveList<Query, Node> {
  /** Different from those of others. */
  readonly name: string;
  readonly kinds: readonly [FeedKind, ...FeedKind[]];
  /** The nodes of an entry as they are now, in the order of its keys; null for one that is gone. */
  readonly read: (storage: Reader, entry: FeedEntry) => Promise<readonly (Node | null)[]>;
  readonly matches: { readonly [Name in keyof Query]-?: Match<Query[Name], Node> };
  /**
   * The argument that is a list of addresses, and those of a node: an entry is then looked up by address, so
   * that a thousand streams of an address each do not compare each node.
   */
  readonly byAddress?: {
    readonly argument: keyof Query & string;
    readonly of: (node: Node) => readonly string[];
  };
}

/** A node of an entry. */
export interface LiveNode<Node> {
  readonly index: number;
  readonly node: Node;
}

/** The nodes of an entry, read once for all streams. */
interface EntryNodes<Node> {
  readonly all: readonly LiveNode<Node>[];
  readonly byAddress: ReadonlyMap<string, readonly LiveNode<Node>[]>;
}

/**
 * The nodes of an entry that a query selects, in their order.
 *
 * @throws as Turns.take; what the database throws
 */
export async function selectNodes<Query extends object, Node>(
  list: LiveList<Query, Node>,
  query: Query,
  entry: FeedEntry,
  stream: OpenStream,
  reader: () => Reader,
): Promise<readonly LiveNode<Node>[]> {
  const known = () => entry.nodes.get(list) as Promise<EntryNodes<Node>> | undefined;
  const nodes = await stream.turns.once(stream, known, () => readNodes(list, reader(), entry));
  const { byAddress } = list;
  const addresses = byAddress && (query[byAddress.argument] as readonly string[] | null | undefined);
  const given = Object.entries(list.matches).filter(([name]) => {
    const value = query[name as keyof Query];
    return value !== null && value !== undefined && !(addresses && name === byAddress.argument);
  }) as [keyof Query, Match<unknown, Node>][];
  const some = addresses ? ofAddresses(nodes.byAddress, addresses) : nodes.all;
  return some.filter(({ node }) => given.every(([name, match]) => match(query[name] as never, node)));
}

function ofAddresses<Node>(
  byAddress: EntryNodes<Node>['byAddress'],
  addresses: readonly string[],
): LiveNode<Node>[] {
  const found = new Set(addresses.flatMap((address) => byAddress.get(address) ?? []));
  return found.size < 2 ? [...found] : [...found].sort((one, other) => one.index - other.index);
}

function readNodes<Query, Node>(
  list: LiveList<Query, Node>,
  storage: Reader,
  entry: FeedEntry,
): Promise<EntryNodes<Node>> {
  const reading = list.read(storage, entry).then((nodes): EntryNodes<Node> => {
    const all = nodes.flatMap((node, index) => (node === null ? [] : [{ index, node }]));
    return { all, byAddress: indexed(list, all) };
  });
  entry.nodes.set(list, reading);
  // Whoever needs it next tries again.
  reading.catch(() => entry.nodes.delete(list));
  return reading;
}

function indexed<Query, Node>({ byAddress }: LiveList<Query, Node>, all: readonly LiveNode<Node>[]) {
  const index = new Map<string, LiveNode<Node>[]>();
  for (const each of byAddress ? all : [])
    for (const address of new Set(byAddress?.of(each.node))) {
      const known = index.get(address);
      if (known) known.push(each);
      else index.set(address, [each]);
    }
  return index;
}
