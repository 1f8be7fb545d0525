import { withChecksum } from '../../avalanche/cb58.js';
import { membersOf } from '../../avalanche/chain/output-members.js';
import type { SubnetTransformation, Utxo } from '../../avalanche/codec/types.js';
import { toHex } from '../../avalanche/hex.js';
import { chainName, type Network, type PrimaryChain } from '../../avalanche/networks.js';
import { isPeriodEnd } from '../../rows/check.js';
import type { AssetDescription } from './assets.js';

/** A row in the JSON shape of the API; whole numbers may be bigint. */
export type Row = Readonly<Record<string, unknown>>;

/** The block that a row belongs to. */
export interface RowBlock {
  /** Null: before the X-chain had blocks. */
  readonly height: bigint | null;
  /** CB58 on P and X, the EVM hash on C. */
  readonly hash: string | null;
  /** Unix seconds. */
  readonly time: number;
}

/** Where an output was made, and where it can be consumed. */
export interface Chains {
  readonly createdOn: PrimaryChain;
  readonly consumedOn: PrimaryChain;
}

/** What a transaction says of an output that it makes. */
export interface Made extends Chains {
  readonly block: RowBlock;
  /** The period for which it is at stake. */
  readonly stake?: { readonly start: number; readonly end: bigint };
  readonly rewardType?: 'VALIDATOR' | 'DELEGATOR' | 'VALIDATOR_FEE';
}

/**
 * A memo; none if it is longer than a row may have, as if it were unknown. @param longest characters in hex
 * with 0x
 */
export function memoOf(memo: Uint8Array, longest: number): Row {
  const text = toHex(memo);
  return text.length > longest ? {} : { memo: text };
}

/** The period of a stake under these names; an end that no row may have is left out, as an unknown one. */
export const periodOf = (
  { start, end }: NonNullable<Made['stake']>,
  startName: string,
  endName: string,
): Row => ({
  [startName]: start,
  ...(isPeriodEnd(end) ? { [endName]: end } : {}),
});

/**
 * What an output's bytes say (docs/contract.md, "UTXOs"). Member by member: a literal that begins with the
 * members of another object takes thirty times as long, and a block has many outputs.
 */
function encodedPart(network: Network, utxo: Utxo, asset: AssetDescription, chains: Chains): Row {
  const amount = utxo.output.amount.toString();
  const said = membersOf(utxo.output, network);
  return {
    addresses: said.addresses,
    threshold: said.threshold,
    platformLocktime: said.platformLocktime,
    stakeableLocktime: said.stakeableLocktime,
    utxoType: said.utxoType,
    utxoId: utxo.utxoId,
    txHash: utxo.txId,
    outputIndex: utxo.outputIndex,
    asset: { amount, ...asset },
    assetId: utxo.assetId,
    amount,
    utxoBytes: toHex(withChecksum(utxo.bytes)),
    // By alias: ids differ between networks.
    createdOnChainId: chainName(chains.createdOn),
    consumedOnChainId: chainName(chains.consumedOn),
  } satisfies Record<keyof ReturnType<typeof membersOf>, unknown> & Row;
}

/** The row of an output in the list of its maker. */
export function madeRow(network: Network, utxo: Utxo, asset: AssetDescription, made: Made): Row {
  const { block, stake, rewardType } = made;
  return Object.assign(
    encodedPart(network, utxo, asset, made),
    { blockTimestamp: block.time, staked: stake !== undefined },
    block.height !== null && { blockNumber: block.height.toString() },
    stake && periodOf(stake, 'utxoStartTimestamp', 'utxoEndTimestamp'),
    rewardType && { rewardType },
  ) as Row;
}

/**
 * The row of an output in the list of its consumer, or of one that is no longer at stake. Its block is left
 * out: the row of its maker has it.
 */
export function consumedRow(network: Network, utxo: Utxo, asset: AssetDescription, chains: Chains): Row {
  return Object.assign(encodedPart(network, utxo, asset, chains), { staked: false });
}

/** Amounts are texts, all other members numbers. */
export const transformationRow = (rules: SubnetTransformation): Row => ({
  subnetTransformation: {
    ...rules,
    initialSupply: rules.initialSupply.toString(),
    maximumSupply: rules.maximumSupply.toString(),
    minValidatorStake: rules.minValidatorStake.toString(),
    maxValidatorStake: rules.maxValidatorStake.toString(),
    minDelegatorStake: rules.minDelegatorStake.toString(),
  },
});
