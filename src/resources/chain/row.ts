import type { NodeOf } from '../../fields/field.js';
import { parseJson } from '../../json.js';
import type { chainFields } from './fields.js';

/** A chain as the database returns it. */
export interface ChainRow {
  /** Row id, the position that page tokens contain; a decimal text. */
  id: string;
  /** The reply's JSON of the chain. */
  text: string;
  blockchainId: string | null;
}

/** A chain as resolvers see it: the row's JSON. */
export type ChainNode = NodeOf<typeof chainFields> & {
  /** The row's JSON text, for REST. */
  text: string;
  blockchainId: string | null;
};

export function toChainNode({ text, blockchainId }: ChainRow): ChainNode {
  const node = parseJson(text) as ChainNode;
  node.text = text;
  node.blockchainId = blockchainId;
  return node;
}
