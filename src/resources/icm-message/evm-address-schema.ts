import type { Builder } from '../../graphql/builder.js';
import { listField } from '../../graphql/list-field.js';
import { icmDirections, partyMessageArguments, type IcmDirection } from './arguments.js';
import { partyMessageList } from './list.js';

declare module '../../graphql/builder.js' {
  interface LeafTypes {
    IcmDirection: Leaf<IcmDirection>;
  }
}

/** Registers the messages of an EVM address. */
export function registerPartyMessages(builder: Builder): void {
  builder.enumType('IcmDirection', {
    description: 'Direction of a message, as the address sees it.',
    values: Object.fromEntries(
      Object.entries(icmDirections).map(([name, description]) => [name, { description }]),
    ),
  });
  builder.objectField('EvmAddress', 'icmMessages', (t) =>
    listField(t, {
      type: 'IcmMessageConnection',
      description:
        'Interchain messages from or to the address on its chain, each once, newest first, in the order of Query.icmMessages. Filters combine with AND.',
      list: partyMessageList,
      arguments: partyMessageArguments,
      of: { evmChainId: ({ evmChainId }) => evmChainId, address: ({ address }) => address },
    }),
  );
}
