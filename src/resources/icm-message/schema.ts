import { networks } from '../../avalanche/networks.js';
import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import { registerNode } from '../../graphql/node.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import {
  icmDirections,
  icmMessageArguments,
  icmMessageListArguments,
  partyMessageArguments,
} from './arguments.js';
import type { IcmDirection } from './arguments.js';
import { icmDetails, icmObjects, icmStatuses, type IcmObjects, type IcmStatus } from './details.js';
import type { MessageDayNode } from './day.js';
import { registerIcmEdges, registerMessageDays } from './edges-schema.js';
import { icmMessageFields, icmMessageKeys, type IcmMessageNode } from './fields.js';
import { findIcmMessages, icmMessageList } from './list.js';
import { partyMessageList } from './party-list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    IcmMessage: IcmMessageNode;
    IcmReceipt: IcmReceiptNode;
    ChainMessageDay: MessageDayNode;
    IcmPrice: IcmObjects['IcmPrice'];
    IcmRewardDetails: IcmObjects['IcmRewardDetails'];
    IcmSourceTransaction: IcmObjects['IcmSourceTransaction'];
    IcmDestinationTransaction: IcmObjects['IcmDestinationTransaction'];
  }
  interface LeafTypes {
    IcmDirection: Leaf<IcmDirection>;
    IcmStatus: Leaf<IcmStatus>;
  }
}

/** A receipt with the message that carries it. */
export type IcmReceiptNode = IcmObjects['IcmReceipt'] & { carrier: IcmMessageNode };

export function registerIcmMessage(builder: Builder): void {
  registerMessageTypes(builder);
  registerNode(builder, {
    type: 'IcmMessage',
    description: 'A message from a contract on one chain to a contract on another (ICM).',
    plural: 'interchain messages',
    id: 'messageId',
    idForm: /^[0-9a-f]{64}$/,
    keys: icmMessageKeys,
    fields: icmMessageFields,
    moreFields: (t) => ({
      ...exposeFields(t, icmDetails, 'm.details'),
      json: t.field({
        type: 'JsonText',
        description: 'The row as JSON text.',
        resolve: ({ text }: IcmMessageNode) => text,
      }),
    }),
    find: findIcmMessages,
  });
  registerIcmEdges(builder);
  registerPartyMessages(builder);
  registerMessageDays(builder);
  builder.queryField('icmMessage', (t) =>
    t.field({
      type: 'IcmMessage',
      nullable: true,
      description: 'One interchain message by its id; null when it is not indexed.',
      args: argumentRefs(t, icmMessageArguments),
      resolve: async (_root, args, context) => {
        const { messageId } = argumentsOf(icmMessageArguments, args, context);
        const found = await Promise.all(
          networks.map((network) => loadRow(context, findIcmMessages, { network, messageId })),
        );
        return found.find((message) => message !== null) ?? null;
      },
    }),
  );

  addListField(builder, 'Query', 'icmMessages', {
    type: 'IcmMessageConnection',
    description:
      'Interchain messages, newest first by the time of the source transaction (or of the destination transaction, where the source is not indexed); of one second by the block and the position of the log of the source, where known, then by messageId. Filters combine with AND.',
    list: icmMessageList,
    arguments: icmMessageListArguments,
  });
}

function registerMessageTypes(builder: Builder): void {
  builder.enumType('IcmStatus', {
    description: 'Delivery status of a message.',
    values: Object.fromEntries(
      Object.entries(icmStatuses).map(([name, description]) => [name, { description }]),
    ),
  });
  for (const [name, { description, fields }] of Object.entries(icmObjects))
    builder.objectType(name as keyof IcmObjects, {
      description,
      fields: (t) => exposeFields(t, fields),
    });
}

function registerPartyMessages(builder: Builder): void {
  builder.enumType('IcmDirection', {
    description: 'Direction of a message, as the address sees it.',
    values: Object.fromEntries(
      Object.entries(icmDirections).map(([name, description]) => [name, { description }]),
    ),
  });
  addListField(builder, 'EvmAddress', 'icmMessages', {
    type: 'IcmMessageConnection',
    description:
      'Interchain messages from or to the address on its chain, each once, newest first, in the order of Query.icmMessages. Filters combine with AND.',
    list: partyMessageList,
    arguments: partyMessageArguments,
    of: { evmChainId: ({ evmChainId }) => evmChainId, address: ({ address }) => address },
  });
}
