import type { Network } from '../../avalanche/networks.js';
import { parseJson } from '../../json.js';
import type { LongValue } from '../utxo/row.js';

/** A vertex as the database hands it out. */
export interface VertexRow {
  /** Row id, the position that page tokens carry; a decimal text. */
  id: string;
  network: Network;
  /** The specification's JSON of the vertex. */
  text: string;
}

/** A vertex as resolvers see it: the row's JSON. */
export interface VertexNode {
  rowId: string;
  network: Network;
  vertexHash: string;
  parentHashes: string[];
  vertexHeight: LongValue;
  vertexIndex: LongValue;
  vertexTimestamp: LongValue;
  txCount: LongValue;
  transactions: string[];
  vertexSizeBytes: LongValue;
}

export function toVertexNode({ id, network, text }: VertexRow): VertexNode {
  const node = parseJson(text) as VertexNode;
  node.rowId = id;
  node.network = network;
  return node;
}
