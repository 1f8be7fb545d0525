import type { Builder } from '../../graphql/builder.js';
import { checkBoth } from '../../errors.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { readConnection, type ConnectionSource } from '../../graphql/connection.js';
import type { Context } from '../../graphql/context.js';
import { countList } from '../../graphql/counting.js';
import { connectionLimits, parsePageArguments } from '../../paging/page-request.js';
import { digestQuery } from '../../paging/token.js';
import { chainLoader } from '../chain/loaders.js';
import type { ChainNode } from '../chain/row.js';
import { icmMessageLoader } from './loaders.js';
import { registerIcmParts, type IcmPartObjects } from './parts-schema.js';
import { readMessageId, resolveIcmQuery } from './query.js';
import { toIcmMessageNode, type IcmMessageNode } from './row.js';
import { countIcmMessages, icmMessageExists, listIcmMessages } from './store.js';

export type { IcmMessageEnums } from './parts-schema.js';

export interface IcmMessageObjects extends IcmPartObjects {
  IcmMessage: IcmMessageNode;
  IcmMessageConnection: ConnectionSource;
}

/** Registers the type IcmMessage and the query fields icmMessage and icmMessages. */
export function registerIcmMessage(builder: Builder): void {
  registerIcmParts(builder);
  registerType(builder);
  registerConnection(builder, 'IcmMessage', 'interchain messages');
  registerQueries(builder);
}

function registerType(builder: Builder): void {
  builder.node('IcmMessage', {
    description: 'A message from a contract on one chain to a contract on another (ICM).',
    id: {
      description: 'Global id, made of the network and the messageId.',
      resolve: ({ network, messageId }) => `${network}:${messageId}`,
    },
    loadOne: (id: string, context) => {
      const parts = splitNetworkKey(id);
      if (!parts || !/^[0-9a-f]{64}$/.test(parts.key)) return null;
      return icmMessageLoader(context).load({ network: parts.network, messageId: parts.key });
    },
    fields: (t) => ({
      messageId: t.exposeString('messageId', { description: 'Id of the message, hex without 0x.' }),
      icmContractAddress: t.exposeString('icmContractAddress', {
        description: 'The messenger contract, hex.',
      }),
      sourceBlockchainId: t.exposeString('sourceBlockchainId', { description: 'Where it comes from, CB58.' }),
      destinationBlockchainId: t.exposeString('destinationBlockchainId', {
        description: 'Where it goes, CB58.',
      }),
      sourceEvmChainId: t.exposeString('sourceEvmChainId', {
        description: 'EVM chain id of the source, decimal.',
      }),
      destinationEvmChainId: t.exposeString('destinationEvmChainId', {
        description: 'EVM chain id of the destination, decimal.',
      }),
      messageNonce: t.expose('messageNonce', {
        type: 'BigNumber',
        description: 'Its number at the messenger contract.',
      }),
      from: t.exposeString('from', { description: 'Sender on the source chain, hex.' }),
      to: t.exposeString('to', { description: 'Recipient on the destination chain, hex.' }),
      data: t.exposeString('data', { nullable: true, description: 'What is said, hex; null where unknown.' }),
      messageExecuted: t.exposeBoolean('messageExecuted', {
        description: 'Whether the recipient took it; a delivered one may still fail there.',
      }),
      receipts: t.field({
        type: ['IcmReceipt'],
        description: 'Receipts that it carries back.',
        resolve: ({ receipts }) => receipts,
      }),
      receiptDelivered: t.exposeBoolean('receiptDelivered', {
        description: 'Whether its own receipt came back.',
      }),
      rewardDetails: t.field({
        type: 'IcmRewardDetails',
        description: 'What its deliverer is paid.',
        resolve: ({ rewardDetails }) => rewardDetails,
      }),
      sourceTransaction: t.field({
        type: 'IcmSourceTransaction',
        nullable: true,
        description: 'The transaction that sent it; null where the source is not indexed.',
        resolve: ({ sourceTransaction }) => sourceTransaction,
      }),
      destinationTransaction: t.field({
        type: 'IcmDestinationTransaction',
        nullable: true,
        description: 'The transaction that delivered it; null while it is pending.',
        resolve: ({ destinationTransaction }) => destinationTransaction,
      }),
      status: t.field({
        type: 'IcmStatus',
        description: 'How far it has come.',
        resolve: ({ status }) => status,
      }),
      sourceChain: t.field({
        type: 'Chain',
        nullable: true,
        description: 'Where it comes from; null when that chain is not held.',
        resolve: (message, _args, context) =>
          loadEnd(context, message.sourceBlockchainId, message.sourceEvmChainId),
      }),
      destinationChain: t.field({
        type: 'Chain',
        nullable: true,
        description: 'Where it goes; null when that chain is not held.',
        resolve: (message, _args, context) =>
          loadEnd(context, message.destinationBlockchainId, message.destinationEvmChainId),
      }),
      json: t.field({
        type: 'JsonText',
        description: 'The row as JSON text.',
        resolve: (message) => message.text,
      }),
    }),
  });
}

// Not every chain row knows its blockchain id. Both names go into one batch.
async function loadEnd(
  context: Context,
  blockchainId: string,
  evmChainId: string,
): Promise<ChainNode | null> {
  const [byBlockchain, byEvm] = await Promise.all([
    chainLoader(context).load({ blockchainId }),
    chainLoader(context).load({ evmChainId }),
  ]);
  if (byBlockchain) return byBlockchain;
  return byEvm && byEvm.blockchainId === null ? byEvm : null;
}

function registerQueries(builder: Builder): void {
  builder.queryField('icmMessage', (t) =>
    t.field({
      type: 'IcmMessage',
      nullable: true,
      description: 'One interchain message by its id; null when it is not held.',
      args: {
        messageId: t.arg.string({
          required: true,
          description: '64 hexadecimal digits in any case, with 0x or without.',
        }),
      },
      resolve: (_root, { messageId }, context) =>
        icmMessageLoader(context).load({ network: null, messageId: readMessageId('messageId', messageId) }),
    }),
  );

  builder.queryField('icmMessages', (t) =>
    t.field({
      type: 'IcmMessageConnection',
      description:
        "Interchain messages, newest first by the time of the source transaction (the destination's where the source is not indexed), ties by messageId. Filters combine with AND.",
      args: {
        network: t.arg({ type: 'Network', description: 'Only of this network. Not given: all.' }),
        sourceBlockchainId: t.arg.string({
          description: 'Only from this chain: blockchain id (CB58) or EVM chain id (decimal).',
        }),
        destinationBlockchainId: t.arg.string({
          description: 'Only to this chain: blockchain id (CB58) or EVM chain id (decimal).',
        }),
        blockchainId: t.arg.string({ description: 'Only from or to this chain: blockchain id (CB58).' }),
        from: t.arg.string({ description: 'Only from this address, hex with 0x in any case.' }),
        to: t.arg.string({ description: 'Only to this address, hex with 0x in any case.' }),
        ...t.arg.connectionArgs(),
      },
      resolve: (_root, args, context) => {
        const { storage, tokens } = context;
        const [query, request] = checkBoth(
          () => resolveIcmQuery(args),
          () => parsePageArguments(args, connectionLimits),
        );
        return readConnection({
          tokens,
          query: digestQuery('icmMessages', Object.values(query)),
          request,
          read: (request) => listIcmMessages(storage, query, request),
          exists: (id) => icmMessageExists(storage, id),
          count: () => countList(context, (most) => countIcmMessages(storage, query, most)),
          toNode: toIcmMessageNode,
        });
      },
    }),
  );
}
