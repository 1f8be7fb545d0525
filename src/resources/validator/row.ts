import type { Network } from '../../avalanche/networks.js';
import { parseJson } from '../../json.js';
import type { ValidatorNode } from './fields.js';

/** A validator as the database returns it. */
export interface ValidatorRow {
  /** Row id, the position that page tokens contain; a decimal text. */
  id: string;
  network: Network;
  /** JSON of the fields. */
  text: string;
}

export function toValidatorNode({ id, network, text }: ValidatorRow): ValidatorNode {
  const node = parseJson(text) as ValidatorNode;
  node.rowId = id;
  node.network = network;
  return node;
}
