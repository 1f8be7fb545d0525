import { parseJson } from '../../json.js';
import type { InternalTxKey, InternalTxNode } from './fields.js';

/** An internal transaction as the database returns it. */
export interface InternalTxRow extends Omit<InternalTxKey, 'txHash'> {
  /** Row id, the position that page tokens contain; a decimal text. */
  id: string;
  /** The specification's JSON of the internal transaction. */
  text: string;
}

export function toInternalTxNode({ text, evmChainId, position, sortKey }: InternalTxRow): InternalTxNode {
  const node = parseJson(text) as InternalTxNode;
  node.from.evmChainId = evmChainId;
  node.to.evmChainId = evmChainId;
  return Object.assign(node, { evmChainId, position, sortKey });
}
