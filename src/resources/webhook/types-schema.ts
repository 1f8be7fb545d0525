import type { Builder } from '../../graphql/builder.js';
import type { FieldBuilder } from '../../graphql/add-field.js';
import { exposeFields } from '../../graphql/fields.js';
import { balanceTypes, subEvents, subEventsOf, webhookFields, type WebhookNode } from './fields.js';

const described = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, description]) => [name, { description }]));

/** Registers the types of webhooks. */
export function registerWebhookTypes(builder: Builder): void {
  registerEnums(builder);
  builder.objectType('WebhookKey', {
    description: 'A key of a webhook.',
    fields: (t) => ({
      key: t.exposeString('key', {
        description: 'An address, bech32 without chain prefix, a node id or a subnet id.',
      }),
    }),
  });
  builder.objectType('WebhookSecret', {
    description: 'What events are signed with.',
    fields: (t) => ({
      secret: t.exposeString('secret', {
        description: '32 bytes in hex: the key of HMAC-SHA256 is these bytes.',
      }),
    }),
  });
  builder.objectType('Webhook', {
    description: 'Where events are sent, and which: they go to its address by HTTP.',
    fields: (t) => ({
      ...exposeFields(t, webhookFields),
      ...filterFields(t),
      keyCount: t.field({
        type: 'Int',
        description: 'Number of its keys.',
        resolve: ({ metadata }) => metadata.keys.length,
      }),
      json: t.field({
        type: 'JsonText',
        description: 'The row as JSON text.',
        resolve: ({ text }) => text,
      }),
    }),
  });
}

function registerEnums(builder: Builder): void {
  builder.enumType('WebhookEventType', {
    description: 'What a webhook is about.',
    values: described({
      primary_network_address_activity: 'Addresses on the P-, X- or C-chain.',
      validator_activity: 'A node, or a subnet with all of its validators.',
    }),
  });
  const all = { ...subEvents.validator_activity, ...subEvents.primary_network_address_activity };
  builder.enumType('WebhookSubEvent', {
    description:
      'An event of a webhook. Those of addresses begin with balance; reward_distribution is of both.',
    values: described({
      ...all,
      reward_distribution: 'An address was paid a reward; of validators, a stake ended.',
    }),
  });
  builder.enumType('WebhookKeyType', {
    description: 'What the keys of a webhook are.',
    values: described({
      addresses: 'Addresses, bech32.',
      nodeId: 'One node id.',
      subnetId: 'One subnet id.',
    }),
  });
  builder.enumType('WebhookStatus', {
    description: 'Whether a webhook gets events.',
    values: described({ active: 'It gets events.', inactive: 'It gets none.' }),
  });
  builder.enumType('WebhookBalanceType', {
    description: 'A kind of balance, as the path of balances by kind has it.',
    values: described(
      Object.fromEntries(balanceTypes.map((each) => [each, `The sum that balances call ${each}.`])),
    ),
  });
}

/** The fields that say which events a webhook gets. */
const filterFields = (t: FieldBuilder<WebhookNode>) => ({
  keyType: t.field({
    type: 'WebhookKeyType',
    description: 'What its keys are.',
    resolve: ({ metadata }: WebhookNode) => metadata.keyType,
  }),
  subEvents: t.field({
    type: ['WebhookSubEvent'],
    description: 'Which events are sent.',
    resolve: ({ metadata }: WebhookNode) => [...subEventsOf(metadata)],
  }),
  balanceType: t.field({
    type: 'WebhookBalanceType',
    nullable: true,
    description: 'The kind of balance that has a threshold; null without one.',
    resolve: ({ metadata }: WebhookNode) => metadata.balanceThresholdFilter?.balanceType ?? null,
  }),
  balanceThreshold: t.field({
    type: 'BigNumber',
    nullable: true,
    description: 'That threshold, nAVAX; null without one.',
    resolve: ({ metadata }: WebhookNode) => metadata.balanceThresholdFilter?.balanceThreshold ?? null,
  }),
  feeBalanceThreshold: t.field({
    type: 'BigNumber',
    nullable: true,
    description: 'The threshold of the balance of each L1 validator, nAVAX; null without one.',
    resolve: ({ metadata }: WebhookNode) => metadata.l1ValidatorFeeBalanceThreshold ?? null,
  }),
  nodeIds: t.field({
    type: ['String'],
    nullable: true,
    description: 'Only events of these nodes; null for all.',
    resolve: ({ metadata }: WebhookNode) => (metadata.nodeIds ? [...metadata.nodeIds] : null),
  }),
  subnetIds: t.field({
    type: ['String'],
    nullable: true,
    description: 'Only events of these subnets; null for all.',
    resolve: ({ metadata }: WebhookNode) => (metadata.subnetIds ? [...metadata.subnetIds] : null),
  }),
});
