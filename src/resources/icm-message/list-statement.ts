import { keyset, keysetName } from '../../paging/keyset.js';
import type { PageRequest } from '../../paging/page-request.js';
import { statement, type CompiledStatement } from '../../storage/statement.js';
import { selectMessages } from './columns.js';

/** How a chain filter names its chain: by blockchain id or by EVM id. */
export type ChainFilterKind = 'blockchain' | 'evm';

/** What of a list decides the text of its statement. */
export interface IcmListShape {
  request: Pick<PageRequest<unknown>, 'direction' | 'after' | 'before'>;
  source: ChainFilterKind | null;
  destination: ChainFilterKind | null;
  byEitherChain: boolean;
  byFrom: boolean;
  byTo: boolean;
}

const columns = ['timestamp', 'message_id', 'id'];
const of = (table: string) => columns.map((column) => `${table}.${column}`);

/**
 * The statement of one page of a message list, newest first. Whatever is filtered by, the page's keys come from
 * one range of one index for each network and chain that the filters name, merged; then the rows. Parameters:
 * networks, source, destination, blockchain, from, to, limit (one more than the page, or null), after, before.
 */
export function icmListStatement(shape: IcmListShape): CompiledStatement {
  return statement(`icm_${keysetName('desc', shape.request)}${nameOf(shape)}`, () => {
    const { readingOrder } = keyset(of('page'), 'desc', shape.request, String);
    return `${pageText(shape)}
      SELECT row.* FROM page CROSS JOIN LATERAL (${selectMessages} WHERE m.id = page.id OFFSET 0) row
      ORDER BY ${readingOrder}`;
  });
}

/** The statement that counts a message list up to `limit`. Parameters as above, without after and before. */
export function icmCountStatement(filters: Omit<IcmListShape, 'request'>): CompiledStatement {
  return statement(`icm_count${nameOf(filters)}`, () => {
    const request = { direction: 'forward', after: null, before: null } as const;
    return `${pageText({ ...filters, request })} SELECT count(*)::int AS count FROM page`;
  });
}

function nameOf({ source, destination, byEitherChain, byFrom, byTo }: Omit<IcmListShape, 'request'>): string {
  const parts = [
    source && `s${source}`,
    destination && `d${destination}`,
    byEitherChain && 'either',
    byFrom && 'from',
    byTo && 'to',
  ];
  return parts
    .filter(Boolean)
    .map((part) => `_${part}`)
    .join('');
}

/** A WITH clause that makes `page`: the sort keys and row ids of a page. */
function pageText(shape: IcmListShape): string {
  const { request, byEitherChain } = shape;
  const source = shape.source && [matches('source', shape.source)];
  const destination = shape.destination && [matches('destination', shape.destination)];
  const either = matches('blockchain', 'blockchain');
  const branches = byEitherChain
    ? [
        branch(shape, [...(source ?? []), either], destination),
        branch(shape, source, [...(destination ?? []), either]),
      ]
    : [branch(shape, source, destination)];
  const { readingOrder } = keyset(of('entry'), 'desc', request, String);
  // UNION, not UNION ALL: a message from a chain to itself has the chain on both sides.
  return `
    WITH page AS MATERIALIZED (
      SELECT * FROM (${branches.join(' UNION ')}) entry ORDER BY ${readingOrder} LIMIT :limit::bigint)`;
}

/** The condition under which the chain `c` is the one that a filter names. */
function matches(parameter: string, kind: ChainFilterKind): string {
  return kind === 'blockchain'
    ? `c.blockchain_id = :${parameter}`
    : `(c.evm_chain_id = :${parameter}::numeric OR c.blockchain_id IN (
        SELECT held.blockchain_id FROM chain held WHERE held.evm_chain_id = :${parameter}::numeric))`;
}

function branch(
  { request, byFrom, byTo }: IcmListShape,
  source: string[] | null,
  destination: string[] | null,
): string {
  const position = (cursor: string) =>
    `(SELECT ${of('c').join(', ')} FROM icm_message c WHERE c.id = :${cursor}::bigint)`;
  const { conditions, readingOrder } = keyset(of('m'), 'desc', request, position);
  const chains = (role: string, tests: string[] | null) =>
    tests
      ? `CROSS JOIN LATERAL (
          SELECT c.id FROM icm_chain c WHERE c.network = n.network AND ${tests.join(' AND ')} OFFSET 0) ${role}`
      : '';
  const filters = [
    'm.network = n.network',
    source && 'm.source_id = source.id',
    destination && 'm.destination_id = destination.id',
    byFrom && 'm.from_address = :from::bytea',
    byTo && 'm.to_address = :to::bytea',
  ];
  return `
    SELECT found.* FROM unnest(:networks::network[]) AS n(network)
    ${chains('source', source)} ${chains('destination', destination)}
    CROSS JOIN LATERAL (
      SELECT ${of('m').join(', ')} FROM icm_message m WHERE ${filters.filter(Boolean).join(' AND ')}${conditions}
      ORDER BY ${readingOrder} LIMIT :limit::bigint) found`;
}
