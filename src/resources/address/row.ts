import type { Network } from '../../avalanche/networks.js';
import { parseJson } from '../../json.js';
import type { AssetNode } from '../asset/row.js';

/** An address of a network as resolvers see it, known or not. */
export interface AddressNode {
  network: Network;
  /** Without chain prefix, in lower case. */
  address: string;
}

/** What an address has of an asset, as the database hands it out. */
export interface BalanceRow {
  /** Row id of the asset; a decimal text. */
  id: string;
  /** JSON of a BalanceNode. */
  text: string;
}

export interface BalanceNode {
  asset: AssetNode;
  unspent: string;
  received: string;
}

export function toBalanceNode({ text }: BalanceRow): BalanceNode {
  return parseJson(text) as BalanceNode;
}
