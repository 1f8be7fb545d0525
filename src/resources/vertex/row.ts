import type { Network } from '../../avalanche/networks.js';
import { parseJson } from '../../json.js';
import type { VertexNode } from './fields.js';

/** A vertex as the database returns it. */
export interface VertexRow {
  /** Row id, the position that page tokens contain; a decimal text. */
  id: string;
  network: Network;
  /** The specification's JSON of the vertex. */
  text: string;
}

export function toVertexNode({ id, network, text }: VertexRow): VertexNode {
  const node = parseJson(text) as VertexNode;
  node.rowId = id;
  node.network = network;
  return node;
}
