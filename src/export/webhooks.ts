import { jsonText } from '../storage/json-text.js';
import { time } from './installation.js';
import type { ExportFile } from './kind.js';

const keyHash = { name: 'keyHash', form: 'plain', sql: `encode(k.hash, 'hex')` } as const;

const webhookText = jsonText([
  { name: 'type', form: 'plain', sql: `'webhook'` },
  keyHash,
  { name: 'id', form: 'plain', sql: 'w.public_id' },
  { name: 'eventType', form: 'plain', sql: 'w.event_type' },
  { name: 'network', form: 'plain', sql: 'w.network' },
  { name: 'chain', form: 'plain', sql: 'w.chain' },
  { name: 'url', form: 'text', sql: 'w.url' },
  { name: 'name', form: 'text', sql: 'w.name' },
  { name: 'description', form: 'text', sql: 'w.description' },
  { name: 'metadata', form: 'json', sql: 'w.metadata::text' },
  { name: 'isActive', form: 'number', sql: 'w.is_active' },
  { name: 'isPaused', form: 'number', sql: 'w.is_paused' },
  { name: 'createdAt', form: 'plain', sql: time('w.created_at') },
  {
    name: 'subjects',
    form: 'json',
    sql: `(SELECT coalesce(json_agg(s.subject ORDER BY s.id), '[]')::text FROM webhook_subject s WHERE s.webhook_id = w.id)`,
  },
  {
    name: 'levels',
    form: 'json',
    sql: `(SELECT coalesce(json_object_agg(l.subject, l.is_above ORDER BY l.subject), '{}')::text
      FROM webhook_level l WHERE l.webhook_id = w.id)`,
  },
]);

/** As it is stored: encrypted. */
const secretText = jsonText([
  { name: 'type', form: 'plain', sql: `'webhookSecret'` },
  keyHash,
  { name: 'sealed', form: 'plain', sql: `encode(s.sealed, 'hex')` },
]);

/** The webhooks of clients' keys, and with which secrets their events are signed. */
export const webhooksFile: ExportFile = {
  name: 'moraine.webhooks',
  secret: true,
  select: `
    SELECT text FROM (
      SELECT 0 AS part, w.id AS key, ${webhookText} AS text FROM webhook w JOIN api_key k ON k.id = w.key_id
      UNION ALL SELECT 1, s.key_id, ${secretText} FROM webhook_secret s JOIN api_key k ON k.id = s.key_id) row
    ORDER BY part, key`,
};
