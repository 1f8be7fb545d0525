import type { Base, Transaction } from './field-types.js';

/** What an operation does. Its inputs and outputs are among its transaction's, with role `operation`. */
export interface Operation {
  readonly kind: 'mint' | 'nft-mint' | 'nft-transfer' | 'property-mint' | 'property-burn';
  readonly assetId: string;
  /** Indexes of what it consumes and makes, in the transaction's lists. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

/** What is particular to each type. */
export type XBody =
  | { readonly type: 'BaseTx' }
  | {
      /** Its id is the new asset's; its initial outputs have role `asset`. */
      readonly type: 'CreateAssetTx';
      readonly name: string;
      readonly symbol: string;
      readonly denomination: number;
    }
  | { readonly type: 'OperationTx'; readonly operations: readonly Operation[] }
  | { readonly type: 'ImportTx'; readonly sourceChain: string }
  | { readonly type: 'ExportTx'; readonly destinationChain: string };

/** A transaction of the X-chain. */
export type XTransaction = Transaction & { readonly base: Base } & XBody;
