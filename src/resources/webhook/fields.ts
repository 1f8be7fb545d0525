import { networks, type Network, type PrimaryChain } from '../../avalanche/networks.js';
import { boolean, choice, id, is, object, plain, small, text, whole } from '../../fields/field.js';
import { fieldsText, type Fields, type NodeOf } from '../../fields/field.js';
import { parseJson } from '../../json.js';
import type { NodeSource } from '../../lists/list.js';
import { publishedKinds } from '../address/fields.js';
import { blockchainIdSql } from '../primary-chain/fields.js';

/** What a webhook can be about. */
export const eventTypes = ['primary_network_address_activity', 'validator_activity'] as const;
export type WebhookEventType = (typeof eventTypes)[number];

/** Its events, by the kind, for people. */
export const subEvents = {
  primary_network_address_activity: {
    balance_change: 'An output of an address was stored or spent.',
    balance_threshold: 'A balance of an address in AVAX came to the threshold, or fell below it.',
    reward_distribution: 'An address was paid a reward.',
  },
  validator_activity: {
    validator_stake: 'A validator staked.',
    delegator_stake: 'A delegator staked.',
    reward_distribution: 'The stake of a validator or delegator ended.',
    l1_validator_balance_increased: 'The balance of an L1 validator was increased.',
    l1_validator_disabled: 'An L1 validator was disabled by its owner.',
    l1_validator_removed: 'An L1 validator was removed.',
    l1_validator_balance_threshold:
      'The balance of an L1 validator came to the threshold, or fell below it: fees are deducted up to the newest stored block.',
  },
} as const;
export type SubEvent = {
  [Type in WebhookEventType]: keyof (typeof subEvents)[Type];
}[WebhookEventType];

/** What the keys of a webhook are. */
export const keyTypes = ['addresses', 'nodeId', 'subnetId'] as const;
export type WebhookKeyType = (typeof keyTypes)[number];
export const statuses = ['active', 'inactive'] as const;
export type WebhookStatus = (typeof statuses)[number];

/** The kinds of balances of any chain, by their published names. */
export const balanceTypes = [
  ...new Set(Object.values(publishedKinds).flatMap((kinds) => Object.keys(kinds))),
];

/** What is sent, as REST has it; the keys have a table. */
export interface WebhookMetadata {
  keyType: WebhookKeyType;
  subEvents: {
    addressActivitySubEvents?: readonly SubEvent[];
    validatorActivitySubEvents?: readonly SubEvent[];
  };
  balanceThresholdFilter?: { balanceType: string; balanceThreshold: string };
  nodeIds?: readonly string[];
  subnetIds?: readonly string[];
  l1ValidatorFeeBalanceThreshold?: string;
}

/** Which events are sent. */
export const subEventsOf = ({ subEvents: given }: WebhookMetadata): readonly SubEvent[] =>
  given.addressActivitySubEvents ?? given.validatorActivitySubEvents ?? [];

const seconds = (column: string) => `floor(extract(epoch FROM ${column}))::bigint`;

/** The fields of a webhook in the order of its JSON, over `webhook w`. */
export const webhookFields = {
  id: { sql: 'w.public_id', graphql: 'webhookId', ...is(plain, 'Its id, a UUID') },
  eventType: {
    sql: 'w.event_type',
    ...is(choice<WebhookEventType>('WebhookEventType', eventTypes), 'What it is about'),
  },
  network: { sql: 'w.network', ...is(choice<Network>('Network', networks), 'The network') },
  chainId: {
    sql: blockchainIdSql('w.network', 'w.chain'),
    graphql: 'blockchainId',
    ...is(id, 'Blockchain id of the chain, of validators of the P-chain'),
  },
  url: { sql: 'w.url', ...is(text, 'Where events are sent') },
  name: { sql: 'w.name', ...is(text, 'Its name for people; empty without one') },
  description: { sql: 'w.description', ...is(text, 'What it is for; empty without one') },
  status: {
    sql: `CASE WHEN w.is_active THEN 'active' ELSE 'inactive' END`,
    ...is(choice<WebhookStatus>('WebhookStatus', statuses), 'Whether it gets events'),
  },
  createdAt: { sql: seconds('w.created_at'), ...is(whole, 'When it was made, Unix seconds') },
  metadata: {
    sql: `(w.metadata || jsonb_build_object('keys', (
      SELECT coalesce(jsonb_agg(s.subject ORDER BY s.id), '[]') FROM webhook_subject s WHERE s.webhook_id = w.id)))::text`,
    graphql: false,
    ...is(
      object<WebhookMetadata & { keys: readonly string[] }>('WebhookMetadata'),
      'What it is about, and which of its events are sent',
    ),
  },
  isPaused: { sql: 'w.is_paused', ...is(boolean, 'Whether the operator lets its events wait') },
  queuedEvents: {
    sql: 'w.queued',
    ...is(small, 'Events that are to be sent, at most about 10,000. Beyond that it falls behind the commits'),
  },
  setAsideEvents: {
    sql: '(SELECT count(*) FROM webhook_event e WHERE e.webhook_id = w.id AND e.set_aside_at IS NOT NULL)',
    ...is(small, 'Events that were not taken within a day, of the last 7 days, at most 1,000'),
  },
  missedAt: {
    sql: seconds('w.missed_at'),
    ...is(
      whole,
      'When events were last missed, because it was behind for more than 24 hours, Unix seconds',
      'if it never was',
    ),
  },
} satisfies Fields;

/** A webhook as resolvers see it: its JSON, that as text for REST, and its row id. */
export type WebhookNode = NodeOf<typeof webhookFields> & { rowId: string; text: string };

export const webhookRows = {
  from: 'webhook w',
  columns: { id: 'w.id::text', text: fieldsText(webhookFields) },
  toNode: ({ id: rowId, text: json }: { id: string; text: string }): WebhookNode => ({
    ...(parseJson(json) as NodeOf<typeof webhookFields>),
    rowId,
    text: json,
  }),
} satisfies NodeSource<WebhookNode>;

/** A key of a webhook as resolvers see it. */
export interface WebhookKeyNode {
  key: string;
}

/** What a webhook is made of, read and checked. */
export interface NewWebhook {
  eventType: WebhookEventType;
  network: Network;
  chain: PrimaryChain;
  url: string;
  name: string;
  description: string;
  metadata: WebhookMetadata;
  keys: readonly string[];
}
