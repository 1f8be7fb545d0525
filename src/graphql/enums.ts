import type { Network } from '../avalanche/networks.js';
import type { Builder } from './builder.js';

/** The networks as arguments name them; `testnet` is another name of fuji. */
export type NetworkName = Network | 'testnet';

/** Registers the enums that several resources share. */
export function registerEnums(builder: Builder): void {
  builder.enumType('Network', {
    description: 'A network of the Avalanche family.',
    values: {
      mainnet: { description: 'The main network.' },
      fuji: { description: 'The test network.' },
      testnet: { description: 'Another name of fuji; replies say fuji.' },
    },
  });
  builder.enumType('SortOrder', {
    description: 'Direction of a sort.',
    values: {
      asc: { description: 'Smallest or oldest first.' },
      desc: { description: 'Largest or newest first.' },
    },
  });
}
