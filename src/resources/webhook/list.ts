import { defineFind } from '../../lists/find.js';
import { sortedBy } from '../../lists/order.js';
import { defineList } from '../../lists/read.js';
import { webhookRows, type WebhookKeyNode, type WebhookNode, type WebhookStatus } from './fields.js';

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
