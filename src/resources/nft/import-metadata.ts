import type { Batch } from '../../storage/session.js';
import { z } from 'zod';
import { LONGEST_DOCUMENT, LONGEST_LIST } from '../../rows/bounds.js';

const anyText = z.string().max(LONGEST_DOCUMENT);
const text = anyText.optional();
const milliseconds = z.number().int().min(0).max(253_402_300_799_999);
const attribute = z.object({
  traitType: anyText.nullable(),
  value: anyText.nullable(),
  displayType: anyText.nullable(),
});

/** A token's metadata, as an export writes it; times in milliseconds since 1970. */
export const metadataRow = z
  .object({
    status: z.enum(['none', 'done', 'failed']),
    failureReason: text,
    standard: z.enum(['ERC-721', 'ERC-1155']).optional(),
    address: text,
    name: text,
    description: text,
    image: text,
    attributes: z.array(attribute).max(LONGEST_LIST).optional(),
    raw: text,
    fetchedAt: milliseconds.optional(),
  })
  .refine(
    ({ fetchedAt, standard, address, attributes }) =>
      fetchedAt === undefined || [standard, address, attributes].every((each) => each !== undefined),
    'with fetchedAt needs standard, address and attributes',
  )
  .refine(
    ({ status, fetchedAt }) => status !== 'done' || fetchedAt !== undefined,
    'with status done needs fetchedAt',
  );

export const reindexRequestedAt = milliseconds;

/** A token with the values of a row that are not its owner. */
export interface TokenState {
  /** As PostgreSQL's texts. */
  key: readonly [evmChainId: string, address: string, tokenId: string];
  metadata: z.infer<typeof metadataRow> | undefined;
  reindexRequestedAt: number | undefined;
}

const asTime = (sql: string) => `to_timestamp(${sql}::float8 / 1000)::timestamptz(3)`;

const given = `jsonb_to_recordset($1::jsonb) AS g(evm_chain_id bigint, address bytea, token_id numeric,
  status text, failure_reason text, standard text, metadata_address text, name text, description text, image text,
  attributes jsonb, raw_metadata text, fetched_at float8, requested_at float8)`;

const fields = `metadata_status, failure_reason, standard, metadata_address, name, description, image, attributes,
  raw_metadata, fetched_at`;
const values = `g.status, g.failure_reason, g.standard, g.metadata_address, g.name, g.description, g.image,
  g.attributes, g.raw_metadata, ${asTime('g.fetched_at')}`;

// What this database read later, or is about to read, counts more than what another one had read.
const writeMetadata = `
  UPDATE nft_token t SET (${fields}) = ROW (${values}) FROM ${given}
  WHERE (t.evm_chain_id, t.address, t.token_id) = (g.evm_chain_id, g.address, g.token_id)
    AND g.status IS NOT NULL AND t.metadata_status NOT IN ('queued', 'running')
    AND CASE WHEN t.fetched_at IS NULL THEN g.fetched_at IS NOT NULL OR t.metadata_status <> 'done'
      ELSE ${asTime('g.fetched_at')} >= t.fetched_at END
    AND (${fields
      .split(',')
      .map((field) => `t.${field.trim()}`)
      .join(', ')}) IS DISTINCT FROM (${values})
  RETURNING t.id::text`;

const storeRequests = `
  UPDATE nft_token t SET reindex_requested_at = ${asTime('g.requested_at')} FROM ${given}
  WHERE (t.evm_chain_id, t.address, t.token_id) = (g.evm_chain_id, g.address, g.token_id)
    AND g.requested_at IS NOT NULL
    AND (t.reindex_requested_at IS NULL OR t.reindex_requested_at < ${asTime('g.requested_at')})
  RETURNING t.id::text`;

/** Stores metadata of tokens that have their rows. @returns the ids of rows that changed */
export async function writeTokenStates(client: Batch, states: readonly TokenState[]): Promise<string[]> {
  const known = byToken(states.filter((state) => state.metadata || state.reindexRequestedAt !== undefined));
  if (known.length === 0) return [];
  const text = JSON.stringify(known.map(recordOf));
  const stored = await client.query<{ id: string }>(writeMetadata, [text]);
  const requested = await client.query<{ id: string }>(storeRequests, [text]);
  return [...stored.rows, ...requested.rows].map(({ id }) => id);
}

/** Of several states of a token the last one, and the latest request: a statement writes a row once. */
function byToken(states: readonly TokenState[]): TokenState[] {
  const tokens = new Map<string, TokenState>();
  for (const state of states) {
    const key = state.key.join(' ');
    const before = tokens.get(key);
    tokens.set(key, before ? laterOf(before, state) : state);
  }
  return [...tokens.values()];
}

function laterOf(before: TokenState, state: TokenState): TokenState {
  const times = [before, state].map(({ metadata }) => metadata?.fetchedAt ?? -1) as [number, number];
  const requests = [before, state].flatMap(({ reindexRequestedAt }) => reindexRequestedAt ?? []);
  return {
    key: state.key,
    metadata: state.metadata && times[1] >= times[0] ? state.metadata : before.metadata,
    reindexRequestedAt: requests.length > 0 ? Math.max(...requests) : undefined,
  };
}

function recordOf({ key, metadata, reindexRequestedAt: requestedAt }: TokenState): object {
  const [evmChainId, address, tokenId] = key;
  return {
    evm_chain_id: evmChainId,
    address,
    token_id: tokenId,
    status: metadata?.status,
    failure_reason: metadata?.failureReason,
    standard: metadata?.standard,
    metadata_address: metadata?.address,
    name: metadata?.name,
    description: metadata?.description,
    image: metadata?.image,
    attributes: metadata?.attributes,
    raw_metadata: metadata?.raw,
    fetched_at: metadata?.fetchedAt,
    requested_at: requestedAt,
  };
}
