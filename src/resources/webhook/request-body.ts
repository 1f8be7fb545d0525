import { readArguments, type Arguments, type ArgumentValues } from '../../arguments/argument.js';
import { refuseNearSpellings } from '../../arguments/near-spelling.js';
import { badInput, Problems, shown } from '../../errors.js';
import { list, openObject, ref, text, type JsonSchema, type JsonSchemas } from '../../fields/json-schema.js';
import { base58, GIVEN_ADDRESS, idForm, nodeIdForm, only } from '../../avalanche/patterns.js';
import type { RouteBody } from '../../rest/body.js';
import { addressesArguments, createArguments, updateArguments } from './arguments.js';
import { balanceTypes, eventTypes, keyTypes, statuses, subEvents } from './fields.js';

const EVM = 'address_activity';
const member = (name: keyof typeof createArguments) => ({
  ...createArguments[name].schema,
  description: createArguments[name].description,
});

const metadata = openObject(
  'What it is about, and which of its events are sent.',
  {
    keyType: { type: 'string', enum: keyTypes, description: createArguments.keyType.description },
    keys: filled(
      createArguments.keys.description,
      text('A key.', {
        pattern: only(GIVEN_ADDRESS, `NodeID-${base58}{25}${base58}*`, `${base58}{37}${base58}*`),
        maxLength: idForm.maxLength,
      }),
    ),
    subEvents: openObject(
      'Which events are sent: of addresses the first list, of validators the second.',
      {},
      {
        addressActivitySubEvents: listOf('primary_network_address_activity'),
        validatorActivitySubEvents: listOf('validator_activity'),
      },
    ),
  },
  {
    balanceThresholdFilter: openObject('The threshold of balance_threshold.', {
      balanceType: { type: 'string', enum: balanceTypes, description: 'The kind of balance.' },
      balanceThreshold: member('balanceThreshold'),
    }),
    nodeIds: list(createArguments.nodeIds.description, text('A node id.', nodeIdForm)),
    subnetIds: list(createArguments.subnetIds.description, text('A subnet id.', idForm)),
    l1ValidatorFeeBalanceThreshold: member('feeBalanceThreshold'),
  },
);

/** A list that is not empty. */
function filled(description: string, items: JsonSchema) {
  return { ...list(description, items), minItems: 1 };
}

function listOf(type: keyof typeof subEvents) {
  return filled('Sub-events, at least one.', text('A sub-event.', { enum: Object.keys(subEvents[type]) }));
}

export const webhookRequestSchemas: JsonSchemas = {
  WebhookMetadataRequest: metadata,
  CreateWebhookRequest: openObject(
    'A webhook.',
    {
      eventType: text(createArguments.eventType.description, { enum: eventTypes }),
      url: member('url'),
      network: { ...createArguments.network.schema, description: createArguments.network.description },
      metadata: ref('WebhookMetadataRequest'),
    },
    {
      chainId: member('blockchainId'),
      name: member('name'),
      description: member('description'),
    },
  ),
  UpdateWebhookRequest: openObject(
    'What to change; what is left out stays.',
    {},
    {
      url: member('url'),
      name: member('name'),
      description: member('description'),
      status: { type: 'string', enum: statuses, description: updateArguments.status.description },
    },
  ),
  WebhookAddressesRequest: openObject('Addresses.', {
    addresses: filled(
      addressesArguments.addresses.description,
      text('An address, with or without a chain prefix.', { pattern: only(GIVEN_ADDRESS) }),
    ),
  }),
};

type Given = Readonly<Record<string, unknown>>;

/** Reads arguments of a body, and refuses misspelt members. */
function readBody<A extends Arguments>(
  declared: A,
  values: Given,
  given: Given,
  members: readonly string[],
): ArgumentValues<A> {
  const problems = new Problems();
  problems.check(() => refuseNearSpellings(Object.keys(given), members));
  const read = problems.check(() => readArguments(declared, values));
  problems.throwIfAny();
  return read as ArgumentValues<A>;
}

function objectAt(name: string, value: unknown): Given {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Given;
  throw badInput(`${name}: ${shown(value)} is not an object`);
}

export const createBody: RouteBody<ArgumentValues<typeof createArguments>> = {
  description: 'The webhook.',
  schema: ref('CreateWebhookRequest'),
  components: webhookRequestSchemas,
  example: {
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
  },
  read(given) {
    if (given['eventType'] === EVM)
      throw badInput(
        `eventType: ${EVM} is not supported, because it is about whole EVM transactions, which Moraine does not store`,
      );
    const { eventType, url, name, description, network, chainId } = given;
    const about = objectAt('metadata', given['metadata']);
    const wanted = objectAt('metadata.subEvents', about['subEvents']);
    const threshold = objectAt('metadata.balanceThresholdFilter', about['balanceThresholdFilter']);
    if (Array.isArray(about['eventSignatures']) && about['eventSignatures'].length > 0)
      throw badInput(
        'metadata.eventSignatures: is not supported: only logs of EVM contracts have signatures',
      );
    const isOfAddresses = eventType === eventTypes[0];
    const values: { [Name in keyof typeof createArguments]: unknown } = {
      eventType,
      url,
      name,
      description,
      network,
      blockchainId: chainId,
      keyType: about['keyType'],
      keys: about['keys'],
      subEvents: wanted[isOfAddresses ? 'addressActivitySubEvents' : 'validatorActivitySubEvents'],
      balanceType: threshold['balanceType'],
      balanceThreshold: threshold['balanceThreshold'],
      nodeIds: about['nodeIds'],
      subnetIds: about['subnetIds'],
      feeBalanceThreshold: about['l1ValidatorFeeBalanceThreshold'],
    };
    const members = ['eventType', 'url', 'name', 'description', 'network', 'chainId', 'metadata'];
    return readBody(createArguments, values, given, members);
  },
};

const { url, name, description, status } = updateArguments;
const changes = { url, name, description, status };

export const updateBody: RouteBody<ArgumentValues<typeof changes>> = {
  description: 'What to change.',
  schema: ref('UpdateWebhookRequest'),
  components: webhookRequestSchemas,
  example: { name: 'Wallet of two' },
  read(given) {
    for (const name of ['includeInternalTxs', 'includeLogs'])
      if (given[name] === true)
        throw badInput(`${name}: is not supported: no webhook here is about EVM transactions`);
    return readBody(changes, given, given, Object.keys(changes));
  },
};

const { addresses } = addressesArguments;

export const addressesBody: RouteBody<ArgumentValues<{ addresses: typeof addresses }>> = {
  description: 'The addresses.',
  schema: ref('WebhookAddressesRequest'),
  components: webhookRequestSchemas,
  example: { addresses: ['P-fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm'] },
  read: (given) => readBody({ addresses }, given, given, ['addresses']),
};
