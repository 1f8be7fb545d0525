import { asBoolean, asList, asObject, asText, wrong } from '../rows/check.js';
import type { Batch } from '../storage/session.js';
import type { FileKind } from './kind.js';

/** A webhook in moraine.webhooks.ndjson. Times are ISO 8601. */
interface WebhookRow {
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
  /** Whether what it watches is above its threshold, by address or validation id. */
  levels: Readonly<Record<string, boolean>>;
}

/** The secret of a key's webhooks, encrypted. */
interface WebhookSecretRow {
  type: 'webhookSecret';
  keyHash: string;
  /** Hex. */
  sealed: string;
}

type Given = Readonly<Record<string, unknown>>;

/**
 * The file with the webhooks of an installation's keys. It is imported after all other files of its export:
 * what these write is old, and no event.
 */
export const webhookImport: FileKind<WebhookRow | WebhookSecretRow> = {
  name: 'webhooks',
  file: /^moraine\.webhooks(?:\.|$)/,
  example: 'moraine.webhooks.ndjson',
  scope: () => ({}),
  rows: {
    tables: ['webhook', 'webhook_subject', 'webhook_level', 'webhook_secret'],
    lock: () => null,
    read(value) {
      const row = asObject(value, 'the line');
      if (row.type === 'webhook') return readWebhook(row);
      if (row.type === 'webhookSecret') return readWebhookSecret(row);
      throw wrong('type', row.type, 'webhook or webhookSecret');
    },
    async write(client, _scope, rows) {
      let written = 0;
      for (const row of rows) {
        const isNew = row.type === 'webhook' ? writeWebhook(client, row) : writeWebhookSecret(client, row);
        written += Number(await isNew);
      }
      return { written, unchanged: rows.length - written };
    },
  },
};

const texts = ['id', 'eventType', 'network', 'chain', 'url', 'name', 'description', 'createdAt'] as const;

/** @throws RowError */
function readWebhook(row: Given): WebhookRow {
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
    levels: Object.fromEntries(
      Object.entries(asObject(row['levels'], 'levels')).map(([subject, isAbove]) => [
        subject,
        asBoolean(isAbove, `levels.${subject}`),
      ]),
    ),
  };
}

/** @throws RowError */
const readWebhookSecret = (row: Given): WebhookSecretRow => ({
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
       ON CONFLICT (public_id) DO NOTHING RETURNING id),
     levels AS (
       INSERT INTO webhook_level (webhook_id, subject, is_above)
       SELECT added.id, given.key, given.value::boolean FROM added CROSS JOIN jsonb_each_text($14::jsonb) given)
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
      JSON.stringify(row.levels),
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
