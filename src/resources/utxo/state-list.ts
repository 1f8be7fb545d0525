import { eitherList } from '../../lists/either.js';
import { defineList } from '../../lists/read.js';
import { ownersOf } from '../address/query.js';
import type { UtxoStateNarrowing, UtxoStateQuery } from './arguments.js';
import { utxoRows, type UtxoNode } from './fields.js';
import { utxoStates } from './holding.js';
import { declaration, utxoList } from './list.js';
import { assetRowId, boundValues, shownOn, stateConditions } from './query.js';

/**
 * Unspent outputs of addresses by what can be done with them: the first rows of each of their holdings in the
 * state, which costs a descent of the index for each unlock time and asset, merged as in the list of all.
 */
export const stateUtxoList = defineList<UtxoStateQuery, UtxoNode, UtxoStateNarrowing>({
  ...declaration,
  name: 'utxos_of_state',
  values: { ...declaration.values, at: 'numeric', multiSignature: 'boolean' },
  bind: (query) =>
    Object.assign(boundValues(query), query.state && { [query.state]: true }, {
      chain: query.blockchainId !== null || null,
    }),
  ranges: (value, filters) => {
    const states = utxoStates.filter((state) => filters.includes(state));
    const parts = states.flatMap((state) => stateConditions(state, () => value('at')));
    const conditions = [
      ...(filters.includes('chain') ? [shownOn(value('blockchainId'))] : []),
      ...(filters.includes('assetId') ? [`h.asset_row_id = ${assetRowId(value)}`] : []),
      ...(filters.includes('multiSignature') ? [`h.shared = ${value('multiSignature')}`] : []),
    ];
    return {
      parts: parts.map((part) => ({
        each: `
          ${ownersOf(value)}
          CROSS JOIN LATERAL (
            SELECT h.id FROM address_holding h
            WHERE ${['h.address_id = owner.id', part, ...conditions].join(' AND ')} OFFSET 0) holding`,
      })),
      overlap: true,
    };
  },
  from: 'holding_output o',
  where: () => 'o.holding_id = holding.id',
  filters: {
    addresses: { as: 'addresses' },
    blockchainId: { as: ['blockchainId', 'chain'] },
    chain: { in: 'ranges' },
    // It makes no difference whether spent ones are requested: no state is that of a spent output.
    includeSpent: { as: 'states' },
    assetId: { in: 'ranges' },
    minUtxoAmount: declaration.filters.minUtxoAmount,
    multiSignature: { in: 'ranges' },
    state: { as: utxoStates },
    // Each state has other ranges.
    ...Object.fromEntries(utxoStates.map((state) => [state, { in: 'ranges' } as const])),
  },
});

/** The list of outputs in GraphQL. */
export const anyUtxoList = eitherList<UtxoStateQuery, UtxoNode>('utxos', utxoRows, ({ state }) =>
  state === null ? utxoList : stateUtxoList,
);
