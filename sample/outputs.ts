import { utxoIdOf } from '../src/avalanche/codec/ids.js';
import { blockchainIds, type PrimaryChain } from '../src/avalanche/networks.js';
import type { UtxoLine } from '../src/resources/utxo/import-row.js';
import { amountOf, avax, type Asset } from './assets.js';
import type { Block } from './blocks.js';
import type { Owner } from './owners.js';
import { utxoBytes } from './utxo-bytes.js';

/** An output as a transaction wants it. */
export interface OutputDraft {
  owner: Owner;
  /** In the asset's smallest unit. */
  amount: bigint;
  /** AVAX if absent. */
  asset?: Asset;
  /** Unix seconds before which it cannot be spent. */
  locktime?: number;
  /** Unix seconds before which it can only be staked. */
  stakeableLocktime?: number | bigint | undefined;
  /** The staking period it is locked for. */
  stake?: { start: number; end: number };
  rewardType?: UtxoLine['rewardType'];
  /** Where it can be consumed: if absent, on the chain that creates it. */
  consumedOn?: PrimaryChain;
}

/** Where an output was created. */
export interface OutputContext {
  chain: PrimaryChain;
  block: Block;
  txHash: string;
  /** 32 bytes. */
  txId: Uint8Array;
  outputIndex: number;
}

export function outputRow(draft: OutputDraft, context: OutputContext): UtxoLine {
  const { owner, amount, asset = avax, locktime = 0, stakeableLocktime, stake, rewardType } = draft;
  const { chain, block, txHash, txId, outputIndex } = context;
  return {
    addresses: owner.addresses,
    asset: amountOf(asset, amount),
    consumedOnChainId: blockchainIds.fuji[draft.consumedOn ?? chain],
    createdOnChainId: blockchainIds.fuji[chain],
    utxoId: utxoIdOf(txId, outputIndex),
    // An NFT output has another serialization, with group and payload, which the rows do not contain.
    ...(asset.type === 'secp256k1' && { utxoBytes: serialize(draft, context) }),
    amount: amount.toString(),
    assetId: asset.assetId,
    ...(block.number !== undefined && { blockNumber: block.number }),
    blockTimestamp: block.timestamp,
    platformLocktime: locktime,
    outputIndex,
    ...(rewardType && { rewardType }),
    ...(stakeableLocktime !== undefined && { stakeableLocktime }),
    staked: stake !== undefined,
    threshold: owner.threshold,
    txHash,
    ...(stake && { utxoStartTimestamp: stake.start, utxoEndTimestamp: stake.end }),
    // STAKE names the output type that wraps a transfer output in a stakeable lock, not whether it is staked.
    utxoType: stakeableLocktime === undefined ? 'TRANSFER' : 'STAKE',
  };
}

function serialize(draft: OutputDraft, { txId, outputIndex }: OutputContext): string {
  const { owner, amount, asset = avax, locktime = 0, stakeableLocktime } = draft;
  return utxoBytes({
    txId,
    outputIndex,
    assetId: asset.id,
    amount,
    locktime: BigInt(locktime),
    threshold: owner.threshold,
    addresses: owner.keyHashes,
    ...(stakeableLocktime !== undefined && { stakeableLocktime: BigInt(stakeableLocktime) }),
  });
}
