import { encodeCb58 } from '../src/avalanche/cb58.js';
import type { TransactionTypeName } from '../src/avalanche/chain/transactions.js';
import { blockchainIds, type PrimaryChain } from '../src/avalanche/networks.js';
import type { TransactionLine } from '../src/resources/transaction/import-row.js';
import type { UtxoLine } from '../src/resources/utxo/import-row.js';
import { amountOf, AmountsByAsset, avax, type Asset } from './assets.js';
import { Blocks, type Block } from './blocks.js';
import { firstSecond } from './clock.js';
import { hashOf } from './ids.js';
import { outputRow, type OutputDraft } from './outputs.js';
import type { Owner } from './owners.js';

/** An output of the generated ledger, with what its row leaves out. */
export interface Held {
  row: UtxoLine;
  amount: bigint;
  asset: Asset;
  owner: Owner;
}

/** The other fields of a transaction, apart from its inputs, outputs and amounts; its type decides which. */
export type TransactionDetails = Partial<TransactionLine>;

export interface TransactionDraft {
  txType: TransactionTypeName;
  inputs: readonly Held[];
  outputs: readonly OutputDraft[];
  details?: TransactionDetails;
  /** nAVAX that came from an EVM account (C-chain exports) or out of a validator's balance. */
  broughtIn?: bigint;
  /** nAVAX credited to an EVM account (C-chain imports). */
  creditedToEvm?: bigint;
  /** nAVAX that the transaction put into the balances of L1 validators, no part of what it burned. */
  l1ValidatorBalance?: bigint;
  /** The hash of the transaction, if the sample cannot choose it or needs it before. */
  identity?: TransactionIdentity;
  /** If its outputs count as another transaction's: a reward's belong to the staking transaction. */
  outputsBelongTo?: Settled;
}

export interface TransactionIdentity {
  txHash: string;
  /** The 32 bytes that `txHash` writes. */
  txId: Uint8Array;
}

/** A transaction as stored, with its outputs in order. */
export interface Settled {
  identity: TransactionIdentity;
  row: TransactionLine;
  outputs: Held[];
}

/** What an owner puts into a transaction, and the output that gives the rest back. */
export interface Funds {
  inputs: Held[];
  change: OutputDraft[];
}

const fuji = blockchainIds.fuji;

/** The primary network of the sample: what was transacted, and who can spend what. */
export class Ledger {
  /** Unix seconds; only ever grows. */
  now = firstSecond;
  /** Every output, by the chain that created it. */
  readonly utxos: Readonly<Record<PrimaryChain, UtxoLine[]>> = { p: [], x: [], c: [] };
  readonly transactions: Readonly<Record<PrimaryChain, TransactionLine[]>> = { p: [], x: [], c: [] };
  private readonly blocks = new Blocks();
  private readonly spendable = new Map<string, Held[]>();

  /** Creates an output that no stored transaction emitted, or that another one than its `txHash` emitted. */
  createOutput(
    chain: PrimaryChain,
    creator: TransactionIdentity,
    outputIndex: number,
    draft: OutputDraft,
  ): Held {
    const block = this.blocks.at(chain, this.now);
    const row = outputRow(draft, { chain, block, ...creator, outputIndex });
    const held = { row, amount: draft.amount, asset: draft.asset ?? avax, owner: draft.owner };
    this.utxos[chain].push(row);
    const leaves = draft.consumedOn !== undefined && draft.consumedOn !== chain;
    if (!leaves && !draft.stake && !draft.locktime && draft.stakeableLocktime === undefined)
      this.release(chain, held);
    return held;
  }

  /** Lets the owner spend an output from now on. */
  release(chain: PrimaryChain, held: Held): void {
    const key = poolKey(chain, held.owner, held.asset);
    const pool = this.spendable.get(key);
    if (pool) pool.push(held);
    else this.spendable.set(key, [held]);
  }

