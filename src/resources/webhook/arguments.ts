import { narrowing, optional, type Argument } from '../../arguments/argument.js';
import { blockchainArgument, choiceArgument, networkArgument } from '../../arguments/common.js';
import { MORE_ADDRESSES, readAddresses, readId, readNodeId } from '../../avalanche/input.js';
import type { Network } from '../../avalanche/networks.js';
import { badInput, quote } from '../../errors.js';
import { balanceTypes, eventTypes, keyTypes, statuses, subEvents } from './fields.js';
import type { SubEvent, WebhookEventType, WebhookKeyType } from './fields.js';
import { amount, ids, listOf, text, url } from './parameter.js';

/** Of either case, as RFC 9562 has it. */
const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 1000;

const id: Argument<string> = {
  type: 'String',
  description: 'Id of the webhook, a UUID.',
  schema: { type: 'string', pattern: UUID },
  example: '0b7e2f6a-5d3c-4c1e-9a52-6f0d1e8c4b11',
  read: (name, value) => {
    const text = String(value);
    if (new RegExp(UUID).test(text)) return text.toLowerCase();
    throw badInput(`${name}: ${quote(text)} is not the id of a webhook, a UUID`);
  },
};

function readKeys(
  name: string,
  items: readonly string[],
  earlier: Readonly<Record<string, unknown>>,
): string[] {
  const keyType = earlier['keyType'] as WebhookKeyType | undefined;
  if (keyType === undefined) return [];
  if (keyType === 'addresses') {
    const addresses = readAddresses(name, earlier['network'] as Network | undefined, items, MORE_ADDRESSES);
    if (addresses.length === 0) throw badInput(`${name}: is empty; give at least one address`);
    return addresses;
  }
  const [item, ...others] = items;
  if (item === undefined || others.length > 0)
    throw badInput(`${name}: has ${items.length} keys; exactly one ${keyType} is allowed`);
  return [keyType === 'nodeId' ? readNodeId(name, item) : readId(name, item)];
}

function readSubEvents(
  name: string,
  items: readonly string[],
  { eventType }: Readonly<Record<string, unknown>>,
): SubEvent[] {
  const known = eventType === undefined ? [] : Object.keys(subEvents[eventType as WebhookEventType]);
  const wrong = items.find((item) => !known.includes(item));
  if (eventType !== undefined && wrong !== undefined)
    throw badInput(`${name}: ${quote(wrong)} is not one of ${known.join(', ')}`);
  if (items.length === 0) throw badInput(`${name}: is empty; give at least one`);
  return [...new Set(items)] as SubEvent[];
}

const name = text('A name for people.', LONGEST_NAME);
const description = text('What it is for.', LONGEST_DESCRIPTION);

export const webhookArguments = { id };
export const webhookListArguments = narrowing({
  status: optional(choiceArgument('WebhookStatus', statuses, 'Only webhooks that are so. If omitted, all.')),
});

export const createArguments = {
  eventType: choiceArgument('WebhookEventType', eventTypes, 'What it is about.'),
  url,
  name: optional(name),
  description: optional(description),
  network: networkArgument('The network.'),
  blockchainId: optional(
    blockchainArgument(
      ['p', 'x', 'c'],
      'The chain of the addresses: p-chain, x-chain or c-chain, or its blockchain id. Validators are of the P-chain, and need none.',
      {},
    ),
  ),
  keyType: choiceArgument(
    'WebhookKeyType',
    keyTypes,
    'What the keys are: addresses, or of validators a node or a subnet.',
  ),
  keys: listOf(
    'String',
    `The addresses, at most ${MORE_ADDRESSES}, with or without a chain prefix; or one node id or subnet id.`,
    readKeys,
  ),
  subEvents: listOf('WebhookSubEvent', 'Which of its events are sent, at least one.', readSubEvents),
  balanceType: optional(
    choiceArgument(
      'WebhookBalanceType',
      balanceTypes,
      'The kind of balance that the threshold is for, one that the chain has. For balance_threshold alone.',
    ),
  ),
  balanceThreshold: amount('The threshold of that balance, nAVAX. For balance_threshold alone.'),
  nodeIds: ids('Only events of these nodes, for a subnet.', readNodeId),
  subnetIds: ids('Only events of these subnets, for a node.', readId),
  feeBalanceThreshold: amount(
    'The threshold of the balance of each L1 validator, nAVAX. For l1_validator_balance_threshold alone.',
  ),
};

export const updateArguments = {
  id,
  url: optional(url),
  name: optional(name),
  description: optional(description),
  status: optional(
    choiceArgument(
      'WebhookStatus',
      statuses,
      'active: it gets the events from now on. inactive: it gets none, and those that were not sent are dropped.',
    ),
  ),
};

export const addressesArguments = {
  id,
  addresses: listOf('String', `Addresses of its network, at most ${MORE_ADDRESSES}.`, (each, items) => {
    const addresses = readAddresses(each, undefined, items, MORE_ADDRESSES);
    if (addresses.length === 0) throw badInput(`${each}: is empty; give at least one address`);
    return addresses;
  }),
};
