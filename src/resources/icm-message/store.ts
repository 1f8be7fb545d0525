import { toBytea, type EvmChainName } from '../../avalanche/evm.js';
import { networks, type Network } from '../../avalanche/networks.js';
import type { PageRequest } from '../../paging/page-request.js';
import type { Storage } from '../../storage/open.js';
import { bind, statement } from '../../storage/statement.js';
import { selectMessages } from './columns.js';
import { icmCountStatement, icmListStatement, type ChainFilterKind } from './list-statement.js';
import type { IcmMessageRow } from './row.js';

/** A list of messages, resolved. Filters are null when not given, and combine with AND. */
export interface IcmQuery {
  network: Network | null;
  source: EvmChainName | null;
  destination: EvmChainName | null;
  /** The chain on either side. */
  blockchainId: string | null;
  /** Hexadecimal with 0x. */
  from: string | null;
  to: string | null;
}

/** Up to limit + 1 messages of a list, newest first. Cursors are row ids. */
export async function listIcmMessages(
  storage: Storage,
  query: IcmQuery,
  request: PageRequest,
): Promise<IcmMessageRow[]> {
  const list = icmListStatement({ ...filtersOf(query), request });
  const limit = request.limit === null ? null : request.limit + 1;
  const rows = await storage.read<IcmMessageRow>(list, bind(list, { ...valuesOf(query), ...request, limit }));
  return request.direction === 'backward' ? rows.reverse() : rows;
}

/** How many messages a list has, counted up to `most`. */
export async function countIcmMessages(storage: Storage, query: IcmQuery, most: number): Promise<number> {
  const count = icmCountStatement(filtersOf(query));
  const [row] = await storage.read<{ count: number }>(
    count,
    bind(count, { ...valuesOf(query), limit: most }),
  );
  return row?.count ?? 0;
}

function filtersOf({ source, destination, blockchainId, from, to }: IcmQuery) {
  return {
    source: source && kindOf(source),
    destination: destination && kindOf(destination),
    byEitherChain: blockchainId !== null,
    byFrom: from !== null,
    byTo: to !== null,
  };
}

function valuesOf({ network, source, destination, blockchainId, from, to }: IcmQuery) {
  return {
    networks: network ? [network] : networks,
    source: source && Object.values(source)[0],
    destination: destination && Object.values(destination)[0],
    blockchain: blockchainId,
    from: from && toBytea(from),
    to: to && toBytea(to),
  };
}

function kindOf(chain: EvmChainName): ChainFilterKind {
  return 'evmChainId' in chain ? 'evm' : 'blockchain';
}

/** Whether a message of this row id exists. */
export async function icmMessageExists(storage: Storage, id: string): Promise<boolean> {
  const exists = statement('icm_exists', () => 'SELECT 1 FROM icm_message WHERE id = :id::bigint');
  return storage.holds(exists, bind(exists, { id }));
}

/** What identifies a message. */
export interface IcmMessageKey {
  /** Null for whichever network holds it. */
  network: Network | null;
  /** 64 hexadecimal digits in lower case. */
  messageId: string;
}

/**
 * Messages by id.
 *
 * @returns for each key, in the order given, its row; null when it is not held
 */
export async function findIcmMessages(
  storage: Storage,
  keys: readonly IcmMessageKey[],
): Promise<(IcmMessageRow | null)[]> {
  const find = statement(
    'icm_by_key',
    () => `
      SELECT wanted.ordinal::int AS ordinal, row.*
      FROM unnest(:networks::network[], :messageIds::bytea[]) WITH ORDINALITY AS wanted(network, message_id, ordinal)
      CROSS JOIN LATERAL (
        ${selectMessages}
        WHERE m.network = ANY(CASE WHEN wanted.network IS NULL THEN enum_range(NULL::network) ELSE ARRAY[wanted.network] END)
          AND m.message_id = wanted.message_id ORDER BY m.network LIMIT 1) row`,
  );
  const values = {
    networks: keys.map((key) => key.network),
    messageIds: keys.map((key) => `\\x${key.messageId}`),
  };
  const rows = await storage.read<IcmMessageRow & { ordinal: number }>(find, bind(find, values));
  const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
  return keys.map((_key, index) => byOrdinal.get(index + 1) ?? null);
}
