import { decodeCb58 } from '../../src/avalanche/cb58.js';
import type { Transaction } from '../../src/avalanche/codec/types.js';

/**
 * Where start and end of a stake stand in a transaction's bytes, behind its node; null for one that does not
 * stake.
 */
export function periodOf(transaction: Transaction, bytes: Buffer): number | null {
  const { validator } = transaction as { validator?: { nodeId: string; start: bigint; end: bigint } };
  if (!validator) return null;
  const named = Buffer.alloc(36);
  named.set(decodeCb58(validator.nodeId.slice('NodeID-'.length)) ?? []);
  named.writeBigUInt64BE(validator.start, 20);
  named.writeBigUInt64BE(validator.end, 28);
  return bytes.indexOf(named) + 20;
}
