import { jsonText } from '../storage/json-text.js';
import type { ExportFile } from './kind.js';

const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const installationText = (pagedTables: readonly string[]) =>
  jsonText([
    { name: 'type', form: 'plain', sql: `'installation'` },
    { name: 'id', form: 'plain', sql: 'i.id' },
    { name: 'secret', form: 'plain', sql: `encode(i.secret, 'hex')` },
    { name: 'createdAt', form: 'plain', sql: time('i.created_at') },
    {
      name: 'lastIds',
      form: 'json',
      // Tables whose rows are imported with their ids: new rows must not get the same ids again.
      sql: `(SELECT coalesce(jsonb_object_agg(relname, last), '{}')::text FROM (
      SELECT t.relname, pg_sequence_last_value(pg_get_serial_sequence(t.oid::regclass::text, 'id')::regclass)::text AS last
      FROM pg_class t WHERE t.oid = ANY ('{${pagedTables.join(',')}}'::regclass[])
    ) sequences WHERE last IS NOT NULL)`,
    },
  ]);

const keyText = jsonText([
  { name: 'type', form: 'plain', sql: `'key'` },
  { name: 'hash', form: 'plain', sql: `encode(k.hash, 'hex')` },
  { name: 'name', form: 'text', sql: 'k.name' },
  { name: 'plan', form: 'text', sql: 'k.plan' },
  { name: 'rights', form: 'json', sql: 'to_json(k.rights)::text' },
  { name: 'expiresAt', form: 'plain', sql: time('k.expires_at'), optional: true },
  { name: 'revokedAt', form: 'plain', sql: time('k.revoked_at'), optional: true },
  { name: 'createdAt', form: 'plain', sql: time('k.created_at') },
  { name: 'lastUsedAt', form: 'plain', sql: time('k.last_used_at'), optional: true },
]);

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
]);

/** As it is stored: encrypted. */
const secretText = jsonText([
  { name: 'type', form: 'plain', sql: `'webhookSecret'` },
  keyHash,
  { name: 'sealed', form: 'plain', sql: `encode(s.sealed, 'hex')` },
]);

/**
 * What makes an installation: the secret of its page tokens, its clients' keys as hashes, and their
 * webhooks with their
 * secrets.
 *
 * @param pagedTables the tables whose row ids are exported
 */
export const installationFile = (pagedTables: readonly string[]): ExportFile => ({
  name: 'moraine.installation',
  secret: true,
  select: `
    SELECT text FROM (
      SELECT 0 AS part, 0 AS key, ${installationText(pagedTables)} AS text FROM installation i
      UNION ALL SELECT 1, k.id, ${keyText} FROM api_key k
      UNION ALL SELECT 2, w.id, ${webhookText} FROM webhook w JOIN api_key k ON k.id = w.key_id
      UNION ALL SELECT 3, s.key_id, ${secretText} FROM webhook_secret s JOIN api_key k ON k.id = s.key_id) row
    ORDER BY part, key`,
});
