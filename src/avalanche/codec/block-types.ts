import type { Utxo } from './field-types.js';
import type { PTransaction } from './p-types.js';
import type { XTransaction } from './x-types.js';

interface BlockBase {
  /** CB58 of sha256 of the bytes. */
  readonly id: string;
  readonly parent: string;
  readonly height: bigint;
  readonly bytes: Uint8Array;
}

/**
 * A block of the P-chain. `time` is null before Banff. A proposal's own transaction is `proposal`;
 * `transactions` are those that take effect whatever is decided. An `atomic` block has one transaction.
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
