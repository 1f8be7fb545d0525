import type { Transaction } from '../../avalanche/codec/types.js';
import { messageOf } from '../../errors.js';
import type { EvmNodes } from '../node/nodes.js';

/** Decodes each answer once: what its proof has read is what is used afterwards. */
export function decodedOnce<Answer extends object, T extends object>(
  decode: (answer: Answer) => T,
): (answer: Answer) => T {
  // An entry lives as long as its answer.
  const known = new WeakMap<Answer, T>();
  return (answer) => {
    const before = known.get(answer);
    if (before) return before;
    const decoded = decode(answer);
    known.set(answer, decoded);
    return decoded;
  };
}

/** Why bytes are not what was asked for, or null: what `find` says, and that it cannot read them. */
export function faultOf(what: string, find: () => string | null): string | null {
  try {
    return find();
  } catch (error) {
    return `${what} cannot be read: ${messageOf(error)}`;
  }
}

/** Why bytes are not the block of the height that was asked for, or null: for the node client's `prove`. */
export function proveBlock(decode: (bytes: Uint8Array) => { readonly height: bigint }) {
  return (bytes: Uint8Array, height: bigint): string | null =>
    faultOf(`block ${height}`, () => {
      const given = decode(bytes).height;
      return given === height ? null : `it is block ${given}, not ${height}`;
    });
}

/**
 * A transaction that a node gives by its id, which its bytes must have.
 *
 * @param ask makes the call with the proof of its answer
 * @throws NodeError
 */
export async function transactionById<T extends Transaction>(
  id: string,
  decode: (bytes: Uint8Array) => T,
  ask: (prove: (bytes: Uint8Array) => string | null) => Promise<Uint8Array>,
): Promise<T> {
  const read = decodedOnce(decode);
  const prove = (bytes: Uint8Array) =>
    faultOf(`transaction ${id}`, () => {
      const given = read(bytes).id;
      return given === id ? null : `it is transaction ${given}, not ${id}`;
    });
  return read(await ask(prove));
}

/** Bytes that a decoded block takes in memory: its objects take about eight times its bytes. */
export const decodedSize = (bytes: Uint8Array) => bytes.length * 8;

/** See Pipeline.setAside. */
export function setAside(nodes: EvmNodes, source: string, reason: string): boolean {
  nodes.setAside(source, reason);
  return nodes.endpoints().some(({ state }) => state !== 'aside');
}
