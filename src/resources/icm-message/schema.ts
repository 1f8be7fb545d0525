import { networks } from '../../avalanche/networks.js';
import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import type { ConnectionSource } from '../../graphql/connection.js';
import { exposeFields } from '../../graphql/fields.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { listField } from '../../graphql/list-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { sqlOf, sqlOfType } from '../../graphql/sql-source.js';
import { icmMessageArguments, icmMessageListArguments } from './arguments.js';
import { icmDetails } from './details.js';
import { registerIcmEdges } from './edges-schema.js';
import { registerPartyMessages } from './evm-address-schema.js';
import { icmMessageFields, icmMessageSource, type IcmMessageNode } from './fields.js';
import { findIcmMessages, icmMessageList } from './list.js';
import { registerIcmParts } from './parts-schema.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    IcmMessage: IcmMessageNode;
    IcmMessageConnection: ConnectionSource;
  }
}

/** Registers the type IcmMessage and the query fields icmMessage and icmMessages. */
export function registerIcmMessage(builder: Builder): void {
  registerIcmParts(builder);
  registerType(builder);
  registerConnection(builder, 'IcmMessage', 'interchain messages');
  registerIcmEdges(builder);
  registerPartyMessages(builder);
  registerQueries(builder);
}

function registerType(builder: Builder): void {
  builder.node('IcmMessage', {
    description: 'A message from a contract on one chain to a contract on another (ICM).',
    extensions: sqlOfType(icmMessageSource),
    id: {
      description: 'Global id, made of the network and the messageId.',
      resolve: ({ network, messageId }) => `${network}:${messageId}`,
    },
    loadOne: (id: string, context) => {
      const parts = splitNetworkKey(id);
      if (!parts || !/^[0-9a-f]{64}$/.test(parts.key)) return null;
      return loadRow(context, findIcmMessages, { network: parts.network, messageId: parts.key });
    },
    fields: (t) => ({
      network: t.expose('network', {
        type: 'Network',
        description: 'Its network.',
        extensions: sqlOf({ value: { form: 'plain', sql: icmMessageSource.keys.network } }),
      }),
      ...exposeFields(t, icmMessageFields),
      ...exposeFields(t, icmDetails, 'm.details'),
      json: t.field({
        type: 'JsonText',
        description: 'The row as JSON text.',
        resolve: (message) => message.text,
      }),
    }),
  });
}

function registerQueries(builder: Builder): void {
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

  builder.queryField('icmMessages', (t) =>
    listField(t, {
      type: 'IcmMessageConnection',
      description:
        'Interchain messages, newest first by the time of the source transaction (or of the destination transaction, where the source is not indexed), ties by messageId. Filters combine with AND.',
      list: icmMessageList,
      arguments: icmMessageListArguments,
    }),
  );
}
