import type { L1ValidatorWeight, RegisterL1Validator, WarpMessage } from './l1-types.js';
import type { Base, OutputOwners, Transaction } from './field-types.js';

/** When a staker stakes, with how much. */
export interface Validator {
  /** `NodeID-…`. */
  readonly nodeId: string;
  /** What the transaction says; from Durango on the P-chain's time at acceptance counts instead. */
  readonly start: bigint;
  readonly end: bigint;
  readonly weight: bigint;
}

/** A staker's BLS key and the proof that it has the private one: 48 and 96 bytes. */
export interface ProofOfPossession {
  readonly publicKey: Uint8Array;
  readonly proof: Uint8Array;
}

/** A first validator of an L1. */
export interface L1Validator {
  /** CB58 of sha256(subnet id ‖ u32 index in the list). */
  readonly validationId: string;
  /** `NodeID-…` where it has 20 bytes, as all accepted ones have; hexadecimal digits with 0x otherwise. */
  readonly nodeId: string;
  readonly weight: bigint;
  /** nAVAX. */
  readonly balance: bigint;
  readonly signer: ProofOfPossession;
  /** Without locktime (0). */
  readonly remainingBalanceOwner: OutputOwners;
  readonly deactivationOwner: OutputOwners;
}

/** Rates are parts of a million. */
export interface SubnetTransformation {
  readonly assetId: string;
  readonly initialSupply: bigint;
  readonly maximumSupply: bigint;
  readonly minConsumptionRate: bigint;
  readonly maxConsumptionRate: bigint;
  readonly minValidatorStake: bigint;
  readonly maxValidatorStake: bigint;
  /** Seconds. */
  readonly minStakeDuration: number;
  readonly maxStakeDuration: number;
  readonly minDelegationFee: number;
  readonly minDelegatorStake: bigint;
  readonly maxValidatorWeightFactor: number;
  readonly uptimeRequirement: number;
}

interface Staker {
  readonly validator: Validator;
  /** The primary network's is CB58 of 32 zero bytes. */
  readonly subnetId: string;
}

/** What is particular to each type. The stake's outputs are those of role `stake`. */
export type PBody =
  | (Staker & {
      readonly type: 'AddValidatorTx';
      readonly rewardsOwner: OutputOwners;
      /** Parts of a million. */
      readonly delegationShares: number;
    })
  | (Staker & { readonly type: 'AddSubnetValidatorTx' })
  | (Staker & { readonly type: 'AddDelegatorTx'; readonly rewardsOwner: OutputOwners })
  | {
      readonly type: 'CreateChainTx';
      readonly subnetId: string;
      readonly chainName: string;
      readonly vmId: string;
      readonly fxIds: readonly string[];
      readonly genesis: Uint8Array;
    }
  | { readonly type: 'CreateSubnetTx'; readonly owner: OutputOwners }
  | { readonly type: 'ImportTx'; readonly sourceChain: string }
  | { readonly type: 'ExportTx'; readonly destinationChain: string }
  | { readonly type: 'RemoveSubnetValidatorTx'; readonly nodeId: string; readonly subnetId: string }
  | {
      readonly type: 'TransformSubnetTx';
      readonly subnetId: string;
      readonly transformation: SubnetTransformation;
    }
  | (Staker & {
      readonly type: 'AddPermissionlessValidatorTx';
      /** Null for a validator without a key. */
      readonly signer: ProofOfPossession | null;
      readonly validatorRewardsOwner: OutputOwners;
      readonly delegatorRewardsOwner: OutputOwners;
      readonly delegationShares: number;
    })
  | (Staker & { readonly type: 'AddPermissionlessDelegatorTx'; readonly rewardsOwner: OutputOwners })
  | { readonly type: 'TransferSubnetOwnershipTx'; readonly subnetId: string; readonly owner: OutputOwners }
  | { readonly type: 'BaseTx' }
  | {
      readonly type: 'ConvertSubnetToL1Tx';
      readonly subnetId: string;
      /** Chain and address of the validator manager. */
      readonly managerChainId: string;
      readonly managerAddress: Uint8Array;
      readonly validators: readonly L1Validator[];
    }
  | {
      readonly type: 'RegisterL1ValidatorTx';
      /** nAVAX. */
      readonly balance: bigint;
      readonly proofOfPossession: Uint8Array;
      readonly warp: WarpMessage<RegisterL1Validator>;
    }
  | { readonly type: 'SetL1ValidatorWeightTx'; readonly warp: WarpMessage<L1ValidatorWeight> }
  | {
      readonly type: 'IncreaseL1ValidatorBalanceTx';
      readonly validationId: string;
      readonly balance: bigint;
    }
  | { readonly type: 'DisableL1ValidatorTx'; readonly validationId: string }
  | {
      readonly type: 'AddAutoRenewedValidatorTx';
      readonly nodeId: string;
      readonly signer: ProofOfPossession | null;
      readonly validatorRewardsOwner: OutputOwners;
      readonly delegatorRewardsOwner: OutputOwners;
      /** Who may change the configuration. */
      readonly configOwner: OutputOwners;
      readonly delegationShares: number;
      /** The sum of its stake. */
      readonly weight: bigint;
      /** Part of a million of a reward that is staked again. */
      readonly autoCompoundRewardShares: number;
      /** Seconds. */
      readonly period: bigint;
    }
  | {
      readonly type: 'SetAutoRenewedValidatorConfigTx';
      /** The AddAutoRenewedValidatorTx. */
      readonly stakingTxId: string;
      readonly autoCompoundRewardShares: number;
      /** Seconds; 0 ends the validation with its period. */
      readonly period: bigint;
    };

/** A transaction of the P-chain. Those of rewards and time have neither base, inputs nor outputs. */
export type PTransaction = Transaction &
  (
    | (PBody & { readonly base: Base })
    | { readonly type: 'AdvanceTimeTx'; readonly base: null; readonly time: bigint }
    | { readonly type: 'RewardValidatorTx'; readonly base: null; readonly stakingTxId: string }
    | {
        readonly type: 'RewardAutoRenewedValidatorTx';
        readonly base: null;
        readonly stakingTxId: string;
        readonly time: bigint;
      }
  );
