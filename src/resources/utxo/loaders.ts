import { rowLoader } from '../../graphql/row-loader.js';
import { findUtxos } from './list.js';
import { toUtxoNode } from './row.js';

/** UTXOs by network and utxoId; null for one that is not stored. */
export const utxoLoader = rowLoader(findUtxos, toUtxoNode, ({ network, utxoId }) => `${network}:${utxoId}`);
