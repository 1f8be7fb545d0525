import { encodeCb58 } from './cb58.js';

/** The text form of a node id: `NodeID-` and the CB58 of its 20 bytes. */
export function formatNodeId(bytes: Uint8Array): string {
  return `NodeID-${encodeCb58(bytes)}`;
}
