import type { Builder } from '../../graphql/builder.js';
import type { UtxoState } from './holding.js';

declare module '../../graphql/builder.js' {
  interface LeafTypes {
    UtxoState: Leaf<UtxoState>;
  }
}

export function registerUtxoState(builder: Builder): void {
  builder.enumType('UtxoState', {
    description:
      'What can be done with an unspent output at a given time. Each output is in exactly one state. A lock has passed once its locktime is reached.',
    values: {
      SPENDABLE: { description: 'It can be spent: no other state applies.' },
      LOCKED_PLATFORM: { description: 'It cannot be spent at all before its platformLocktime.' },
      LOCKED_STAKEABLE: { description: 'It can be staked, but not spent before its stakeableLocktime.' },
      STAKED: { description: 'It is locked in an active stake, whatever its locks.' },
      IN_FLIGHT: {
        description: 'It was exported to another chain and is not imported there, whatever its locks.',
      },
    },
  });
}
