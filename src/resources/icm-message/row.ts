import type { Network } from '../../avalanche/networks.js';
import { parseJson } from '../../json.js';
import type { IcmMessageNode } from './fields.js';

/** An ICM message as the database returns it. */
export interface IcmMessageRow {
  /** Row id, the position that page tokens contain; a decimal text. */
  id: string;
  network: Network;
  /** The specification's JSON of the message. */
  text: string;
}

export function toIcmMessageNode({ network, text }: IcmMessageRow): IcmMessageNode {
  return Object.assign(parseJson(text) as IcmMessageNode, { network, text });
}
