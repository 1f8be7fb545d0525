import { storedEvmAddress, toBytea } from '../../avalanche/evm.js';
import { networks } from '../../avalanche/networks.js';
import type { Range } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import { timeFilters } from '../transaction/query.js';
import type {
  IcmMessageNarrowing,
  IcmMessageQuery,
  PartyMessageNarrowing,
  PartyMessageQuery,
} from './arguments.js';
import type { IcmMessageNode } from './fields.js';
import { bounds, newestFirst } from './newest-list.js';
import { boundTimes, nameTest, rangeOf, times } from './query.js';

/** The messages of an address on all chains: of each network a range of those sent and one of the others. */
export const addressList = defineList<IcmMessageQuery, IcmMessageNode, IcmMessageNarrowing>({
  name: 'icm_of_address',
  values: { networks: 'network[]', address: 'bytea', ...times },
  bind: ({ network, address, ...query }) => ({
    networks: network ? [network] : networks,
    address: address && toBytea(address),
    ...boundTimes(query),
  }),
  ...newestFirst,
  where: bounds,
  filters: {
    network: { as: 'networks' },
    sourceBlockchainId: 'never',
    destinationBlockchainId: 'never',
    blockchainId: 'never',
    from: 'never',
    to: 'never',
    txHash: 'never',
    status: 'never',
    address: { as: 'address' },
    ...timeFilters,
  },
  ranges: (value) => ({
    parts: ['from', 'to'].map((party): Range => {
      const { each, where } = rangeOf(value, {});
      return {
        each,
        where: [where, `m.${party}_address = ${value('address')}`].filter(Boolean).join(' AND '),
      };
    }),
    overlap: true,
  }),
});

/** The messages of addresses on chains: a range of what each sent and one of what it received, merged. */
export const partyMessageList = defineList<PartyMessageQuery, IcmMessageNode, PartyMessageNarrowing>({
  name: 'icm_of_party',
  values: {
    networks: 'network[]',
    evmChainId: 'numeric',
    address: 'bytea',
    sent: 'boolean',
    received: 'boolean',
    ...times,
  },
  parent: ['evmChainId', 'address'],
  bind: ({ evmChainId, address, direction, ...query }) => ({
    networks,
    evmChainId,
    address: toBytea(address),
    sent: direction === 'received' ? null : true,
    received: direction === 'sent' ? null : true,
    ...boundTimes(query),
  }),
  ofParent: storedEvmAddress,
  ...newestFirst,
  where: bounds,
  filters: {
    direction: { as: ['sent', 'received'] },
    sent: { in: 'ranges' },
    received: { in: 'ranges' },
    ...timeFilters,
  },
  ranges: (value, filters) => {
    const chain = [nameTest(value('evmChainId'))];
    const sides = { sent: ['source', 'from'], received: ['destination', 'to'] } as const;
    const parts = (['sent', 'received'] as const)
      .filter((side) => filters.includes(side))
      .map((side): Range => {
        const [end, party] = sides[side];
        const { each, where } = rangeOf(value, { [end]: chain });
        return { each, where: `${where} AND m.${party}_address = ${value('address')}` };
      });
    // A message from an address to itself is in both.
    return { parts, overlap: parts.length > 1 };
  },
});
