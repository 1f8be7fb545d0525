import type { Nodes } from '../node/nodes.js';

/** Why bytes are not the block of the height that was asked for, or null: for the node client's `prove`. */
export function proveBlock(decode: (bytes: Uint8Array) => { readonly height: bigint }) {
  return (bytes: Uint8Array, height: bigint): string | null => {
    try {
      const given = decode(bytes).height;
      return given === height ? null : `it is block ${given}, not ${height}`;
    } catch (error) {
      return `block ${height} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
}

/** See Pipeline.setAside. */
export function setAside(nodes: Nodes, source: string, reason: string): boolean {
  nodes.setAside(source, reason);
  return nodes.endpoints().some(({ state }) => state !== 'aside');
}
