import { defineList } from '../../lists/read.js';
import type { AssetUtxoNarrowing, AssetUtxoQuery } from './arguments.js';
import type { UtxoNode } from './fields.js';
import { declaration, sortedByAmount } from './list.js';
import { boundValues } from './query.js';

/** The outputs of assets on the X-chain, the only chain that lists them by asset. */
export const assetUtxoList = defineList<AssetUtxoQuery, UtxoNode, AssetUtxoNarrowing>({
  ...declaration,
  name: 'utxos_of_asset',
  parent: ['network', 'assetId'],
  bind: (query) => boundValues(Object.assign({}, query, { blockchainId: 'x' as const })),
  counted: sortedByAmount,
});
