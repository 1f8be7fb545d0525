import type { Network } from '../../avalanche/networks.js';
import { parseJson } from '../../json.js';
import type { L1ValidatorChangeNode, L1ValidatorNode } from './fields.js';

/** An L1 validator, or a change of one, as the database returns it. */
export interface L1ValidatorRow {
  /** Row id, the position that page tokens contain; a decimal text. */
  id: string;
  network: Network;
  /** JSON of the fields. */
  text: string;
}

export function toL1ValidatorNode({ id, network, text }: L1ValidatorRow): L1ValidatorNode {
  const node = parseJson(text) as L1ValidatorNode;
  node.rowId = id;
  node.network = network;
  return node;
}

export function toL1ValidatorChangeNode({ network, text }: L1ValidatorRow): L1ValidatorChangeNode {
  const node = parseJson(text) as L1ValidatorChangeNode;
  node.network = network;
  return node;
}
