import {
  boolean,
  choice,
  digits,
  evmAddress,
  evmHash,
  hex,
  is,
  list,
  object,
  plain,
  small,
  textOf,
  uri,
  whole,
} from '../../fields/field.js';
import type { Details, NodeOf } from '../../fields/field.js';

/** The stages of a message, with their meaning. */
export const icmStatuses = {
  pending: 'Sent, not delivered.',
  delivered: 'Sent and delivered.',
  delivered_source_not_indexed: 'Delivered from a chain whose transactions are not known.',
};
export type IcmStatus = keyof typeof icmStatuses;

// docs/contract.md, "Closed value sets".
const currencies = 'usd eur aud cad chf clp cny czk dkk gbp hkd huf jpy nzd'.split(' ');

const receipt = {
  receivedMessageNonce: is(digits, 'Nonce of the message that was received'),
  relayerRewardAddress: is(evmAddress, 'Who may redeem its reward, hex'),
} satisfies Details;

const price = {
  currencyCode: is(textOf({ enum: currencies }), 'Currency, for example usd'),
  value: is(plain, 'Amount in that currency, decimal'),
} satisfies Details;

const sent = {
  txHash: is(evmHash, 'Hash, hex'),
  timestamp: is(whole, 'When its block was made, Unix seconds'),
  gasSpent: is(digits, "Cost of its gas, in the smallest unit of its chain's token"),
} satisfies Details;

const delivered = {
  ...sent,
  rewardRedeemer: is(evmAddress, 'Who may redeem the reward, hex'),
  delivererAddress: is(evmAddress, 'Who delivered the message, hex'),
} satisfies Details;

const reward = {
  address: is(evmAddress, "The token's contract, hex; zeros for no reward"),
  name: is(plain, "The token's full name; empty for no reward"),
  symbol: is(plain, "The token's short name; empty for no reward"),
  decimals: is(small, 'Number of decimals of the token: one token is 10^decimals of its smallest unit'),
  logoUri: is(uri, "URL of the token's logo", 'where unknown'),
  ercType: is(textOf({ enum: ['ERC-20'] }), "The token's standard: ERC-20"),
  price: is(object<NodeOf<typeof price>>('IcmPrice'), 'The price of the token', 'where unknown'),
  value: is(digits, "Amount in the token's smallest unit"),
} satisfies Details;

/** The objects within a message, by their names in GraphQL. */
export const icmObjects = {
  IcmReceipt: { description: 'A receipt for another message, carried by this one.', fields: receipt },
  IcmPrice: { description: 'A price.', fields: price },
  IcmRewardDetails: {
    description: 'Reward for delivering a message; value is 0 for no reward.',
    fields: reward,
  },
  IcmSourceTransaction: { description: 'The transaction that sent a message.', fields: sent },
  IcmDestinationTransaction: {
    description: 'The transaction that delivered a message.',
    fields: delivered,
  },
} satisfies Record<string, { description: string; fields: Details }>;

export type IcmObjects = {
  [Name in keyof typeof icmObjects]: NodeOf<(typeof icmObjects)[Name]['fields']>;
};

/** The fields of a message without a column, as its JSON in the database has them. */
export const icmDetails = {
  icmContractAddress: is(evmAddress, 'The messenger contract, hex'),
  messageNonce: is(digits, 'Nonce of the message at the messenger contract'),
  from: is(evmAddress, 'Sender on the source chain, hex'),
  to: is(evmAddress, 'Recipient on the destination chain, hex'),
  data: is(hex, 'Payload of the message, hex', 'where unknown'),
  messageExecuted: is(
    boolean,
    'Whether the recipient executed the message, as far as is known: false too where the destination is not indexed. A delivered message may still fail there',
  ),
  receipts: {
    ...is(
      list<IcmObjects['IcmReceipt']>('IcmReceipt'),
      'Receipts for other messages that this one carries, as far as is known: none too where the source is not indexed',
    ),
    // In GraphQL they are fields of their messages.
    graphql: false,
  },
  receiptDelivered: is(
    boolean,
    'Whether the receipt for this message was returned, as far as is known: false too where the source is not indexed',
  ),
  rewardDetails: is(
    object<IcmObjects['IcmRewardDetails']>('IcmRewardDetails'),
    'Reward for delivering the message',
  ),
  sourceTransaction: is(
    object<IcmObjects['IcmSourceTransaction']>('IcmSourceTransaction'),
    'The transaction that sent it',
    'where the source is not indexed',
  ),
  destinationTransaction: is(
    object<IcmObjects['IcmDestinationTransaction']>('IcmDestinationTransaction'),
    'The transaction that delivered it',
    'while it is pending',
  ),
  status: is(choice('IcmStatus', Object.keys(icmStatuses) as IcmStatus[]), 'Delivery status of the message'),
} satisfies Details;

export type IcmDetails = NodeOf<typeof icmDetails>;
