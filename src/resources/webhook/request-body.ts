import { readArguments, type Arguments, type ArgumentValues } from '../../arguments/argument.js';
import { refuseNearSpellings } from '../../arguments/near-spelling.js';
import { badInput, Problems, shown } from '../../errors.js';
import { ref } from '../../fields/json-schema.js';
import type { RouteBody } from '../../rest/body.js';
import { addressesArguments, createArguments, updateArguments } from './arguments.js';
import { eventTypes } from './fields.js';
import { createExample, requestSchemas } from './rest-schemas.js';

const EVM = 'address_activity';

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
  components: requestSchemas,
  example: createExample,
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
  components: requestSchemas,
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
  components: requestSchemas,
  example: { addresses: ['P-fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm'] },
  read: (given) => readBody({ addresses }, given, given, ['addresses']),
};
