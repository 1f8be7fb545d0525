import { hexOf } from './ids.js';
import type { BlsCredentials } from './rows.js';

/** A made-up BLS key of a node and its proof of possession, of the real lengths. */
export function blsCredentialsOf(nodeId: string): BlsCredentials {
  return {
    publicKey: hexOf(`bls key ${nodeId}`, 48),
    proofOfPossession: hexOf(`proof of possession ${nodeId}`, 96),
  };
}
