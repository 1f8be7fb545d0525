import type { Builder } from '../../graphql/builder.js';
import type { UtxoState } from './holding.js';

declare module '../../graphql/builder.js' {
  interface LeafTypes {
    UtxoState: Leaf<UtxoState>;
  }
}

/** Registers the states by which lists of UTXOs are filtered. */
export function registerUtxoState(builder: Builder): void {
  builder.enumType('UtxoState', {
    description:
      'What can be done at a moment with an unspent output. Each output is in one state. A lock holds until its moment, at which it has passed.',
    values: {
      SPENDABLE: { description: 'It can be spent: none of the others.' },
      LOCKED_PLATFORM: { description: 'It cannot be spent at all before its platformLocktime.' },
      LOCKED_STAKEABLE: { description: 'It can be staked, but not spent before its stakeableLocktime.' },
      STAKED: { description: 'It is locked in an active stake, whatever its locks.' },
      IN_FLIGHT: {
        description: 'It was exported to another chain and is not imported there, whatever its locks.',
      },
    },
  });
}
