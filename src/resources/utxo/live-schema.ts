import type { Builder } from '../../graphql/builder.js';
import { addLiveField } from '../../graphql/live-field.js';
import type { LiveEvent } from '../../live/events.js';
import type { UtxoNode } from './fields.js';
import { liveArguments, liveUtxos } from './live.js';

declare module '../../graphql/builder.js' {
  interface LeafTypes {
    UtxoChange: Leaf<'created' | 'spent'>;
  }
}

/** Registers the stream of outputs. */
export function registerLiveUtxos(builder: Builder): void {
  builder.enumType('UtxoChange', {
    description: 'What happened to an output.',
    values: {
      created: { description: 'It was stored first.' },
      spent: {
        description:
          'It was spent, or stored as spent for the first time. An output in an active stake is spent when the stake ends.',
      },
    },
  });
  addLiveField(builder, 'utxos', {
    type: 'Utxo',
    description:
      'Outputs when they are first stored and when they are spent: of a chain, or of addresses on one or all chains. The filters are those of Query.utxos.',
    event: 'An output was stored or spent.',
    arguments: liveArguments,
    list: liveUtxos,
    moreFields: (t) => ({
      change: t.field({
        type: 'UtxoChange',
        description:
          'What happened. An output that is stored when it is spent already has both, created first.',
        resolve: ({ kind }: LiveEvent<UtxoNode>) => (kind === 'spent_utxo' ? 'spent' : 'created'),
      }),
    }),
  });
}
