import type { Network } from '../../avalanche/networks.js';
import { parseJson } from '../../json.js';
import type { SubnetNode } from './fields.js';

/** A subnet as the database returns it. */
export interface SubnetRow {
  /** Row id, the position that page tokens contain; a decimal text. */
  id: string;
  network: Network;
  /** JSON of the fields. */
  text: string;
}

export function toSubnetNode({ id, network, text }: SubnetRow): SubnetNode {
  const node = parseJson(text) as SubnetNode;
  node.rowId = id;
  node.network = network;
  return node;
}
