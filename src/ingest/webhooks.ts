import { asBoolean, asList, asObject, asText, wrong } from '../rows/check.js';
import type { Batch } from '../storage/session.js';

/** A webhook in moraine.installation.ndjson. Times are ISO 8601. */
export interface WebhookRow {
  type: 'webhook';
  /** SHA-256 of its key in hex. */
  keyHash: string;
  id: string;
  eventType: string;
  network: string;
  chain: string;
  url: string;
  name: string;
  description: string;
  metadata: object;
  isActive: boolean;
  isPaused: boolean;
  createdAt: string;
  subjects: string[];
}

/** The secret of a key's webhooks, encrypted. */
export interface WebhookSecretRow {
  type: 'webhookSecret';
  keyHash: string;
  /** Hex. */
  sealed: string;
}

type Given = Readonly<Record<string, unknown>>;

const texts = ['id', 'eventType', 'network', 'chain', 'url', 'name', 'description', 'createdAt'] as const;

/** @throws RowError */
export function readWebhookRow(row: Given): WebhookRow {
  const read = Object.fromEntries(texts.map((name) => [name, asText(row[name], name)])) as Record<
    (typeof texts)[number],
    string
  >;
  return {
    type: 'webhook',
    keyHash: asHex(row['keyHash'], 'keyHash'),
    ...read,
    metadata: asObject(row['metadata'], 'metadata'),
    isActive: asBoolean(row['isActive'], 'isActive'),
    isPaused: asBoolean(row['isPaused'], 'isPaused'),
    subjects: asList(asText)(row['subjects'], 'subjects'),
  };
}

/** @throws RowError */
export const readWebhookSecretRow = (row: Given): WebhookSecretRow => ({
  type: 'webhookSecret',
  keyHash: asHex(row['keyHash'], 'keyHash'),
  sealed: asHex(row['sealed'], 'sealed'),
});

// The value is not shown: it may be a secret.
function asHex(value: unknown, name: string): string {
  if (typeof value === 'string' && /^([0-9a-f]{2})+$/.test(value)) return value;
  throw wrong(name, null, 'bytes in hex');
}

/** Adds a webhook unless it is there. It gets the events of what is committed from now on. */
async function writeWebhook(client: Batch, row: WebhookRow): Promise<boolean> {
  const { rowCount } = await client.query(
    `WITH added AS (
       INSERT INTO webhook (public_id, key_id, event_type, network, chain, url, name, description, metadata, is_active,
         is_paused, created_at, position)
       SELECT $1, k.id, $3, $4::network, $5::primary_chain, $6, $7, $8, $9::jsonb, $10, $11, $12,
         coalesce((SELECT f.id FROM feed f ORDER BY f.id DESC LIMIT 1), 0)
       FROM api_key k WHERE k.hash = decode($2, 'hex')
       ON CONFLICT (public_id) DO NOTHING RETURNING id)
     INSERT INTO webhook_subject (webhook_id, subject)
     SELECT added.id, given.subject FROM added CROSS JOIN unnest($13::text[]) WITH ORDINALITY given(subject, nth) ORDER BY nth`,
    [
      row.id,
      row.keyHash,
      row.eventType,
      row.network,
      row.chain,
      row.url,
      row.name,
      row.description,
      JSON.stringify(row.metadata),
      row.isActive,
      row.isPaused,
      row.createdAt,
      row.subjects,
    ],
  );
  return (rowCount ?? 0) > 0;
}

/** Adds the secret of a key's webhooks unless it has one. */
async function writeWebhookSecret(client: Batch, row: WebhookSecretRow): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO webhook_secret (key_id, sealed)
     SELECT k.id, decode($2, 'hex') FROM api_key k WHERE k.hash = decode($1, 'hex')
     ON CONFLICT (key_id) DO NOTHING`,
    [row.keyHash, row.sealed],
  );
  return rowCount === 1;
}

/** Adds what a row has. @returns whether it was not there */
export const writeWebhookRow = (client: Batch, row: WebhookRow | WebhookSecretRow): Promise<boolean> =>
  row.type === 'webhook' ? writeWebhook(client, row) : writeWebhookSecret(client, row);
