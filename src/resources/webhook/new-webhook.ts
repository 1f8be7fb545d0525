import type { ArgumentValues } from '../../arguments/argument.js';
import type { PrimaryChain } from '../../avalanche/networks.js';
import { badInput } from '../../errors.js';
import { publishedKinds } from '../address/fields.js';
import type { createArguments } from './arguments.js';
import type { NewWebhook, WebhookMetadata } from './fields.js';

type Values = ArgumentValues<typeof createArguments>;

/**
 * A webhook of the values of its arguments.
 *
 * @throws AppError BAD_USER_INPUT where they do not go together
 */
export function newWebhook(values: Values): NewWebhook {
  const { eventType, url, name, description, network, keyType, keys } = values;
  const isOfAddresses = eventType === 'primary_network_address_activity';
  const chain = values.blockchainId ?? (isOfAddresses ? null : 'p');
  if (chain === null) throw badInput('blockchainId: is missing; addresses are of a chain');
  if (isOfAddresses !== (keyType === 'addresses'))
    throw badInput(
      `keyType: ${keyType} is not for ${eventType}; it must be ${isOfAddresses ? 'addresses' : 'nodeId or subnetId'}`,
    );
  if (!isOfAddresses && chain !== 'p')
    throw badInput(`blockchainId: validators are of the P-chain, not of ${chain}-chain`);
  const metadata = isOfAddresses ? ofAddresses(values, chain) : ofValidators(values);
  return { eventType, network, chain, url, name: name ?? '', description: description ?? '', metadata, keys };
}

function ofAddresses(
  { subEvents, balanceType, balanceThreshold, nodeIds, subnetIds, feeBalanceThreshold }: Values,
  chain: PrimaryChain,
): WebhookMetadata {
  refuse('for validators', { nodeIds, subnetIds, feeBalanceThreshold });
  const metadata: WebhookMetadata = {
    keyType: 'addresses',
    subEvents: { addressActivitySubEvents: subEvents },
  };
  if (!subEvents.includes('balance_threshold')) {
    refuse('for the sub-event balance_threshold', { balanceType, balanceThreshold });
    return metadata;
  }
  if (balanceType === null || balanceThreshold === null)
    throw badInput('balanceType, balanceThreshold: are missing; balance_threshold needs both');
  const kinds = Object.keys(publishedKinds[chain]);
  if (!kinds.includes(balanceType))
    throw badInput(`balanceType: the ${chain}-chain has no ${balanceType}; it has ${kinds.join(', ')}`);
  return { ...metadata, balanceThresholdFilter: { balanceType, balanceThreshold } };
}

function ofValidators({
  keyType,
  subEvents,
  balanceType,
  balanceThreshold,
  nodeIds,
  subnetIds,
  feeBalanceThreshold,
}: Values): WebhookMetadata {
  refuse('for addresses', { balanceType, balanceThreshold });
  refuse(`for keys of another type than ${keyType}`, keyType === 'nodeId' ? { nodeIds } : { subnetIds });
  const needsThreshold = subEvents.includes('l1_validator_balance_threshold');
  if (!needsThreshold) refuse('for the sub-event l1_validator_balance_threshold', { feeBalanceThreshold });
  if (needsThreshold && feeBalanceThreshold === null)
    throw badInput('feeBalanceThreshold: is missing; l1_validator_balance_threshold needs it');
  return {
    keyType,
    subEvents: { validatorActivitySubEvents: subEvents },
    ...(nodeIds?.length && { nodeIds }),
    ...(subnetIds?.length && { subnetIds }),
    ...(feeBalanceThreshold !== null && { l1ValidatorFeeBalanceThreshold: feeBalanceThreshold }),
  };
}

function refuse(why: string, values: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(values).filter((each) => values[each] !== null);
  if (given.length > 0) throw badInput(`${given.join(', ')}: is only ${why}`);
}
