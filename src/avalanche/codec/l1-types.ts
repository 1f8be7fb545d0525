import type { OutputOwners } from './field-types.js';

/** A signed message of one chain to others (ACP-118 signatures are not checked here). */
export interface WarpMessage<M extends L1Message = L1Message> {
  readonly networkId: number;
  readonly sourceChain: string;
  /** Address that the message came from. */
  readonly sourceAddress: Uint8Array;
  readonly message: M;
}

/** What an L1 asks of the P-chain, or the P-chain says of an L1 (ACP-77). */
export type L1Message =
  | { readonly type: 'SubnetToL1Conversion'; readonly conversionId: string }
  | RegisterL1Validator
  | { readonly type: 'L1ValidatorRegistration'; readonly validationId: string; readonly registered: boolean }
  | L1ValidatorWeight;

export interface L1ValidatorWeight {
  readonly type: 'L1ValidatorWeight';
  readonly validationId: string;
  readonly nonce: bigint;
  /** 0 removes the validator. */
  readonly weight: bigint;
}

export interface RegisterL1Validator {
  readonly type: 'RegisterL1Validator';
  /** CB58 of sha256 of the message. */
  readonly validationId: string;
  readonly subnetId: string;
  /** `NodeID-…`. */
  readonly nodeId: string;
  /** 48 bytes. */
  readonly blsPublicKey: Uint8Array;
  /** Unix seconds after which the message is refused. */
  readonly expiry: bigint;
  readonly remainingBalanceOwner: OutputOwners;
  readonly deactivationOwner: OutputOwners;
  readonly weight: bigint;
}
