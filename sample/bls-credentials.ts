import type { TransactionLine } from '../src/resources/transaction/import-row.js';
import { hexOf } from './ids.js';

/** A made-up BLS key of a node and its proof of possession, of the real lengths. */
export function blsCredentialsOf(nodeId: string): NonNullable<TransactionLine['blsCredentials']> {
  return {
    publicKey: hexOf(`bls key ${nodeId}`, 48),
    proofOfPossession: hexOf(`proof of possession ${nodeId}`, 96),
  };
}
