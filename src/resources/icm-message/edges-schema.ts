import { icmMessageId } from '../../avalanche/icm.js';
import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { addRowField, rowField } from '../../graphql/row-field.js';
import { sqlOfType } from '../../graphql/sql-source.js';
import { metricsLimits } from '../../paging/page-request.js';
import { chainOfBothNames } from '../chain/loaders.js';
import { addressOn } from '../internal-tx/evm-address-schema.js';
import { messageDayArguments } from './arguments.js';
import { messageDayFields } from './day.js';
import { messageDayList } from './day-list.js';
import { icmDetails } from './details.js';
import type { IcmMessageNode } from './fields.js';
import { findIcmMessages } from './list.js';

/** Most receipts that a messenger contract puts into one message by itself. */
const RECEIPTS = 5;

/** Who sent or receives a message: an address on its chain, which has both names. */
const party = addressOn(chainOfBothNames);

const namesOf = (end: 'source' | 'destination', message: IcmMessageNode) => ({
  blockchainId: message[`${end}BlockchainId`],
  evmChainId: message[`${end}EvmChainId`],
});

export function registerIcmEdges(builder: Builder): void {
  builder.objectFields('IcmMessage', (t) => ({
    sourceChain: rowField(t, {
      type: 'Chain',
      description: 'The source chain; null when that chain is not indexed.',
      find: chainOfBothNames,
      of: (message) => namesOf('source', message),
    }),
    destinationChain: rowField(t, {
      type: 'Chain',
      description: 'The destination chain; null when that chain is not indexed.',
      find: chainOfBothNames,
      of: (message) => namesOf('destination', message),
    }),
    fromEvmAddress: rowField(t, {
      type: 'EvmAddress',
      description: 'The sender on the source chain; null when that chain is not indexed.',
      find: party,
      of: (message) => ({ ...namesOf('source', message), address: message.from }),
    }),
    toEvmAddress: rowField(t, {
      type: 'EvmAddress',
      description: 'The recipient on the destination chain; null when that chain is not indexed.',
      find: party,
      of: (message) => ({ ...namesOf('destination', message), address: message.to }),
    }),
    receipts: t.field({
      type: ['IcmReceipt'],
      description: `${icmDetails.receipts.description}.`,
      resolve: (message) => message.receipts.map((receipt) => ({ ...receipt, carrier: message })),
    }),
  }));

  addRowField(builder, 'IcmReceipt', 'message', {
    type: 'IcmMessage',
    description: `The received message, which the same messenger contract sent in the other direction; null when it is not indexed. Its selected fields count ${RECEIPTS} times towards maxCost.`,
    times: RECEIPTS,
    find: findIcmMessages,
    of: ({ carrier, receivedMessageNonce }) => ({
      network: carrier.network,
      messageId: icmMessageId({
        contract: carrier.icmContractAddress,
        source: carrier.destinationBlockchainId,
        destination: carrier.sourceBlockchainId,
        nonce: receivedMessageNonce,
      }),
    }),
  });
}

/** Registers how many messages a chain sent and was sent, by day. */
export function registerMessageDays(builder: Builder): void {
  builder.objectType('ChainMessageDay', {
    description: 'How many interchain messages a chain sent, and how many were sent to it, on one UTC day.',
    extensions: sqlOfType({ keys: {} }),
    fields: (t) => exposeFields(t, messageDayFields),
  });
  registerConnection(builder, 'ChainMessageDay', 'days of messages');
  addListField(builder, 'Chain', 'messageDays', {
    type: 'ChainMessageDayConnection',
    description:
      'How many indexed interchain messages the chain sent and was sent by UTC day, newest first: by the time of the transaction that sent each, or of the one that received it where that is not indexed. Days without any are left out.',
    list: messageDayList,
    arguments: messageDayArguments,
    of: { evmChainId: ({ chainId }) => chainId },
    pages: { limits: metricsLimits, first: 'days from the newest', last: 'days from the oldest' },
  });
}
