/*
 * What the codec makes of bytes. Ids are CB58 text, recomputed from bytes; amounts, locktimes and other 64-bit numbers
 * are bigint; amounts are in the asset's smallest unit, times in Unix seconds. A list keeps the order of the bytes.
 */
import type { PTransaction } from './p-types.js';
import type { XTransaction } from './x-types.js';

export type {
  PTransaction,
  PBody,
  L1Validator,
  ProofOfPossession,
  SubnetTransformation,
  Validator,
} from './p-types.js';
export type { XTransaction, Operation } from './x-types.js';

/** Who may spend an output. Both addresses and threshold may be none: nobody can then sign, or everybody may spend. */
export interface OutputOwners {
  readonly locktime: bigint;
  readonly threshold: number;
  /** 20 bytes each. */
  readonly addresses: readonly Uint8Array[];
}

/** What the output is: secp256k1, NFT and property assets each have a mint output and one that is owned. */
export type OutputKind =
  'transfer' | 'mint' | 'nft-mint' | 'nft-transfer' | 'property-mint' | 'property-owned';

export interface Output {
  readonly kind: OutputKind;
  /** 0 for all but `transfer`. */
  readonly amount: bigint;
  readonly owners: OutputOwners;
  /** Until when the output can only be staked; null without such a lock. */
  readonly stakeableLocktime: bigint | null;
  /** Group of an NFT; null for other kinds. */
  readonly group: number | null;
  /** Payload of `nft-transfer`; null for other kinds. */
  readonly payload: Uint8Array | null;
}

/** An output with its place: of a transaction, of genesis, or as a node answers with it. */
export interface Utxo {
  /** The transaction that it belongs to, CB58. */
  readonly txId: string;
  readonly outputIndex: number;
  /** CB58 of sha256(u64 output index ‖ transaction id) (docs/contract.md). */
  readonly utxoId: string;
  readonly assetId: string;
  readonly output: Output;
  /** Codec version, transaction id, index, asset id and output: what the API calls utxoBytes, without its checksum. */
  readonly bytes: Uint8Array;
}

/**
 * Which list of its transaction the output stands in. `stake` is locked until the staker leaves, `exported` belongs to
 * the destination chain, `asset` and `operation` are made by a new asset's initial states and by operations.
 */
export type OutputRole = 'own' | 'stake' | 'exported' | 'asset' | 'operation';

export interface Produced extends Utxo {
  readonly role: OutputRole;
}

/** `imported` consumes what another chain exported; `operation` is named by an operation, which gives no amount. */
export type InputRole = 'own' | 'imported' | 'operation';

export interface Input {
  readonly txId: string;
  readonly outputIndex: number;
  readonly utxoId: string;
  readonly assetId: string;
  /** Null where `role` is `operation`. */
  readonly amount: bigint | null;
  /** The lock of the stakeable output that is consumed; null without one. */
  readonly stakeableLocktime: bigint | null;
  readonly role: InputRole;
}

/** Signatures of one input: 65 bytes each. */
export interface Credential {
  readonly kind: 'secp256k1' | 'nft' | 'property';
  readonly signatures: readonly Uint8Array[];
}

/** What every transaction has. */
export interface Transaction {
  readonly id: string;
  /** The signed transaction with its codec version, whose sha256 is the id. */
  readonly bytes: Uint8Array;
  /** All inputs: those of the base, then those that are imported, or of operations in their order. */
  readonly inputs: readonly Input[];
  /** All outputs, at place `outputIndex`: of the base, then of stake, export, initial states or operations. */
  readonly outputs: readonly Produced[];
  readonly credentials: readonly Credential[];
}

/** What P and X transactions have, other than AdvanceTimeTx and the two of rewards. */
export interface Base {
  readonly networkId: number;
  readonly blockchainId: string;
  readonly memo: Uint8Array;
}

/** A C-chain transaction that moves assets between the EVM and other chains. */
export type AtomicTransaction = Transaction & {
  readonly networkId: number;
  readonly blockchainId: string;
} & (
    | { readonly type: 'ImportTx'; readonly sourceChain: string; readonly evmOutputs: readonly EvmOutput[] }
    | {
        readonly type: 'ExportTx';
        readonly destinationChain: string;
        readonly evmInputs: readonly EvmInput[];
      }
  );

/** What an import credits to an EVM account. */
export interface EvmOutput {
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** In the asset's own unit: nAVAX for AVAX, not wei. */
  readonly amount: bigint;
  readonly assetId: string;
}

/** What an export debits from an EVM account. */
export interface EvmInput extends EvmOutput {
  readonly nonce: bigint;
}

interface BlockBase {
  /** CB58 of sha256 of the bytes. */
  readonly id: string;
  readonly parent: string;
  readonly height: bigint;
  readonly bytes: Uint8Array;
}

/**
 * A block of the P-chain. `time` is null before Banff. A proposal's own transaction is `proposal`; `transactions` are
 * those that take effect whatever is decided. An `atomic` block has one transaction.
 */
export type PBlock = BlockBase & {
  readonly era: 'apricot' | 'banff';
  readonly time: number | null;
  readonly transactions: readonly PTransaction[];
} & (
    | { readonly type: 'proposal'; readonly proposal: PTransaction }
    | { readonly type: 'abort' | 'commit' | 'standard' | 'atomic'; readonly proposal: null }
  );

/** A block of the linear X-chain. */
export interface XBlock extends BlockBase {
  readonly time: number;
  readonly transactions: readonly XTransaction[];
}

/** A vertex of the X-chain's DAG. The stop vertex has version 1 and no transactions. */
export interface Vertex {
  readonly id: string;
  readonly version: number;
  readonly chainId: string;
  readonly height: bigint;
  readonly parents: readonly string[];
  readonly transactions: readonly XTransaction[];
  readonly bytes: Uint8Array;
}

/** The state that a network starts from, as the P-chain's genesis bytes say it. */
export interface Genesis {
  readonly bytes: Uint8Array;
  /** CB58 of sha256 of the bytes: the parent of P block 0. */
  readonly id: string;
  readonly networkId: number;
  /** All P outputs that are not staked: their transaction id is 32 zero bytes. */
  readonly utxos: readonly Utxo[];
  /** AddValidatorTx, in the order of the bytes. */
  readonly validators: readonly PTransaction[];
  /** CreateChainTx of X and C. */
  readonly chains: readonly PTransaction[];
  /** Unix seconds. */
  readonly time: number;
  /** nAVAX. */
  readonly initialSupply: bigint;
  readonly message: string;
  readonly xChainId: string;
  readonly cChainId: string;
  readonly avaxAssetId: string;
  /** The assets that X starts with, AVAX among them: their outputs are X's genesis outputs. */
  readonly assets: readonly GenesisAsset[];
}

export interface GenesisAsset {
  readonly alias: string;
  /** A CreateAssetTx. */
  readonly transaction: XTransaction;
}

/** A signed message of one chain to others (ACP-118 signatures are not checked here). */
export interface WarpMessage {
  readonly networkId: number;
  readonly sourceChain: string;
  /** Address that the message came from. */
  readonly sourceAddress: Uint8Array;
  readonly message: L1Message;
}

/** What an L1 asks of the P-chain, or the P-chain says of an L1 (ACP-77). */
export type L1Message =
  | { readonly type: 'SubnetToL1Conversion'; readonly conversionId: string }
  | RegisterL1Validator
  | { readonly type: 'L1ValidatorRegistration'; readonly validationId: string; readonly registered: boolean }
  | {
      readonly type: 'L1ValidatorWeight';
      readonly validationId: string;
      readonly nonce: bigint;
      readonly weight: bigint;
    };

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
