import type { Network } from '../../avalanche/networks.js';
import { parseJson } from '../../json.js';
import { placeAmounts } from '../asset/fields.js';
import { restoreUnknown, type UtxoNode } from './fields.js';

/** A UTXO as the database returns it. */
export interface UtxoRow {
  /** Row id, the position that page tokens contain; a decimal text. */
  id: string;
  network: Network;
  /** The specification's JSON of the output. */
  text: string;
  /** Which values of the text REST invents: see unknownBits. */
  unknown: number;
}

export function toUtxoNode({ id, network, text, unknown }: UtxoRow): UtxoNode {
  const node = parseJson(text) as UtxoNode;
  node.rowId = id;
  node.network = network;
  placeAmounts([node.asset], network);
  restoreUnknown(node, unknown);
  return node;
}
