import { defineFind } from '../../lists/find.js';
import { sortedBy } from '../../lists/order.js';
import { defineList } from '../../lists/read.js';
import { parseJson } from '../../json.js';
import { jsonText } from '../../storage/json-text.js';
import { blockchainIdSql } from '../primary-chain/fields.js';
import type { WebhookKeyNode, WebhookNode, WebhookStatus } from './fields.js';

const seconds = (column: string) => `floor(extract(epoch FROM ${column}))::bigint`;

/** SQL of the JSON of `webhook w`. */
const webhookText = jsonText([
  { name: 'id', form: 'plain', sql: 'w.public_id' },
  { name: 'eventType', form: 'plain', sql: 'w.event_type' },
  { name: 'network', form: 'plain', sql: 'w.network' },
  { name: 'chainId', form: 'plain', sql: blockchainIdSql('w.network', 'w.chain') },
  { name: 'url', form: 'text', sql: 'w.url' },
  { name: 'name', form: 'text', sql: 'w.name' },
  { name: 'description', form: 'text', sql: 'w.description' },
  { name: 'status', form: 'plain', sql: `CASE WHEN w.is_active THEN 'active' ELSE 'inactive' END` },
  { name: 'createdAt', form: 'number', sql: seconds('w.created_at') },
  {
    name: 'metadata',
    form: 'json',
    sql: `(w.metadata || jsonb_build_object('keys', (
      SELECT coalesce(jsonb_agg(s.subject ORDER BY s.id), '[]') FROM webhook_subject s WHERE s.webhook_id = w.id)))::text`,
  },
  { name: 'isPaused', form: 'number', sql: 'w.is_paused' },
  { name: 'queuedEvents', form: 'number', sql: 'w.queued' },
  {
    name: 'setAsideEvents',
    form: 'number',
    sql: '(SELECT count(*) FROM webhook_event e WHERE e.webhook_id = w.id AND e.set_aside_at IS NOT NULL)',
  },
  { name: 'missedAt', form: 'number', sql: seconds('w.missed_at'), optional: true },
]);

const webhookRows = {
  from: 'webhook w',
  columns: { id: 'w.id::text', text: webhookText },
  toNode: ({ id, text }: { id: string; text: string }): WebhookNode => ({
    ...(parseJson(text) as Omit<WebhookNode, 'rowId' | 'text'>),
    rowId: id,
    text,
  }),
};

/** The webhooks of a key. */
export interface WebhookQuery {
  keyId: number;
  status: WebhookStatus | null;
}

/** The webhooks of a key, in the order in which they were made. Cursors are row ids. */
export const webhookList = defineList<WebhookQuery, WebhookNode, 'status'>({
  name: 'webhooks',
  values: { keyId: 'int', status: 'text' },
  ...webhookRows,
  where: (value) => `w.key_id = ${value('keyId')}`,
  filters: { status: { sql: (value) => `w.is_active = (${value('status')} = 'active')` } },
  order: sortedBy('w', 'asc', ['id']),
  cursor: { table: 'webhook' },
});

/** The keys of a webhook, in the order in which they were added. Cursors are row ids. */
export const webhookKeyList = defineList<{ webhookRowId: string }, WebhookKeyNode, never>({
  name: 'webhook_keys',
  values: { webhookRowId: 'bigint' },
  parent: ['webhookRowId'],
  from: 'webhook_subject s',
  where: (value) => `s.webhook_id = ${value('webhookRowId')}`,
  columns: { id: 's.id::text', text: 'to_json(s.subject)::text' },
  toNode: ({ text }: { text: string }): WebhookKeyNode => ({ key: JSON.parse(text) as string }),
  order: sortedBy('s', 'asc', ['id']),
  cursor: { table: 'webhook_subject' },
});

/** A webhook of a key. */
export interface WebhookId {
  keyId: number;
  id: string;
}

export const findWebhooks = defineFind<WebhookId, WebhookNode>('webhooks_by_id', webhookRows, {
  keyId: ['int', 'w.key_id'],
  id: ['uuid', 'w.public_id'],
});
