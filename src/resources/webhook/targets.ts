import { randomUUID } from 'node:crypto';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import type { Reader } from '../../storage/reader.js';
import { bind, statement } from '../../storage/statement.js';
import type { SubEvent, WebhookEventType, WebhookMetadata } from './fields.js';
import { canonical } from './secret.js';

/** An active webhook that an event may be for. */
export interface Target {
  /** Row id, decimal digits. */
  readonly rowId: string;
  readonly id: string;
  readonly eventType: WebhookEventType;
  readonly network: Network;
  readonly chain: PrimaryChain;
  readonly metadata: WebhookMetadata;
  /** Which of its keys the question named. */
  readonly keys: readonly string[];
}

/** An event that is to be sent. */
export interface MadeEvent {
  readonly rowId: string;
  /** Canonical JSON. */
  readonly body: string;
}

/** Which webhooks an entry of the feed is for. */
export interface EntryContext {
  /** The number of the entry, and that up to which webhooks have their events that say nothing else. */
  readonly entry: number;
  readonly common: number;
  /** Row ids of those that have another position, and room. */
  readonly others: readonly string[];
}

/** SQL of whether `webhook w` gets what an entry says, and its key `k` is valid. */
export const getsEntry = `w.is_active AND (w.position IS NULL OR w.id = ANY(:others::bigint[]))
  AND coalesce(w.position, :common::bigint) < :entry::bigint
  AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`;

/** SQL of the columns of a Target but its keys. */
export const targetColumns = `w.id::text AS "rowId", w.public_id::text AS id, w.event_type AS "eventType",
  w.network::text AS network, w.chain::text AS chain, w.metadata AS metadata`;

const byKey = statement(
  'webhook_targets',
  `SELECT ${targetColumns}, array_agg(s.subject) AS keys
   FROM webhook_subject s JOIN webhook w ON w.id = s.webhook_id JOIN api_key k ON k.id = w.key_id
   WHERE s.subject = ANY(:keys::text[]) AND w.network = :network::network AND w.event_type = :type::text AND ${getsEntry}
   GROUP BY w.id ORDER BY w.id`,
);

/** The webhooks of a kind that have one of these keys and get what an entry says. */
export function findTargets(
  storage: Reader,
  type: WebhookEventType,
  network: Network,
  keys: readonly string[],
  context: EntryContext,
): Promise<Target[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return storage.read<Target>(byKey, bind(byKey, { keys, network, type, ...context }));
}

/** An event of a webhook, of its details. */
export function eventOf(
  target: Pick<Target, 'rowId' | 'id' | 'eventType'>,
  subEvent: SubEvent,
  details: object,
): MadeEvent {
  const { rowId, id: webhookId, eventType } = target;
  const event = { subEvent, ...details };
  return { rowId, body: canonical({ webhookId, eventType, messageId: randomUUID(), event }) };
}
