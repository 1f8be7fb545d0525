import { ADDRESS, ANY_ADDRESS, idForm, nodeIdForm, only } from '../../avalanche/patterns.js';
import { choice, int64, list, object, ref, text, whole, type JsonSchemas } from '../../fields/json-schema.js';
import { webhookArguments } from './arguments.js';
import { balanceTypes, eventTypes, keyTypes, statuses, subEvents } from './fields.js';
import { createBody } from './request-body.js';

const amount = (description: string) => text(description, { pattern: '^[0-9]+$', maxLength: 20 });
const event = (type: keyof typeof subEvents) => choice('A sub-event.', Object.keys(subEvents[type]));

const metadataMembers: JsonSchemas = {
  keyType: choice('What the keys are.', keyTypes),
  keys: list('Addresses, or one node id or subnet id.', text('A key.')),
  subEvents: object(
    'Which events are sent.',
    {},
    {
      addressActivitySubEvents: list('Of addresses.', event('primary_network_address_activity')),
      validatorActivitySubEvents: list('Of validators.', event('validator_activity')),
    },
  ),
};
const metadataOptions: JsonSchemas = {
  balanceThresholdFilter: object('The threshold of balance_threshold.', {
    balanceType: choice('The kind of balance.', balanceTypes),
    balanceThreshold: amount('The threshold, nAVAX.'),
  }),
  nodeIds: list('Only events of these nodes.', text('A node id.', nodeIdForm)),
  subnetIds: list('Only events of these subnets.', text('A subnet id.', idForm)),
  l1ValidatorFeeBalanceThreshold: amount('The threshold of balances of L1 validators, nAVAX.'),
};
const members: JsonSchemas = {
  id: text('Its id, a UUID.'),
  network: choice('The network.', ['mainnet', 'fuji']),
  chainId: text('Blockchain id of the chain.', idForm),
  url: text('Where events are sent.'),
  name: text('Its name; empty without one.'),
  description: text('What it is for; empty without one.'),
  status: choice('Whether it gets events.', statuses),
  createdAt: { ...int64, minimum: 0, description: 'When it was made, Unix seconds.' },
  isPaused: { type: 'boolean', description: 'Whether the operator lets its events wait.' },
  queuedEvents: whole('Events that are to be sent.'),
  setAsideEvents: whole('Events that were not taken within a day.'),
};
const optionalMembers: JsonSchemas = { missedAt: whole('When events were last missed, Unix seconds.') };
const address = text('An address, bech32 without chain prefix.', {
  pattern: only(ANY_ADDRESS).replace('{1,20}', '+'),
});

export const schemas: JsonSchemas = {
  WebhookMetadata: object('What it is about.', metadataMembers, metadataOptions),
  Webhook: object(
    'A webhook.',
    { ...members, eventType: choice('What it is about.', eventTypes), metadata: ref('WebhookMetadata') },
    optionalMembers,
  ),
  ChangedWebhook: object(
    'A webhook whose addresses were changed. Its eventType is the only one that the published form of this reply allows.',
    {
      ...members,
      eventType: choice('A constant.', ['address_activity']),
      metadata: object(
        'What it is about.',
        { ...metadataMembers, addresses: list('Its addresses.', address) },
        metadataOptions,
      ),
    },
    optionalMembers,
  ),
  SharedSecret: object('What events are signed with.', {
    secret: text('32 bytes in hex.', { pattern: '^[0-9a-f]+$', minLength: 64, maxLength: 64 }),
  }),
  WebhookAddress: { ...address, pattern: only(ADDRESS).replace('(?:avax|fuji)', '[a-z]+') },
};

/** One as in a reply. */
export const example = {
  id: webhookArguments.id.example,
  eventType: 'primary_network_address_activity',
  network: 'fuji',
  chainId: '11111111111111111111111111111111LpoYY',
  url: 'https://wallet.example/events',
  name: 'Wallet',
  description: '',
  status: 'active',
  createdAt: 1767225600,
  metadata: { ...(createBody.example as { metadata: object }) }.metadata,
  isPaused: false,
  queuedEvents: 0,
  setAsideEvents: 0,
};
export const changedExample = {
  ...example,
  eventType: 'address_activity',
  metadata: { ...example.metadata, addresses: ['fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm'] },
};
export const secretExample = { secret: 'c0ffee'.repeat(10) + 'c0ff' };
