import type { Transaction } from '../../avalanche/codec/types.js';
import { messageOf } from '../../errors.js';
import { Failed, wrongAnswer } from './failed.js';

/**
 * What an answer says, for the node client's `read`.
 *
 * @param what it is, for people
 * @param faultOf why it is not what was asked for, or null
 * @throws Failed where there is a fault, or it cannot be read
 */
export function proved<T>(what: string, read: () => T, faultOf: (value: T) => string | null = () => null): T {
  try {
    const value = read();
    const fault = faultOf(value);
    if (fault === null) return value;
    throw wrongAnswer('', 'wrong', fault);
  } catch (error) {
    if (error instanceof Failed) throw error;
    throw wrongAnswer('', 'wrong', `${what} cannot be read: ${messageOf(error)}`);
  }
}

/** Reads bytes that are the block of the height that was asked for. */
export const blockReader =
  <T extends { readonly height: bigint }>(decode: (bytes: Uint8Array) => T) =>
  (bytes: Uint8Array, height: bigint): T =>
    proved(
      `block ${height}`,
      () => decode(bytes),
      ({ height: given }) => (given === height ? null : `it is block ${given}, not ${height}`),
    );

/** Reads the id of such a block. */
export const idReader = <T extends { readonly height: bigint; readonly id: string }>(
  decode: (bytes: Uint8Array) => T,
) => {
  const read = blockReader(decode);
  return (bytes: Uint8Array, height: bigint): string => read(bytes, height).id;
};

/** Reads bytes that are the transaction whose id was asked for. */
export const transactionReader =
  <T extends Transaction>(id: string, decode: (bytes: Uint8Array) => T) =>
  (bytes: Uint8Array): T =>
    proved(
      `transaction ${id}`,
      () => decode(bytes),
      ({ id: given }) => (given === id ? null : `it is transaction ${given}, not ${id}`),
    );

/** Bytes that a decoded block takes in memory: its objects take about eight times its bytes. */
export const decodedSize = (bytes: Uint8Array) => bytes.length * 8;
