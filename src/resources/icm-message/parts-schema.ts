import type { Builder, Leaf } from '../../graphql/builder.js';
import type {
  IcmDestinationTransactionNode,
  IcmPriceNode,
  IcmReceiptNode,
  IcmRewardNode,
  IcmSourceTransactionNode,
  IcmStatus,
} from './row.js';

export interface IcmPartObjects {
  IcmReceipt: IcmReceiptNode;
  IcmPrice: IcmPriceNode;
  IcmRewardDetails: IcmRewardNode;
  IcmSourceTransaction: IcmSourceTransactionNode;
  IcmDestinationTransaction: IcmDestinationTransactionNode;
}

export type IcmMessageEnums = {
  IcmStatus: Leaf<IcmStatus>;
};

/** Registers what a message is made of. */
export function registerIcmParts(builder: Builder): void {
  builder.enumType('IcmStatus', {
    description: 'How far a message has come.',
    values: {
      pending: { description: 'Sent, not delivered.' },
      delivered: { description: 'Sent and delivered.' },
      delivered_source_not_indexed: {
        description: 'Delivered from a chain whose transactions are not known.',
      },
    },
  });
  builder.objectType('IcmReceipt', {
    description: 'A receipt that a message carries back for another one.',
    fields: (t) => ({
      receivedMessageNonce: t.expose('receivedMessageNonce', {
        type: 'BigNumber',
        description: 'Nonce of the message that was received.',
      }),
      relayerRewardAddress: t.exposeString('relayerRewardAddress', {
        description: 'Who may redeem its reward, hex.',
      }),
    }),
  });
  builder.objectType('IcmPrice', {
    description: 'A price.',
    fields: (t) => ({
      currencyCode: t.exposeString('currencyCode', { description: 'Currency, for example usd.' }),
      value: t.exposeString('value', { description: 'Amount in that currency, decimal.' }),
    }),
  });
  builder.objectType('IcmRewardDetails', {
    description: 'What the deliverer of a message is paid; a value of 0 for no reward.',
    fields: (t) => ({
      address: t.exposeString('address', { description: "The token's contract, hex; zeros for no reward." }),
      name: t.exposeString('name', { description: "The token's full name; empty for no reward." }),
      symbol: t.exposeString('symbol', { description: "The token's short name; empty for no reward." }),
      decimals: t.exposeInt('decimals', {
        description: 'How many decimal digits the smallest unit is below one token.',
      }),
      logoUri: t.exposeString('logoUri', {
        nullable: true,
        description: "The token's picture; null where unknown.",
      }),
      ercType: t.exposeString('ercType', { description: "The token's standard: ERC-20." }),
      price: t.field({
        type: 'IcmPrice',
        nullable: true,
        description: 'The price of the token; null where unknown.',
        resolve: ({ price }) => price,
      }),
      value: t.expose('value', { type: 'BigNumber', description: "Amount in the token's smallest unit." }),
    }),
  });
  builder.objectType('IcmSourceTransaction', {
    description: 'The transaction that sent a message.',
    fields: (t) => ({
      txHash: t.exposeString('txHash', { description: 'Hash, hex.' }),
      timestamp: t.expose('timestamp', {
        type: 'Long',
        description: 'When its block was made, Unix seconds.',
      }),
      gasSpent: t.expose('gasSpent', { type: 'BigNumber', description: 'What its gas cost.' }),
    }),
  });
  builder.objectType('IcmDestinationTransaction', {
    description: 'The transaction that delivered a message.',
    fields: (t) => ({
      txHash: t.exposeString('txHash', { description: 'Hash, hex.' }),
      timestamp: t.expose('timestamp', {
        type: 'Long',
        description: 'When its block was made, Unix seconds.',
      }),
      gasSpent: t.expose('gasSpent', { type: 'BigNumber', description: 'What its gas cost.' }),
      rewardRedeemer: t.exposeString('rewardRedeemer', { description: 'Who may redeem the reward, hex.' }),
      delivererAddress: t.exposeString('delivererAddress', {
        description: 'Who delivered the message, hex.',
      }),
    }),
  });
}
