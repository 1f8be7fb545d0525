import type { Context } from '../../graphql/context.js';
import { cursorName, readConnection } from '../../graphql/connection.js';
import type { ConnectionSource, EdgeSource } from '../../graphql/connection.js';
import type { ListedRow } from '../../lists/list.js';
import type { PageRequest } from '../../paging/page-request.js';
import { rowAt } from '../../paging/position.js';
import { changedList, digestQuery, type QueryDigest } from '../../paging/token.js';
import { findAddresses } from '../evm-holding/store.js';
import type { Evaluated } from './engine.js';
import { compositeEngine } from './engines.js';
import { IdSet } from './id-set.js';
import { compositeIdentity, distinctHolders, type Operator, type SubQuery } from './request.js';

const FOREIGN =
  'was not issued here for these sub-queries and this operator, or an import has changed their data since';

/** How many addresses a sub-query matches by itself. */
export interface SubQueryCount {
  id: string;
  count: number;
  /** Of its chain, decimal. */
  evmChainId: string;
}

/** A page of the addresses that a composite query matches, and the counts of all. */
export interface CompositeConnection extends ConnectionSource {
  edges: EdgeSource<string>[];
  totalCount: number;
  subQueryCounts: SubQueryCount[];
  /** Of the first sub-query, decimal. */
  evmChainId: string;
}

/** What reading needs of the process. */
export type CompositeServices = Pick<Context, 'storage' | 'config' | 'tokens' | 'siblings'>;

/**
 * Reads a page of a composite query, ordered by the addresses' dense ids. A page after the first comes from
 * the same set as the first one, if that is remembered or still current; otherwise it is refused.
 *
 * @throws AppError BAD_USER_INPUT for a token that is malformed, foreign, expired or of data that changed
 *   since; SERVICE_UNAVAILABLE when evaluating takes too long
 */
export async function readComposite(
  services: CompositeServices,
  operator: Operator,
  queries: readonly SubQuery[],
  request: PageRequest,
): Promise<CompositeConnection> {
  const { storage, tokens } = services;
  const holders = distinctHolders(queries);
  const identity = compositeIdentity(operator, queries);
  const evaluated = await setsOfPage(services, identity, holders, request);
  const sets = new Map(holders.map(({ key }, index) => [key, evaluated.sets[index] ?? IdSet.empty]));
  const all = operator === 'AND' ? IdSet.and([...sets.values()]) : IdSet.or([...sets.values()]);
  const connection = await readConnection({
    storage,
    tokens,
    query: () => digest(identity, evaluated.versions),
    request,
    read: async ({ direction, limit, after, before }) => {
      const position = (cursor: string | null) => (cursor === null ? null : Number(rowAt(BigInt(cursor))));
      const ids = all.slice(
        (limit ?? all.size) + 1,
        position(after),
        position(before),
        direction === 'backward',
      );
      let found = await findAddresses(storage, ids);
      // A remembered set may be newer than the replica.
      if (found.length < ids.length && storage.toPrimary()) found = await findAddresses(storage, ids);
      return found.map(({ id, address }) => ({ id: String(id), text: `"${address}"` }));
    },
    // Ids are never removed, and a changed set has other tokens.
    exists: () => Promise.resolve(true),
    carried: () => Promise.resolve(null),
    // The whole set is in memory, so its size is known.
    count: () => Promise.resolve({ count: all.size, isExact: true }),
    toNode: ({ text }: ListedRow) => text.slice(1, -1),
  });
  const subQueryCounts = queries.map(({ id, holders: { key, holding } }) => ({
    id,
    count: sets.get(key)?.size ?? 0,
    evmChainId: String(holding.evmChainId),
  }));
  const evmChainId = String(queries[0]?.holders.holding.evmChainId);
  return Object.assign(connection, { totalCount: all.size, subQueryCounts, evmChainId });
}

async function setsOfPage(
  services: CompositeServices,
  identity: unknown[],
  holders: SubQuery['holders'][],
  request: PageRequest,
): Promise<Evaluated> {
  const { storage, tokens } = services;
  const engine = compositeEngine(services);
  const query = JSON.stringify(identity);
  const [name, token] =
    request.after === null ? ['before', request.before] : [cursorName(request, 'after'), request.after];
  if (token === null) return current();

  const belongs = (versions: readonly string[]) => tokens.belongs(digest(identity, versions), token);
  const begunWith = engine.iterations.of(query).find(belongs);
  const sets = begunWith && engine.remembered(holders, begunWith);
  if (begunWith && sets) return { versions: begunWith, sets };

  let present = await engine.versions(storage, holders);
  if (!belongs(present)) {
    const begunElsewhere = await engine.borrow(query, holders, belongs);
    if (begunElsewhere) return begunElsewhere;
    // Of data that the replica does not have yet.
    if (storage.toPrimary()) present = await engine.versions(storage, holders);
  }
  if (!belongs(present)) {
    await storage.refuseWhileBehind();
    if (begunWith) throw changedList(name, token);
    // It always throws. Versions that no process here remembers look like those of another query.
    tokens.read(digest(identity, present), token, name, FOREIGN);
  }
  const evaluated = await current();
  if (evaluated.versions.join() !== present.join()) throw changedList(name, token);
  return evaluated;

  async function current(): Promise<Evaluated> {
    const evaluated = await engine.evaluate(storage, holders);
    engine.iterations.remember(query, evaluated.versions);
    return evaluated;
  }
}

function digest(identity: unknown[], versions: readonly string[]): QueryDigest {
  return digestQuery('compositeQuery', { identity, versions });
}
