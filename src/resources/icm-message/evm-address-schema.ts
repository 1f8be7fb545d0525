import type { Builder } from '../../graphql/builder.js';
import { listField } from '../../graphql/list-field.js';
import { icmDirections, partyMessageArguments, type IcmDirection } from './arguments.js';
import { partyMessageList } from './list.js';
import { toIcmMessageNode } from './row.js';

declare module '../../graphql/builder.js' {
  interface LeafTypes {
    IcmDirection: Leaf<IcmDirection>;
  }
}

/** Registers the messages of an EVM address. */
export function registerPartyMessages(builder: Builder): void {
  builder.enumType('IcmDirection', {
    description: 'Which of the messages of an address.',
    values: Object.fromEntries(
      Object.entries(icmDirections).map(([name, description]) => [name, { description }]),
    ),
  });
  builder.objectField('EvmAddress', 'icmMessages', (t) =>
    listField(t, {
      type: 'IcmMessageConnection',
      description:
        'Interchain messages that the address sent from its chain or that were sent to it there, each once, newest first, as the field icmMessages of the query sorts them. Filters combine with AND.',
      list: partyMessageList,
      arguments: partyMessageArguments,
      of: { evmChainId: ({ evmChainId }) => evmChainId, address: ({ address }) => address },
      toNode: toIcmMessageNode,
    }),
  );
}
