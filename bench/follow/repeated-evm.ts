import { evmHeaderHash } from '../../src/avalanche/codec/evm-header.js';
import {
  readTransaction,
  transactionHash,
  transactionsRoot,
} from '../../src/avalanche/codec/evm-transaction.js';

type Members = Readonly<Record<string, unknown>>;

/** A block as eth_getBlockByNumber gives it. */
export interface RpcBlock extends Members {
  readonly hash: string;
  readonly number: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly timestampMilliseconds: string;
  readonly transactions: readonly (Members & { readonly hash: string; readonly nonce: string })[];
}

/** Blocks that are kept: more than a follower reads ahead. */
const KEPT = 10_000;
/** Added to the nonces of each repetition; no recorded one is as large. */
const NONCES = 0x1000000;
/** Seconds between two repetitions. */
const GAP = 10;

const hex = (value: number) => `0x${value.toString(16)}`;

/**
 * A C-chain of any length: a recorded one, then the blocks of its last fork, whose rules hold from there on,
 * again and again with other times and nonces, so that transactions and blocks have other hashes. Signatures
 * are not those of anybody; a follower does not look at them.
 */
export class RepeatedEvmChain {
  /** By height. */
  private readonly hashes: string[];
  private readonly heights: Map<string, number>;
  private readonly kept = new Map<number, RpcBlock>();
  /** The height from which on blocks are repeated, how many they are, and the seconds that they take. */
  private readonly first: number;
  private readonly count: number;
  private readonly seconds: number;

  /** @param recorded by height, from genesis on */
  constructor(private readonly recorded: readonly RpcBlock[]) {
    this.hashes = recorded.map(({ hash }) => hash);
    this.heights = new Map(this.hashes.map((hash, height) => [hash, height]));
    this.first = recorded.findIndex((block) => 'timestampMilliseconds' in block);
    this.count = recorded.length - this.first;
    this.seconds = Number(recorded.at(-1)!.timestamp) - Number(recorded[this.first]!.timestamp) + GAP;
  }

  /** The height of a block that has this hash. */
  heightOf(hash: string): number | undefined {
    return this.heights.get(hash);
  }

  /** The recorded block that a block of this height, which is not recorded, repeats. */
  sourceOf(height: number): RpcBlock {
    return this.recorded[this.first + ((height - this.recorded.length) % this.count)]!;
  }

  blockAt(height: number): RpcBlock {
    if (height < this.recorded.length) return this.recorded[height]!;
    for (let next = this.hashes.length; next <= height; next += 1) this.make(next);
    return this.kept.get(height) ?? this.make(height);
  }

  private make(height: number): RpcBlock {
    const source = this.sourceOf(height);
    const lap = 1 + Math.floor((height - this.recorded.length) / this.count);
    const later = lap * this.seconds;
    const number = hex(height);
    const transactions = source.transactions.map((each) => {
      const nonce = hex(Number(each.nonce) + lap * NONCES);
      const bytes = readTransaction({ ...each, nonce }).encoded!;
      return { ...each, nonce, blockNumber: number, hash: transactionHash(bytes), bytes };
    });
    const header = {
      ...source,
      number,
      parentHash: this.hashes[height - 1]!,
      timestamp: hex(Number(source.timestamp) + later),
      timestampMilliseconds: hex(Number(source.timestampMilliseconds) + later * 1000),
      transactionsRoot: transactionsRoot(transactions.map(({ bytes }) => bytes)),
    };
    const hash = evmHeaderHash(header);
    const block = {
      ...header,
      hash,
      transactions: transactions.map(({ bytes: _, ...each }) => ({ ...each, blockHash: hash })),
    };
    this.keep(height, block);
    return block;
  }

  private keep(height: number, block: RpcBlock): void {
    this.hashes[height] = block.hash;
    this.heights.set(block.hash, height);
    this.kept.set(height, block);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT) this.kept.delete(oldest!);
  }
}
