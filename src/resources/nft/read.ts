import { toBytea } from '../../avalanche/evm.js';
import { keyset, keysetName } from '../../paging/keyset.js';
import type { PageRequest } from '../../paging/page-request.js';
import { jsonText, type JsonField } from '../../storage/json-text.js';
import type { Storage } from '../../storage/open.js';
import { bind, statement } from '../../storage/statement.js';
import type { NftTokenRow } from './row.js';

/** A collection, by its contract. */
export interface Collection {
  /** Null for a chain that is not known: no token is of it. */
  evmChainId: bigint | null;
  /** 0x and 40 hex digits. */
  address: string;
}

/** A token's natural key. */
export interface NftTokenKey extends Collection {
  tokenId: bigint;
}

const hex = (column: string) => `'0x' || encode(t.${column}, 'hex')`;

/** What the chain says of a token: fields of a row `t` of nft_token. */
export const chainFields: readonly JsonField[] = [
  { name: 'evmChainId', form: 'plain', sql: 't.evm_chain_id' },
  { name: 'address', form: 'plain', sql: hex('address') },
  { name: 'tokenId', form: 'plain', sql: 't.token_id' },
  { name: 'owner', form: 'plain', sql: hex('owner'), optional: true },
  { name: 'lastTransferBlock', form: 'plain', sql: 't.last_transfer_block', optional: true },
  { name: 'lastTransferTimestamp', form: 'number', sql: 't.last_transfer_timestamp', optional: true },
  { name: 'lastTransferTxHash', form: 'plain', sql: hex('last_transfer_tx_hash'), optional: true },
];

const tokenColumns = `t.id, ${jsonText([
  ...chainFields,
  { name: 'status', form: 'plain', sql: 't.metadata_status' },
  { name: 'failureReason', form: 'text', sql: 't.failure_reason', optional: true },
  {
    name: 'reindexRequestedAt',
    form: 'number',
    sql: '(extract(epoch FROM t.reindex_requested_at) * 1000)::bigint',
    optional: true,
  },
  { name: 'fetched', form: 'number', sql: 't.fetched_at IS NOT NULL' },
])} AS text`;

const metadataColumns = `t.id, ${jsonText([
  { name: 'standard', form: 'plain', sql: 't.standard' },
  { name: 'address', form: 'text', sql: 't.metadata_address' },
  { name: 'name', form: 'text', sql: 't.name', optional: true },
  { name: 'description', form: 'text', sql: 't.description', optional: true },
  { name: 'image', form: 'text', sql: 't.image', optional: true },
  { name: 'attributes', form: 'json', sql: 't.attributes::text' },
  { name: 'fetchedAt', form: 'number', sql: 'floor(extract(epoch FROM t.fetched_at))::bigint' },
])} AS text`;

/** Which tokens a list has; the index nft_token_listed holds these alone. */
const listed = `t.evm_chain_id = :evmChainId::bigint AND t.address = :address::bytea
  AND (t.owner IS NOT NULL OR t.fetched_at IS NOT NULL)`;

/**
 * Up to limit + 1 tokens of a collection by rising token id. Tokens of which nothing is known but that somebody asked
 * for them are left out: anybody may ask for any number. Cursors are row ids.
 */
export async function listTokens(
  storage: Storage,
  { evmChainId, address }: Collection,
  request: PageRequest,
): Promise<NftTokenRow[]> {
  const list = statement(`nft_tokens_${keysetName('asc', request)}`, () => {
    const { conditions, readingOrder } = keyset(
      ['t.token_id'],
      'asc',
      request,
      (cursor) => `(SELECT p.token_id FROM nft_token p WHERE p.id = :${cursor}::bigint)`,
    );
    return `SELECT ${tokenColumns} FROM nft_token t WHERE ${listed}${conditions}
      ORDER BY ${readingOrder} LIMIT :limit::bigint`;
  });
  const rows = await storage.read<NftTokenRow>(
    list,
    bind(list, {
      evmChainId,
      address: toBytea(address),
      limit: request.limit === null ? null : request.limit + 1,
      after: request.after,
      before: request.before,
    }),
  );
  return request.direction === 'backward' ? rows.reverse() : rows;
}

/** How many tokens a list has, counted up to `most`. */
export async function countTokens(
  storage: Storage,
  { evmChainId, address }: Collection,
  most: number,
): Promise<number> {
  const count = statement(
    'nft_tokens_count',
    () =>
      `SELECT count(*)::int AS count FROM (SELECT 1 FROM nft_token t WHERE ${listed} LIMIT :most::bigint) found`,
  );
  const values = { evmChainId, address: toBytea(address), most };
  const [row] = await storage.read<{ count: number }>(count, bind(count, values));
  return row?.count ?? 0;
}

/** Whether a token of this row id exists. */
export async function tokenExists(storage: Storage, id: string): Promise<boolean> {
  const exists = statement('nft_token_exists', () => 'SELECT 1 FROM nft_token WHERE id = :id::bigint');
  return storage.holds(exists, bind(exists, { id }));
}

/** @returns for each key, in the order given, its token; null when it is not held */
export async function findTokens(
  storage: Storage,
  keys: readonly NftTokenKey[],
): Promise<(NftTokenRow | null)[]> {
  const find = statement(
    'nft_tokens_by_key',
    () => `
      SELECT wanted.ordinal::int AS ordinal, row.*
      FROM unnest(:evmChainIds::bigint[], :addresses::bytea[], :tokenIds::numeric[])
        WITH ORDINALITY AS wanted(evm_chain_id, address, token_id, ordinal)
      CROSS JOIN LATERAL (
        SELECT ${tokenColumns} FROM nft_token t
        WHERE t.evm_chain_id = wanted.evm_chain_id AND t.address = wanted.address AND t.token_id = wanted.token_id
        OFFSET 0) row`,
  );
  const values = {
    evmChainIds: keys.map((key) => key.evmChainId),
    addresses: keys.map((key) => toBytea(key.address)),
    tokenIds: keys.map((key) => key.tokenId),
  };
  const rows = await storage.read<NftTokenRow & { ordinal: number }>(find, bind(find, values));
  const found = new Map(rows.map((row) => [row.ordinal, row]));
  return keys.map((_key, index) => found.get(index + 1) ?? null);
}

/** What was read of tokens, by their row ids, in no particular order; tokens without metadata are missing. */
export function findMetadata(storage: Storage, ids: readonly string[]): Promise<NftTokenRow[]> {
  const find = statement(
    'nft_metadata_by_id',
    () => `SELECT ${metadataColumns} FROM nft_token t
      WHERE t.id = ANY(:ids::bigint[]) AND t.fetched_at IS NOT NULL`,
  );
  return storage.read(find, bind(find, { ids }));
}

/** The documents of tokens as they were read, by row id. */
export function findDocuments(
  storage: Storage,
  ids: readonly string[],
): Promise<{ id: string; text: string }[]> {
  const find = statement(
    'nft_documents_by_id',
    () => `SELECT t.id, t.raw_metadata AS text FROM nft_token t
      WHERE t.id = ANY(:ids::bigint[]) AND t.raw_metadata IS NOT NULL`,
  );
  return storage.read(find, bind(find, { ids }));
}