  /**
   * Takes the oldest outputs of an owner until they hold the amount.
   *
   * @returns null, and takes nothing, when the owner has less
   */
  fund(chain: PrimaryChain, owner: Owner, amount: bigint, asset: Asset = avax): Funds | null {
    const pool = this.spendable.get(poolKey(chain, owner, asset)) ?? [];
    let sum = 0n;
    let count = 0;
    for (const held of pool) {
      if (sum >= amount) break;
      sum += held.amount;
      count++;
    }
    if (sum < amount) return null;
    const change = sum > amount ? [{ owner, amount: sum - amount, asset }] : [];
    return { inputs: pool.splice(0, count), change };
  }

  /** What the next transaction of this chain will be called. */
  nextIdentity(chain: PrimaryChain, txType: TransactionTypeName): TransactionIdentity {
    const txId = hashOf(`${chain}-chain transaction ${this.transactions[chain].length} ${txType}`);
    return { txHash: encodeCb58(txId), txId };
  }

  /** Accepts a transaction in the block of this second. */
  transact(chain: PrimaryChain, draft: TransactionDraft): Settled {
    const block = this.blocks.at(chain, this.now);
    const identity = draft.identity ?? this.nextIdentity(chain, draft.txType);
    const { txHash } = identity;
    for (const { row } of draft.inputs) consume(row, txHash, block);
    const creator = draft.outputsBelongTo ?? { identity, outputs: [] };
    const outputs = draft.outputs.map((output, index) =>
      this.createOutput(chain, creator.identity, creator.outputs.length + index, output),
    );
    const row: TransactionLine = {
      txHash,
      txType: draft.txType,
      blockTimestamp: block.timestamp,
      ...positionIn(block),
      consumedUtxos: draft.inputs.map((held) => held.row),
      emittedUtxos: outputs.map((held) => held.row),
      ...amounts(draft, outputs),
      ...draft.details,
    };
    this.transactions[chain].push(row);
    return { identity, row, outputs };
  }
}

/** The next transaction's block and position. */
function positionIn(block: Block): Pick<TransactionLine, 'blockNumber' | 'blockHash' | 'position'> {
  if (block.number === undefined) return {};
  return { blockNumber: block.number, blockHash: block.hash, position: block.transactions++ };
}

function consume(row: UtxoLine, txHash: string, block: Block): void {
  row.consumingTxHash = txHash;
  if (block.number !== undefined) row.consumingBlockNumber = block.number;
  row.consumingBlockTimestamp = block.timestamp;
}

function amounts(draft: TransactionDraft, outputs: readonly Held[]) {
  const value = new AmountsByAsset();
  const burned = new AmountsByAsset();
  const staked = new AmountsByAsset();
  for (const held of draft.inputs) burned.add(held.asset, held.amount);
  burned.add(avax, (draft.broughtIn ?? 0n) - (draft.creditedToEvm ?? 0n));
  value.add(avax, draft.creditedToEvm ?? 0n);
  for (const { asset, amount, row } of outputs) {
    value.add(asset, amount);
    burned.add(asset, -amount);
    if (row.staked) staked.add(asset, amount);
  }
  const l1ValidatorBalance = draft.l1ValidatorBalance ?? 0n;
  burned.add(avax, -l1ValidatorBalance);
  return {
    value: value.rows(),
    amountBurned: burned.rows(),
    amountStaked: staked.rows(),
    amountL1ValidatorBalanceBurned: l1ValidatorBalance > 0n ? [amountOf(avax, l1ValidatorBalance)] : [],
  };
}

function poolKey(chain: PrimaryChain, owner: Owner, asset: Asset): string {
  return `${chain} ${asset.assetId} ${owner.name}`;
}

/** The fields of an import or export: real ones carry both chains. */
export function between(source: PrimaryChain, destination: PrimaryChain): TransactionDetails {
  return { sourceChain: fuji[source], destinationChain: fuji[destination] };
}
