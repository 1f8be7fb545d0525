/** Who may spend an output. Without addresses no one can sign; with threshold 0 everyone may spend. */
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

/** An output with the transaction that created it: from a transaction, genesis, or a node's answer. */
export interface Utxo {
  /** The transaction that it belongs to, CB58. */
  readonly txId: string;
  readonly outputIndex: number;
  /** CB58 of sha256(u64 output index ‖ transaction id) (docs/contract.md). */
  readonly utxoId: string;
  readonly assetId: string;
  readonly output: Output;
  /** Codec version, transaction id, index, asset id and output: utxoBytes of the API without the checksum. */
  readonly bytes: Uint8Array;
}

/**
 * Which list of its transaction the output stands in. `stake` is locked until the staker leaves, `exported`
 * belongs to the destination chain, `asset` and `operation` are made by a new asset's initial states and by
 * operations.
 */
export type OutputRole = 'own' | 'stake' | 'exported' | 'asset' | 'operation';

export interface Produced extends Utxo {
  readonly role: OutputRole;
}

/** `imported` consumes what another chain exported; `operation`: by an operation, which gives no amount. */
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
  /** All outputs, at index `outputIndex`: of the base, then stake, export, initial states or operations. */
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
