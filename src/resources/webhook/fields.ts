import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import type { LongValue } from '../../fields/field.js';
import { publishedKinds } from '../address/fields.js';

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

/** A webhook as resolvers see it: its JSON, and its row id. */
export interface WebhookNode {
  rowId: string;
  /** The JSON text, for REST. */
  text: string;
  id: string;
  eventType: WebhookEventType;
  network: Network;
  chainId: string;
  url: string;
  name: string;
  description: string;
  status: WebhookStatus;
  /** Seconds since 1970. */
  createdAt: LongValue;
  metadata: WebhookMetadata & { keys: readonly string[] };
  isPaused: boolean;
  queuedEvents: number;
  setAsideEvents: number;
  /** Seconds since 1970. */
  missedAt?: LongValue;
}

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
