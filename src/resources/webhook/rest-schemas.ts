import {
  ADDRESS,
  ANY_ADDRESS,
  base58,
  GIVEN_ADDRESS,
  idForm,
  nodeIdForm,
  only,
} from '../../avalanche/patterns.js';
import { choice as choiceKind, object as objectKind } from '../../fields/field.js';
import { choice, list, object, openObject, ref, text } from '../../fields/json-schema.js';
import type { JsonSchema, JsonSchemas } from '../../fields/json-schema.js';
import { objectSchema } from '../../fields/object-schema.js';
import { addressesArguments, createArguments, updateArguments, webhookArguments } from './arguments.js';
import { balanceTypes, eventTypes, keyTypes, statuses, subEvents, webhookFields } from './fields.js';

const member = (name: keyof typeof createArguments) => ({
  ...createArguments[name].schema,
  description: createArguments[name].description,
});
/** A list that is not empty. */
const filled = (description: string, items: JsonSchema) => ({ ...list(description, items), minItems: 1 });
const events = (type: keyof typeof subEvents) =>
  filled('Sub-events, at least one.', choice('A sub-event.', Object.keys(subEvents[type])));

/**
 * What a webhook is about.
 *
 * @param of `openObject` in requests, where members that nobody knows are ignored
 * @param more members
 */
const metadata = (of: typeof object, key: JsonSchema, more: JsonSchemas = {}) =>
  of(
    'What it is about, and which of its events are sent.',
    {
      keyType: choice(createArguments.keyType.description, keyTypes),
      keys: filled(createArguments.keys.description, key),
      subEvents: of(
        'Which events are sent: of addresses the first list, of validators the second.',
        {},
        {
          addressActivitySubEvents: events('primary_network_address_activity'),
          validatorActivitySubEvents: events('validator_activity'),
        },
      ),
      ...more,
    },
    {
      balanceThresholdFilter: of('The threshold of balance_threshold.', {
        balanceType: choice('The kind of balance.', balanceTypes),
        balanceThreshold: member('balanceThreshold'),
      }),
      nodeIds: list(createArguments.nodeIds.description, text('A node id.', nodeIdForm)),
      subnetIds: list(createArguments.subnetIds.description, text('A subnet id.', idForm)),
      l1ValidatorFeeBalanceThreshold: member('feeBalanceThreshold'),
    },
  );

const givenKey = text('A key.', {
  pattern: only(GIVEN_ADDRESS, `NodeID-${base58}{25}${base58}*`, `${base58}{37}${base58}*`),
  maxLength: idForm.maxLength,
});

/** Of bodies of requests. */
export const requestSchemas: JsonSchemas = {
  WebhookMetadataRequest: metadata(openObject, givenKey),
  CreateWebhookRequest: openObject(
    'A webhook.',
    {
      eventType: choice(createArguments.eventType.description, eventTypes),
      url: member('url'),
      network: member('network'),
      metadata: ref('WebhookMetadataRequest'),
    },
    { chainId: member('blockchainId'), name: member('name'), description: member('description') },
  ),
  UpdateWebhookRequest: openObject(
    'What to change; what is left out stays.',
    {},
    {
      url: member('url'),
      name: member('name'),
      description: member('description'),
      status: choice(updateArguments.status.description, statuses),
    },
  ),
  WebhookAddressesRequest: openObject('Addresses.', {
    addresses: filled(
      addressesArguments.addresses.description,
      text('An address, with or without a chain prefix.', { pattern: only(GIVEN_ADDRESS) }),
    ),
  }),
};

const key = text('A key.');
const address = text('An address, bech32 without chain prefix.', {
  pattern: only(ANY_ADDRESS).replace('{1,20}', '+'),
});

/** Of replies. */
export const schemas: JsonSchemas = {
  WebhookMetadata: metadata(object, key),
  Webhook: objectSchema('A webhook.', webhookFields),
  ChangedWebhook: objectSchema(
    'A webhook whose addresses were changed. Its eventType is the only one that the published form of this reply allows.',
    {
      ...webhookFields,
      eventType: { ...webhookFields.eventType, kind: choiceKind('WebhookEventType', ['address_activity']) },
      metadata: {
        ...webhookFields.metadata,
        kind: objectKind(
          'WebhookMetadata',
          metadata(object, key, { addresses: list('Its addresses.', address) }),
        ),
      },
    },
  ),
  SharedSecret: object('What events are signed with.', {
    secret: text('32 bytes in hex.', { pattern: '^[0-9a-f]+$', minLength: 64, maxLength: 64 }),
  }),
  WebhookAddress: { ...address, pattern: only(ADDRESS).replace('(?:avax|fuji)', '[a-z]+') },
};

/** A body that makes one. */
export const createExample = {
  eventType: 'primary_network_address_activity',
  url: 'https://wallet.example/events',
  name: 'Wallet',
  network: 'fuji',
  chainId: '11111111111111111111111111111111LpoYY',
  metadata: {
    keyType: 'addresses',
    keys: ['fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm'],
    subEvents: { addressActivitySubEvents: ['balance_change'] },
  },
};

/** One as in a reply. */
export const example = {
  id: webhookArguments.id.example,
  ...createExample,
  description: '',
  status: 'active',
  createdAt: 1767225600,
  isPaused: false,
  queuedEvents: 0,
  setAsideEvents: 0,
};
export const changedExample = {
  ...example,
  eventType: 'address_activity',
  metadata: { ...example.metadata, addresses: example.metadata.keys },
};
export const secretExample = { secret: 'c0ffee'.repeat(10) + 'c0ff' };
