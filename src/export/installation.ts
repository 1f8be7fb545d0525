import { jsonText } from '../storage/json-text.js';
import type { ExportFile } from './kind.js';

/** SQL of a time in ISO 8601. */
export const time = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

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

/**
 * What makes an installation: the secret of its page tokens, and its clients' keys as hashes.
 *
 * @param pagedTables the tables whose row ids are exported
 */
export const installationFile = (pagedTables: readonly string[]): ExportFile => ({
  name: 'moraine.installation',
  secret: true,
  select: `
    SELECT text FROM (
      SELECT 0 AS key, ${installationText(pagedTables)} AS text FROM installation i
      UNION ALL SELECT k.id, ${keyText} FROM api_key k) row
    ORDER BY key`,
});
