import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { parseJson } from '../../json.js';
import type { BlockNode } from './fields.js';

/** A block as the database returns it. */
export interface BlockRow {
  /** Row id of the transaction that stands for it; a decimal text. */
  id: string;
  network: Network;
  chain: PrimaryChain;
  /** JSON of its fields. */
  text: string;
}

export function toBlockNode({ id, network, chain, text }: BlockRow): BlockNode {
  return { ...(parseJson(text) as BlockNode), rowId: id, network, chain };
}
