import { ZERO_ID } from '../../avalanche/codec/ids.js';

/** CB58; the primary network when absent. */
export interface SubnetOf {
  readonly subnetId?: string;
}

/** @param subnetId that of the primary network too */
export const ofSubnet = (subnetId: string): SubnetOf => (subnetId === ZERO_ID ? {} : { subnetId });

export interface SupplyAnswer {
  readonly supply: bigint;
  /** The block after which the value is this; null for a node that does not say it. */
  readonly height: bigint | null;
}

export interface FeeStateAnswer {
  readonly excess: bigint;
  /** The chain's time, Unix seconds. */
  readonly time: number;
}

/** A validator as a node says it; what it does not say of its kind is null. */
export interface ValidatorAnswer {
  /** Its transaction, or the validation id of an L1 validator. */
  readonly id: string;
  readonly nodeId: string;
  readonly weight: bigint;
  readonly potentialReward: bigint | null;
  /** What it has earned with its delegators and gets at its end. */
  readonly delegateeReward: bigint | null;
  readonly delegatorWeight: bigint | null;
  /** Of an L1 validator, nAVAX. */
  readonly balance: bigint | null;
  /** How much of its period the node has seen it online, percent as decimal digits. */
  readonly uptime: string | null;
}
