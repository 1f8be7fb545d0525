import type { ProofOfPossession, Utxo } from '../../avalanche/codec/types.js';
import type { L1Validator } from './l1-validators.js';

/** What a transaction did to one L1 validator. */
export interface L1Change {
  readonly after: L1Validator;
  /** nAVAX after the transaction. */
  readonly balance: bigint;
  /** nAVAX, negative when it was returned; 0: not changed. */
  readonly balanceChange: bigint;
  readonly signer?: ProofOfPossession;
}

/** What a transaction did to L1 validators. */
export interface L1Effect {
  readonly changes: readonly L1Change[];
  /** The output that gives back what was left: it stands in no block. */
  readonly returned: Utxo | null;
}
